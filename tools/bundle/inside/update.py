"""Brings this folder up to a newer zip of forcepool. Campaigns are copied first and otherwise left alone.

The zip may be dropped on the file 'Update forcepool'; else it is looked for in this folder, beside it and in Downloads.
"""

import hashlib
import json
import re
import shutil
import sys
import zipfile
from pathlib import Path
from typing import Any

from start import CAMPAIGNS, ENVIRONMENTS, HOME, PROGRAM, Sorry, contents, running, wait

TOP = "forcepool/"


def main(words: list[str]) -> int:
    failed = True
    try:
        print(f"\n  {update(words)}\n")
        failed = False
    except Sorry as sorry:
        print(f"\n  {sorry}\n", file=sys.stderr)
    except OSError as error:
        print(f"\n  The update could not be finished ({error}). Close forcepool and try again.\n", file=sys.stderr)
    wait()
    return int(failed)


def update(words: list[str]) -> str:
    """What came of it, in a sentence."""
    mine = contents(PROGRAM)
    if there := running():
        raise Sorry(f"forcepool is open, at {there} Close its window first, then update.")
    path = Path(words[0]) if words else newest(mine)
    if path is None:
        return (
            f"This is forcepool {mine['version']}, and no newer zip was found. Get it from where you got this one, "
            "leave it in Downloads or put it into this folder, and double-click this file again."
        )
    theirs = looked_through(path, mine)
    kept = copies(mine["version"])
    swap(path)
    for old in ENVIRONMENTS.glob("* for *"):
        shutil.rmtree(old, ignore_errors=True)
    copied = f" A copy of your campaigns as they were is in '{kept.relative_to(HOME)}'." if kept else ""
    return f"This is forcepool {theirs['version']} now.{copied}"


def newest(mine: dict[str, Any]) -> Path | None:
    """The newest zip in the usual places that is newer than this folder."""
    found = []
    for folder in (HOME, HOME.parent, Path.home() / "Downloads"):
        for path in folder.glob(f"forcepool-*-{mine['system']}*.zip"):
            version = path.name.split("-")[1]
            if order(version) > order(mine["version"]):
                found.append((order(version), path))
    return max(found)[1] if found else None


def order(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version))


def looked_through(path: Path, mine: dict[str, Any]) -> dict[str, Any]:
    """The list of what a zip holds, once every file of it has been found whole."""
    if not zipfile.is_zipfile(path):
        raise Sorry(f"{path.name} is no zip file of forcepool, or was not fetched whole. Get it again.")
    with zipfile.ZipFile(path) as opened:
        names = set(opened.namelist())
        if f"{TOP}program/contents.json" not in names:
            raise Sorry(f"{path.name} is not forcepool.")
        theirs: dict[str, Any] = json.loads(opened.read(f"{TOP}program/contents.json"))
        if theirs["system"] != mine["system"]:
            raise Sorry(f"{path.name} is made for {theirs['system']}; this one is for {mine['system']}.")
        if order(theirs["version"]) < order(mine["version"]):
            raise Sorry(f"{path.name} is older than this forcepool, which is {mine['version']}.")
        if any(not name.startswith(TOP) or ".." in name.split("/") for name in names):
            raise Sorry(f"{path.name} would write outside its folder, and was left alone.")
        for name, digest in {tuple(wheel) for wheels in theirs["wheels"].values() for wheel in wheels}:
            place = f"{TOP}program/wheels/{name}"
            if place not in names or hashlib.sha256(opened.read(place)).hexdigest() != digest:
                raise Sorry(f"{path.name} is damaged ({name}). Get it again.")
    return theirs


def copies(version: str) -> Path | None:
    """A copy of every campaign, before a newer program opens it."""
    files = [path for path in CAMPAIGNS.glob("*") if path.is_file()] if CAMPAIGNS.is_dir() else []
    if not files:
        return None
    folder = Path(CAMPAIGNS, f"before the update from {version}")
    folder.mkdir(exist_ok=True)
    for path in files:
        shutil.copy2(path, folder / path.name)
    return folder


def swap(path: Path) -> None:
    """Put the new program in the place of the old one, which stays until the new one is all there."""
    new, old = HOME / "program.new", HOME / "program.old"
    shutil.rmtree(new, ignore_errors=True)
    shutil.rmtree(old, ignore_errors=True)
    with zipfile.ZipFile(path) as opened:
        for info in opened.infolist():
            inside = info.filename.removeprefix(TOP)
            if info.is_dir() or not inside:
                continue
            target = new / inside.removeprefix("program/") if inside.startswith("program/") else HOME / inside
            content = opened.read(info)
            if target.is_file() and target.read_bytes() == content:
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            target.chmod((info.external_attr >> 16) & 0o777 or 0o644)
    PROGRAM.rename(old)
    new.rename(PROGRAM)
    shutil.rmtree(old, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
