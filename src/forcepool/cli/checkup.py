"""What an installation needs, looked at piece by piece: the program itself, its place on the disk, its settings.

Whatever might be broken is loaded in a process of its own, so that it is told and stops nothing else.
"""

import os
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from forcepool.web.settings import Mail, Settings

OK, NOTE, WRONG = "ok", "note", "wrong"
OLDEST_PYTHON, OLDEST_SQLITE, OLDEST_POSTGRES = (3, 11), (3, 24), 14
LEAST_FREE, LITTLE_FREE = 100, 1000
"""Megabytes on the disk below which nothing goes on, and below which one should look after it."""
NOT_FOR_PLAYERS = ("dev", "docs")
PROGRAM = {
    "rulebook": "from forcepool.rulebook.book import load; print(len(load()), 'clauses')",
    "scenarios": "from forcepool.web.new import shipped; print(len(shipped()), 'scenarios that load')",
    "pages": "from forcepool.web.render import environment; env = environment();"
    " print(len([env.get_template(name) for name in env.list_templates()]), 'templates')",
}
GAME = "import sys; from forcepool import games; print(games.game(sys.argv[1]).title)"
NETWORK_DRIVES = re.compile(
    r"^(nfs4?|cifs|smb3?|smbfs|afs|ncpfs|9p|ceph|glusterfs|fuse\.(sshfs|glusterfs|s3fs|rclone))$"
)
REINSTALL = "install forcepool again: pip install --force-reinstall forcepool"


class Line(Struct, frozen=True):
    """One thing that was looked at: how it is, and what to do about it."""

    what: str
    state: str
    says: str
    remedy: str = ""


# -------------------------------------------------------------------------------------------- the program itself


def python() -> Line:
    version, oldest = ".".join(map(str, sys.version_info[:3])), ".".join(map(str, OLDEST_PYTHON))
    if sys.version_info[:2] < OLDEST_PYTHON:
        return Line("Python", WRONG, f"{version}, which is too old", f"install Python {oldest} or later")
    return Line("Python", OK, version)


def tried(code: str, *words: str) -> tuple[bool, str]:
    """Whether a piece of Python runs in a process of its own, and the last line it says."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONIOENCODING": "utf-8"}
    ran = subprocess.run(
        [sys.executable, "-c", code, *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        env=environment,
    )
    told = (ran.stdout if ran.returncode == 0 else ran.stderr).strip().splitlines()
    return ran.returncode == 0, told[-1] if told else f"it ended with {ran.returncode}"


def program() -> Iterator[Line]:
    """What ships with the program can be read."""
    for what, code in PROGRAM.items():
        fine, says = tried(code)
        yield Line(what, OK, says) if fine else Line(what, WRONG, f"cannot be loaded ({says})", REINSTALL)


def games() -> Iterator[Line]:
    """Every game that is installed, shipped or of somebody else's."""
    from forcepool.games import GROUP

    for entry in sorted(metadata.entry_points(group=GROUP), key=lambda each: each.name):
        package = entry.dist.name if entry.dist is not None else "a package"
        fine, says = tried(GAME, entry.name)
        what = f"game {entry.name}"
        if fine:
            yield Line(what, OK, says)
        elif package == "forcepool":
            yield Line(what, WRONG, f"does not load ({says})", REINSTALL)
        else:
            remedy = f"ask its author for a version that fits, or take it out: pip uninstall {package}"
            yield Line(what, WRONG, f"of the package {package} does not load ({says})", remedy)


def extras() -> Iterator[Line]:
    """What can be installed besides, and is not needed to play."""
    wanted: dict[str, list[str]] = {}
    for line in metadata.requires("forcepool") or ():
        if found := re.match(r"([\w.-]+)(\[[\w,-]+\])?.*;.*extra == ['\"]([\w-]+)['\"]", line):
            wanted.setdefault(found[3], []).append(found[1])
    for extra, packages in sorted(wanted.items()):
        if extra in NOT_FOR_PLAYERS:
            continue
        missing = sorted(each for each in packages if not is_installed(each))
        if missing:
            says = f"without {', '.join(missing)}; nothing else needs it"
            yield Line(f"extra {extra}", NOTE, says, f'if you want it: pip install "forcepool[{extra}]"')
        else:
            yield Line(f"extra {extra}", OK, ", ".join(sorted(packages)))


def is_installed(package: str) -> bool:
    try:
        metadata.distribution(package)
    except metadata.PackageNotFoundError:
        return False
    return True


def browser() -> Line:
    from forcepool.report.pdf import CannotPrint, find_browser

    try:
        return Line("PDF", OK, f"made by {find_browser()}")
    except CannotPrint:
        return Line("PDF", NOTE, "no Chrome, Edge or Chromium, which only PDF files need", "print from the browser")


# ------------------------------------------------------------------------------------------- the place on the disk


def folder(path: Path) -> Iterator[Line]:
    """The folder of the campaigns: there, writable, with room, and on a disk that SQLite can trust."""
    if not path.is_dir():
        yield Line("folder", WRONG, f"{path} is not there", f"make it: mkdir {path}; or name another")
        return
    try:
        with tempfile.TemporaryDirectory(prefix=".forcepool-doctor-", dir=path) as apart:
            yield Line("folder", OK, f"{path} can be written")
            yield sqlite(Path(apart))
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        yield Line("folder", WRONG, f"{path} cannot be written ({why})", "give yourself the right to write there")
    yield room(path)
    yield drive(path)


