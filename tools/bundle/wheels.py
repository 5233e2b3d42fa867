"""The wheels of a bundle, fetched by pip as it is set up on this machine, each held to the lock's hashes."""

import hashlib
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tools.bundle.needs import requirements
from tools.bundle.systems import PYTHONS, Machine, System

Target = tuple[System, str, Machine]
AT_ONCE = 4
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")


class NoWheels(Exception):
    """A wheel that could not be had, in a sentence."""


def our_own(root: Path, folder: Path) -> Path:
    """The program itself as a wheel, built by the backend the lock pins."""
    _pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(root))
    return next(folder.glob("forcepool-*.whl"))


def fetch(
    lock: Path, systems: Iterable[System], folder: Path, only: tuple[str, str] | None = None
) -> dict[tuple[str, str, str], list[Path]]:
    """For each system, Python and machine the wheels it installs; those that serve everywhere are fetched once."""
    folder.mkdir(parents=True, exist_ok=True)
    targets = [(system, python, machine) for system in systems for python in PYTHONS for machine in system.machines]
    if only:
        targets = [target for target in targets if _key(target)[1:] == only]
    first, *rest = targets
    found = {_key(first): _fetched(lock, first, folder)}
    with ThreadPoolExecutor(AT_ONCE) as pool:
        fetched = pool.map(lambda target: _fetched(lock, target, folder), rest)
        found |= dict(zip(map(_key, rest), fetched, strict=True))
    return found


def plain(wheel: Path) -> Path:
    """The wheel, if unpacking it is all there is to installing it; a bundle has no installer at its first start."""
    with zipfile.ZipFile(wheel) as opened:
        data = [name for name in opened.namelist() if name.split("/")[0].endswith(".data")]
    if data:
        raise NoWheels(f"{wheel.name} wants more than to be unpacked ({data[0]}); a bundle cannot hold it")
    return wheel


def digest(wheel: Path) -> str:
    """Its SHA-256, by which the first start knows that the file is whole."""
    return hashlib.sha256(wheel.read_bytes()).hexdigest()


def _key(target: Target) -> tuple[str, str, str]:
    system, python, machine = target
    return system.name, python, machine.name


def _fetched(lock: Path, target: Target, folder: Path) -> list[Path]:
    system, python, machine = target
    lines = requirements(lock, system, python)
    everywhere = {digest(path): path for path in folder.glob("*-none-any.whl")}
    at_hand = {line: _at_hand(everywhere, line) for line in lines}
    have = [path for path in at_hand.values() if path]
    missing = [line for line, path in at_hand.items() if not path]
    own = folder / f"{system.name}-{python}-{machine.name}"
    own.mkdir(exist_ok=True)
    if missing:
        asked = own / "requirements.txt"
        asked.write_text("\n".join(missing) + "\n", encoding="utf-8")
        words = ["--only-binary=:all:", "--no-deps", "--require-hashes", "--python-version", python]
        words += [f"--platform={each}" for each in machine.platforms]
        _pip("download", *words, "--implementation=cp", "-r", str(asked), "--dest", str(own))
    fetched = sorted(own.glob("*.whl"))
    for wheel in fetched:
        if wheel.name.endswith("-none-any.whl"):
            (folder / wheel.name).write_bytes(wheel.read_bytes())
    return sorted(map(plain, [*have, *fetched]), key=lambda path: path.name)


def _at_hand(everywhere: dict[str, Path], line: str) -> Path | None:
    """The wheel that serves everywhere, if it is one the line allows."""
    hashes = (word.partition("sha256:")[2] for word in line.split())
    return next((everywhere[each] for each in hashes if each in everywhere), None)


def _pip(*words: str) -> None:
    ran = subprocess.run([*PIP, *words], capture_output=True, text=True, check=False)
    if ran.returncode:
        last = ran.stderr.strip().splitlines()[-1:] or ["it said nothing"]
        raise NoWheels(f"pip {words[0]}: {last[0]}")
