"""The zip to double-click: what is in it, its first start without a network, its update. CI tries the real one."""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tools.bundle.inside.start import kind, machine
from tools.bundle.needs import NotLocked, needed, requirements
from tools.bundle.pack import filled, pack
from tools.bundle.systems import PYTHONS, SYSTEMS, system
from tools.bundle.wheels import NoWheels, plain

ROOT = Path(__file__).resolve().parents[2]
LOCK = ROOT / "requirements.lock"
PYTHON = f"{sys.version_info[0]}.{sys.version_info[1]}"
ODD = "Jörg Müller & Söhne's Spiele"
TELLS = "import os, sys\nprint('order', *sys.argv[1:])\nprint('python path', os.environ.get('PYTHONPATH'))\n"


def wheel(folder: Path, name: str = "forcepool", version: str = "1.0", **files: str) -> Path:
    """A wheel with these modules."""
    path = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as made:
        made.writestr(f"{name}/__init__.py", "")
        for module, text in (files or {"__main__": TELLS}).items():
            made.writestr(f"{name}/{module}.py", text)
    return path


def bundle(folder: Path, name: str = "linux", version: str = "1.0") -> Path:
    """A bundle that holds a small program of that name."""
    folder.mkdir(exist_ok=True)
    wheels = {(PYTHON, machine()): [wheel(folder, "helper", "2.0")]}
    return pack(system(name), version, wheel(folder, version=version), wheels, folder, "free\n")


def unpacked(zipped: Path, home: Path) -> Path:
    """As an unpacker does, with each file's right to be run."""
    with zipfile.ZipFile(zipped) as opened:
        for info in opened.infolist():
            Path(opened.extract(info, home)).chmod((info.external_attr >> 16) & 0o777)
    return home / "forcepool"


def run(script: Path, *words: str, path: str | None = None) -> "subprocess.CompletedProcess[str]":
    """Run a file of a bundle from elsewhere, with a proxy that leads nowhere."""
    dead = dict.fromkeys(("http_proxy", "https_proxy", "ALL_PROXY"), "http://127.0.0.1:9")
    env = {"PATH": path or f"{Path(sys.executable).parent}:{os.environ['PATH']}", "PYTHONPATH": "elsewhere", **dead}
    return subprocess.run(
        [script, *words], cwd="/", env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )


def test_a_bundle_holds_what_the_program_imports_and_nothing_for_developers() -> None:
    for each in SYSTEMS:
        for python in PYTHONS:
            names = needed(each, python)
            assert {"starlette", "msgspec", "pyyaml", "markupsafe", "h11"} <= set(names)
            assert not {"pytest", "mypy", "sphinx", "playwright", "ruff"} & set(names)


def test_every_wheel_is_pinned_by_the_lock_with_its_hashes() -> None:
    lines = requirements(LOCK, system("windows"), "3.11")
    assert len(lines) > 15
    assert [line for line in lines if not re.match(r"[\w.-]+==\S+( --hash=sha256:[0-9a-f]{64})+$", line)] == []


def test_a_package_the_lock_does_not_pin_is_named(tmp_path: Path) -> None:
    lock = tmp_path / "short.lock"
    lock.write_text(LOCK.read_text("utf-8").replace("\nmsgspec==", "\nother=="), "utf-8")
    with pytest.raises(NotLocked, match="msgspec"):
        requirements(lock, system("linux"), "3.12")


def test_a_wheel_that_unpacking_does_not_install_is_turned_away(tmp_path: Path) -> None:
    path = wheel(tmp_path)
    assert plain(path) == path
    with zipfile.ZipFile(path, "a") as made:
        made.writestr("forcepool-1.0.data/scripts/forcepool", "")
    with pytest.raises(NoWheels, match="more than to be unpacked"):
        plain(path)


@pytest.mark.parametrize("name", [each.name for each in SYSTEMS])
def test_the_zip_has_two_files_to_double_click_and_one_to_read(tmp_path: Path, name: str) -> None:
    with zipfile.ZipFile(bundle(tmp_path, name)) as opened:
        files = {info.filename.removeprefix("forcepool/"): info for info in opened.infolist()}
        ending = system(name).ending
        assert {f"Start forcepool{ending}", f"Update forcepool{ending}", "READ ME FIRST.txt"} <= files.keys()
        start = opened.read(files[f"Start forcepool{ending}"]).decode("ascii")
        readme = opened.read(files["READ ME FIRST.txt"]).decode("ascii")
        assert all(python in start for python in PYTHONS)
        assert f"Start forcepool{ending}" in readme
        assert "@" not in re.sub('@echo|@"', "", start) + readme, "a word was left unfilled"
        assert ("\r\n" in start) == (name == "windows")
        assert bool((files[f"Start forcepool{ending}"].external_attr >> 16) & 0o111) == (name != "windows")
        held = json.loads(opened.read("forcepool/program/contents.json"))
        assert {wheel for wheels in held["wheels"].values() for wheel, _ in wheels} == {
            each.removeprefix("program/wheels/") for each in files if each.startswith("program/wheels/")
        }


def test_the_same_contents_make_the_same_zip(tmp_path: Path) -> None:
    own, more = wheel(tmp_path), wheel(tmp_path, "helper")
    made = [
        pack(system("macos"), "1.0", own, {(PYTHON, "arm64"): [more]}, tmp_path / each, "free\n").read_bytes()
        for each in ("one", "two")
    ]
    assert made[0] == made[1]


