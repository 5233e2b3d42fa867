"""The zip itself: the wheels, a list of them, the files to double-click and a page to read first."""

import json
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from tools.bundle.systems import PYTHONS, System
from tools.bundle.wheels import digest

INSIDE = Path(__file__).parent / "inside"
TOP = "forcepool"
SCRIPTS = {"Start forcepool": "start.py", "Update forcepool": "update.py"}
WHEN = (2026, 1, 1, 0, 0, 0)
"""The same contents make the same zip."""


def pack(
    system: System, version: str, own: Path, wheels: Mapping[tuple[str, str], list[Path]], folder: Path, licence: str
) -> Path:
    """Write a system's zip; `wheels` by Python and machine."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"forcepool-{version}-{system.name}.zip"
    with zipfile.ZipFile(path, "w") as made:
        for name, text in _texts(system, version, licence):
            _put(made, name, text.encode("utf-8"), runs=name.endswith((".sh", ".command")))
        every = {wheel.name: wheel for some in wheels.values() for wheel in some} | {own.name: own}
        for name in sorted(every):
            _put(made, f"program/wheels/{name}", every[name].read_bytes(), packed=True)
        listed = {
            f"{python} {machine}": [[wheel.name, digest(wheel)] for wheel in [own, *some]]
            for (python, machine), some in sorted(wheels.items())
        }
        contents = {"version": version, "system": system.name, "pythons": list(PYTHONS), "wheels": listed}
        _put(made, "program/contents.json", json.dumps(contents, indent=1).encode("utf-8"))
    return path


def filled(template: str, system: System, version: str, script: str = "") -> str:
    """A file of the bundle, with this system's words in it."""
    text = (INSIDE / template).read_text(encoding="utf-8")
    words = {
        "@VERSION@": version,
        "@PYTHONS@": " ".join(PYTHONS),
        "@SHORT@": " ".join(each.replace(".", "") for each in PYTHONS),
        "@GET@": PYTHONS[0],
        "@SCRIPT@": script,
        "@START@": f"Start forcepool{system.ending}",
        "@UPDATE@": f"Update forcepool{system.ending}",
        "@HOW@": system.how,
        "@SYSTEM@": system.name,
    }
    for word, stands_for in words.items():
        text = text.replace(word, stands_for)
    return text.replace("\n", system.line_end)


def _texts(system: System, version: str, licence: str) -> Iterator[tuple[str, str]]:
    for name, script in SCRIPTS.items():
        yield f"{name}{system.ending}", filled(system.template, system, version, script)
    yield "READ ME FIRST.txt", filled("readme.txt", system, version)
    yield "LICENSE.txt", licence.replace("\n", system.line_end)
    for script in ("start.py", "update.py"):
        yield f"program/{script}", (INSIDE / script).read_text(encoding="utf-8")


def _put(made: zipfile.ZipFile, name: str, content: bytes, *, runs: bool = False, packed: bool = False) -> None:
    info = zipfile.ZipInfo(f"{TOP}/{name}", WHEN)
    info.create_system = 3  # so that the right to run a file is kept on macOS and Linux
    info.external_attr = (0o100755 if runs else 0o100644) << 16
    info.compress_type = zipfile.ZIP_STORED if packed else zipfile.ZIP_DEFLATED
    made.writestr(info, content)
