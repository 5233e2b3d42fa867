"""The reader is a library of its own: it uses nothing else of forcepool."""

import subprocess
import sys


def test_the_reader_needs_nothing_else_of_forcepool() -> None:
    code = "import sys, forcepool.vassal\nprint(sorted(m for m in sys.modules if m.startswith('forcepool')))\n"
    code += "print(sorted(m for m in sys.modules if m in ('msgspec', 'yaml', 'click')))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    ours, others = ran.stdout.splitlines()
    loaded = [name for name in ours.strip("[]").replace("'", "").split(", ") if not name.startswith("forcepool.vassal")]
    assert loaded == ["forcepool"]
    assert others == "[]"
