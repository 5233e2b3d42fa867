"""Runs the benchmarks, each in a process of its own: `python benchmarks/run.py [name…]`, all of them without a name."""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def benchmarks() -> dict[str, Path]:
    """Every benchmark by name: a script of this folder, or a folder with a __main__.py."""
    scripts = {path.stem: path for path in HERE.glob("*.py") if path.stem not in ("run", "mutation")}
    folders = {path.parent.name: path.parent for path in HERE.glob("*/__main__.py") if path.parent.name != "soak"}
    return dict(sorted({**scripts, **folders}.items()))


def main(wanted: list[str]) -> int:
    known = benchmarks()
    unknown = [name for name in wanted if name not in known]
    if unknown:
        print(f"there is no benchmark {' or '.join(unknown)}; there are {', '.join(known)}", file=sys.stderr)
        return 2
    failed = []
    for name in wanted or known:
        print(f"== {name}", flush=True)
        if subprocess.run([sys.executable, str(known[name])], check=False).returncode:
            failed.append(name)
        print(flush=True)
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
