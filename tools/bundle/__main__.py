"""`make bundle`: forcepool for people without a command prompt, a zip for each system.

python -m tools.bundle [SYSTEM …]        windows, macos, linux; all of them when none is named
"""

import sys
import tempfile
import tomllib
from pathlib import Path

from tools.bundle.needs import NotLocked
from tools.bundle.pack import pack
from tools.bundle.systems import SYSTEMS, system
from tools.bundle.wheels import NoWheels, fetch, our_own

ROOT = Path(__file__).resolve().parents[2]


def main(names: list[str]) -> int:
    if unknown := [name for name in names if name not in {each.name for each in SYSTEMS}]:
        print(f"bundle: there is no system {unknown[0]}; choose from {', '.join(each.name for each in SYSTEMS)}")
        return 2
    try:
        for path in bundle(names or [each.name for each in SYSTEMS], ROOT / "dist"):
            print(f"{path.relative_to(ROOT)}  {path.stat().st_size // 1024:,} kB")
    except (NotLocked, NoWheels) as error:
        print(f"bundle: {error}", file=sys.stderr)
        return 1
    return 0


def bundle(names: list[str], into: Path, only: tuple[str, str] | None = None) -> list[Path]:
    """Write the zips of these systems; `only` one Python and machine, for a trial."""
    wanted = [system(name) for name in names]
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8")
    made = []
    with tempfile.TemporaryDirectory() as folder:
        own = our_own(ROOT, Path(folder, "own"))
        found = fetch(ROOT / "requirements.lock", wanted, Path(folder, "wheels"), only)
        for each in wanted:
            wheels = {(python, machine): some for (name, python, machine), some in found.items() if name == each.name}
            made.append(pack(each, version, own, wheels, into, licence))
    return made


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