def room(path: Path) -> Line:
    free = shutil.disk_usage(path).free // 1024**2
    says = f"{free:,} MB are free"
    if free < LITTLE_FREE:
        return Line("disk", WRONG if free < LEAST_FREE else NOTE, says, "free some space, before a turn is refused")
    return Line("disk", OK, says)


def sqlite(apart: Path) -> Line:
    """Whether SQLite keeps its log beside a file here, as campaigns need it."""
    oldest = ".".join(map(str, OLDEST_SQLITE))
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        return Line("SQLite", WRONG, f"{sqlite3.sqlite_version}, which is too old", f"use a Python with {oldest}")
    try:
        first, second = (sqlite3.connect(apart / "try.sqlite", timeout=5) for _ in range(2))
        try:
            mode = first.execute("pragma journal_mode = wal").fetchone()[0]
            first.execute("create table tried (number integer)")
            first.execute("insert into tried values (41)")
            first.commit()
            seen = second.execute("select number from tried").fetchall()
        finally:
            first.close()
            second.close()
    except sqlite3.Error as error:
        mode, seen = str(error), []
    if mode != "wal" or seen != [(41,)]:
        return Line("SQLite", WRONG, f"does not work here ({mode})", "put the campaigns on a disk of this machine")
    return Line("SQLite", OK, f"{sqlite3.sqlite_version}, with its log beside the file")


def drive(path: Path, mounts: Path = Path("/proc/mounts")) -> Line:
    """Several machines on one network drive would each believe to be alone."""
    try:
        lines = [line.split() for line in mounts.read_text("utf-8", errors="replace").splitlines()]
    except OSError:
        return Line("drive", NOTE, "what kind it is cannot be told here", "keep campaigns off network drives")
    whole = path.resolve()
    above = {str(each) for each in (whole, *whole.parents)}
    found = max(((each[1], each[2]) for each in lines if len(each) > 2 and each[1] in above), default=("", ""))
    if NETWORK_DRIVES.match(found[1]):
        remedy = "put the campaigns on a disk of this machine, or into a database (--database)"
        return Line("drive", WRONG, f"{path} is on a network drive ({found[1]})", remedy)
    return Line("drive", OK, f"a disk of this machine ({found[1] or 'of unknown kind'})")


def database(url: str) -> Iterator[Line]:
    """The database: reached, of which version, and with today's tables; nothing in it is changed."""
    from forcepool.store.errors import CampaignFileError
    from forcepool.store.pg_errors import NoDriver
    from forcepool.store.pg_link import Link
    from forcepool.store.pg_schema import format_of, migrations

    try:
        link = Link(url)
        try:
            version, found = str(link.rows("show server_version")[0][0]), format_of(link)
        finally:
            link.close()
    except NoDriver as error:
        yield Line("database", WRONG, str(error), 'pip install "forcepool[postgres]"')
        return
    except CampaignFileError as error:
        yield Line("database", WRONG, str(error), "look at the setting database, and whether PostgreSQL runs there")
        return
    oldest = str(OLDEST_POSTGRES)
    if int(version.partition(".")[0]) < OLDEST_POSTGRES:
        yield Line(
            "database", WRONG, f"PostgreSQL {version}, which is too old", f"install PostgreSQL {oldest} or later"
        )
    else:
        yield Line("database", OK, f"PostgreSQL {version} answers")
    if found < len(migrations()):
        says = f"of format {found}, and this forcepool has {len(migrations())}" if found else "not made yet"
        yield Line("tables", NOTE, says, "they are brought up to date when the server starts")
    else:
        yield Line("tables", OK, f"of format {found}, the newest")


# --------------------------------------------------------------------------------------------------- the net


def port(settings: "Settings", usual: int) -> Line:
    host, number = settings.host or ("0.0.0.0" if settings.public else "127.0.0.1"), settings.port or usual
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as trial:
        if os.name == "posix":
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((host, number))
        except OSError as error:
            if answers(number):
                return Line("port", OK, f"{number}: a forcepool server answers there")
            why = (error.strerror or str(error)).lower()
            if settings.port:
                return Line("port", WRONG, f"{number} cannot be used ({why})", "choose another with --port")
            return Line("port", NOTE, f"{number} cannot be used ({why})", "the next free one is taken by itself")
    return Line("port", OK, f"{number} is free")


def mail(settings: "Mail") -> Line:
    """Whether the machine that takes the mail lets us in."""
    from forcepool.web.post.smtp import Sent, reached

    found = reached(settings)
    if isinstance(found, Sent):
        return Line("mail", OK, f"{settings.server} takes our mail")
    return Line(
        "mail", WRONG, f"{settings.server}: {found.why}", "look at the settings under mail, and at that machine"
    )


def answers(number: int) -> bool:
    """Whether a server of ours is at a port of this machine."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{number}/healthz", timeout=2) as answer:
            return b'"alive"' in answer.read(200)
    except (OSError, ValueError):
        return False
