"""A tenth of the soak: writers and servers killed, disks full and broken, and nothing acknowledged is lost."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="programs are cut off where programs can fork")


def soak(*words: str) -> list[str]:
    ran = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks" / "soak"), *words, "--quiet"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout.splitlines()


def test_a_thousand_kills_lose_nothing_acknowledged() -> None:
    """At any instant, of writers alone and beside another, and of real servers that answer orders."""
    said = soak("--kills", "1000", "--faults", "0", "--small-disks", "0")
    assert int(said[0].split()[0].replace(",", "")) >= 1000
    assert said[-1] == "nothing lost"


def test_faults_at_the_calls_of_every_deed_lose_nothing() -> None:
    """A sample of all calls: killed there, the disk full, the disk broken, once or from then on."""
    said = soak("--kills", "0", "--faults", "0.005", "--small-disks", "0")
    assert said[-1] == "nothing lost"


def test_an_order_is_tried_at_every_call_that_changes_a_file() -> None:
    """Killed before it and in the middle of it, the disk full, the disk broken from there on."""
    said = soak("--kills", "0", "--deeds", "note", "--changes-only", "--small-disks", "0")
    assert said[-1] == "nothing lost"


def test_without_a_compiler_a_disk_that_is_really_too_small_loses_nothing() -> None:
    said = soak("--kills", "0", "--no-shim", "--faults", "0.03", "--small-disks", "0.03")
    assert said[-1] == "nothing lost"