def test_the_windows_file_asks_every_python_and_says_which_to_get() -> None:
    script = filled("windows.cmd", system("windows"), "1.0", "start.py")
    assert "call :ask py -3\r\n" in script
    assert f"for %%v in ({' '.join(PYTHONS)}) do call :ask py -%%v" in script
    assert f"Get Python {PYTHONS[0]} (64-bit) from python.org/downloads" in script
    # While it runs an update writes it anew: the line that runs it is the last that is read.
    assert '%PY% -X utf8 "%HERE%program\\start.py" %* & exit /b\r\n' in script
    assert "Extract All" in script


def test_the_first_start_makes_its_environment_without_a_network_and_the_next_uses_it(tmp_path: Path) -> None:
    home = unpacked(bundle(tmp_path / "zip"), tmp_path / ODD)
    first = run(home / "Start forcepool.sh", "--no-browser")
    assert "first start" in first.stdout, first.stderr
    assert re.search(rf"order demo --keep .*{ODD}/forcepool/campaigns --port \d+ --no-browser", first.stdout)
    assert "python path None" in first.stdout, "another program's settings misled it"
    assert first.returncode == 0
    shutil.rmtree(home / "program/wheels")
    (home / "campaigns/Torch.fp").write_text("")
    second = run(home / "Start forcepool.sh", "--no-browser")
    assert "first start" not in second.stdout
    assert re.search(r"order serve .*/campaigns --port \d+", second.stdout), "whoever has campaigns sees them all"


def test_a_damaged_wheel_leaves_no_half_environment(tmp_path: Path) -> None:
    home = unpacked(bundle(tmp_path / "zip"), tmp_path / ODD)
    (home / "program/wheels/helper-2.0-py3-none-any.whl").write_bytes(b"cut off")
    ran = run(home / "Start forcepool.sh")
    assert ran.returncode == 1
    assert "helper-2.0-py3-none-any.whl is missing or damaged. Unpack the zip file again" in ran.stderr
    assert not (home / "environment" / f"1.0 for {kind()}").exists()


def test_without_a_python_that_serves_it_says_which_to_get(tmp_path: Path) -> None:
    home = unpacked(bundle(tmp_path / "zip"), tmp_path / ODD)
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("dirname", "uname", "basename"):
        (tools / name).symlink_to(shutil.which(name) or name)
    old = tools / "python3"
    old.write_text("#!/bin/sh\necho does not fit\n")
    old.chmod(0o755)
    ran = run(home / "Start forcepool.sh", path=str(tools))
    assert ran.returncode == 1
    assert "forcepool needs Python, and none that serves was found" in ran.stderr


def test_a_file_started_inside_the_zip_says_that_it_must_be_unpacked(tmp_path: Path) -> None:
    home = unpacked(bundle(tmp_path / "zip"), tmp_path / ODD)
    alone = Path(shutil.copy(home / "Start forcepool.sh", tmp_path))
    ran = run(alone)
    assert ran.returncode == 1
    assert "Unpack the whole zip file" in ran.stderr


def test_an_update_takes_the_newer_zip_beside_it_and_keeps_the_campaigns(tmp_path: Path) -> None:
    home = unpacked(bundle(tmp_path / "zip"), tmp_path / ODD)
    (home / "campaigns").mkdir()
    (home / "campaigns/Torch.fp").write_text("a campaign")
    assert "no newer zip was found" in run(home / "Update forcepool.sh").stdout
    newer = bundle(tmp_path / "new", version="1.10")
    shutil.copy(newer, home / newer.name)
    assert "This is forcepool 1.10 now." in run(home / "Update forcepool.sh").stdout
    assert (home / "campaigns/Torch.fp").read_text() == "a campaign"
    assert (home / "campaigns/before the update from 1.0/Torch.fp").read_text() == "a campaign"
    assert [path.name for path in (home / "program/wheels").glob("forcepool*")] == ["forcepool-1.10-py3-none-any.whl"]
    assert os.access(home / "Start forcepool.sh", os.X_OK)
    assert (
        "older than this forcepool, which is 1.10"
        in run(home / "Update forcepool.sh", str(tmp_path / "zip" / "forcepool-1.0-linux.zip")).stderr
    )


@pytest.mark.parametrize("what", ["cut", "system", "outside"])
def test_a_zip_that_is_not_whole_or_not_ours_changes_nothing(tmp_path: Path, what: str) -> None:
    home = unpacked(bundle(tmp_path / "zip"), tmp_path / ODD)
    before = sorted(path.relative_to(home) for path in home.rglob("*"))
    bad = bundle(tmp_path / "new", "windows" if what == "system" else "linux", "2.0")
    if what == "cut":
        bad.write_bytes(bad.read_bytes()[:2000])
    if what == "outside":
        with zipfile.ZipFile(bad, "a") as made:
            made.writestr("forcepool/../../evil.txt", "")
    ran = run(home / "Update forcepool.sh", str(bad))
    assert ran.returncode == 1
    said = {"cut": "was not fetched whole", "system": "is made for windows", "outside": "outside its folder"}
    assert said[what] in ran.stderr
    assert sorted(path.relative_to(home) for path in home.rglob("*") if "__pycache__" not in str(path)) == before
