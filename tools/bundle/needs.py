"""What the program needs to run, nothing for developers: found from what is installed, pinned by the lock."""

import re
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.bundle.systems import System

PINNED = re.compile(r"^(?P<name>[\w.-]+)==(?P<version>[^ ;\\]+)(?: *; *(?P<marker>[^\\]+?))? *\\?$")
OURSELVES = "forcepool"


class NotLocked(Exception):
    """Something the program needs that the lock does not pin."""


def locked(lock: Path, system: System, python: str) -> dict[str, str]:
    """What the lock pins for a system and a Python: the lines of each package, hashes and all."""
    found: dict[str, str] = {}
    for block in re.split(r"\n(?=\S)", lock.read_text(encoding="utf-8")):
        first, *hashes = block.splitlines()
        pin = PINNED.match(first)
        if pin is None or (pin["marker"] and not Marker(pin["marker"]).evaluate(_there(system, python))):
            continue
        name = canonicalize_name(pin["name"])
        kept = [line.strip(" \\") for line in hashes if "--hash=" in line]
        found[name] = " ".join([f"{pin['name']}=={pin['version']}", *kept])
    return found


def needed(system: System, python: str) -> list[str]:
    """The packages the program imports there, its own apart, by name."""
    found: set[str] = set()
    waiting = list(_asks(OURSELVES, system, python))
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += _asks(name, system, python)
    return sorted(found)


def requirements(lock: Path, system: System, python: str) -> list[str]:
    """The lines to give pip, each with its hashes."""
    pins = locked(lock, system, python)
    names = needed(system, python)
    if missing := [name for name in names if name not in pins]:
        raise NotLocked(f"{lock.name} does not pin {', '.join(missing)}; run make lock")
    return [pins[name] for name in names]


def _asks(name: str, system: System, python: str) -> Iterator[str]:
    try:
        asked = requires(name) or []
    except PackageNotFoundError:
        return  # needed on another system only, and therefore not installed here; such packages stand alone
    for each in map(Requirement, asked):
        if each.marker is None or each.marker.evaluate(_there(system, python)):
            yield canonicalize_name(each.name)


def _there(system: System, python: str) -> dict[str, str]:
    """What the markers ask about, as it is there."""
    return {
        "sys_platform": system.sys_platform,
        "platform_system": {"win32": "Windows", "darwin": "Darwin"}.get(system.sys_platform, "Linux"),
        "os_name": "nt" if system.sys_platform == "win32" else "posix",
        "python_version": python,
        "python_full_version": f"{python}.9",
        "platform_python_implementation": "CPython",
        "implementation_name": "cpython",
        "extra": "",
    }
