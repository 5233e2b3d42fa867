"""The ground everything is tried on: a small campaign, its text and a copy, made once and laid out for each try."""

import gc
import os
import shutil
import signal
from importlib import import_module
from pathlib import Path

import click
from msgspec import Struct

from forcepool import games
from forcepool.cli.main import COMMANDS, cli
from forcepool.engine import campaign as engine_campaign
from forcepool.engine.desk import Note
from forcepool.engine.journal import Journal
from forcepool.rulebook.book import load
from forcepool.store import place, schema
from forcepool.store.open import campaign_file, copy_campaign
from forcepool.store.sqlite import SqliteJournal
from forcepool.store.verify import verify
from forcepool.web.chair import REFEREE, SIDE, Seat
from forcepool.web.registry import FILE, Registry
from forcepool.web.security import COOKIE, Signer, new_session

CAMPAIGN, TEXT, COPY, SCENARIO = "east.fp", "east.txt", "older.fp", "war.yaml"
LATER = ("uvicorn", "forcepool.web.app", "forcepool.report.page", "forcepool.views.scenarios", "forcepool.views.orders")
SNAPSHOT_EVERY = 5
KILLS_A_FILE = 10
"""Kills at any instant after which a fresh campaign is begun with, so that each stays short."""
WAR = """\
title: A small war
turn: Oct 1 41
player: Axis
phase: replacement
theatres: {East: {}, Home: {country: Germany}}
fronts: {Centre: {theatre: East}}
mds: {III: {theatre: Home, country: Germany, activity: inactive}}
places:
  Minsk: {front: Centre, city: yes, owner: Axis}
  Berlin: {md: III, city: yes, owner: Axis, replacement_city: Germany}
pools:
  front/centre: {German: {inf: 22/3, arm: 25/12}}
units:
  24 Inf XX: {spec: 7-6 Inf XX (3-6), nation: German, at: Minsk, as: cadre}
  17 Inf XX: {spec: 8-6 Inf XX (4-6), nation: German, at: eliminated front/centre}
  100 Rifle XX: {spec: "5-6 Rifle XX (2-6) (1-6)", nation: Soviet, at: Minsk, as: cadre}
"""


class Head(Struct, frozen=True):
    """Where a journal ends."""

    seq: int
    hash: str


class Ground(Struct, frozen=True):
    """A folder to begin from, and what is known of it."""

    folder: Path
    now: Head
    """Where the campaign stands: all of it was acknowledged."""
    copy: Head
    """Where the older copy stands."""
    cookie: str
    token: str
    """What the referee's browser brings."""

    def laid_out(self, at: Path) -> Path:
        """The ground laid out in a fresh folder."""
        shutil.rmtree(at, ignore_errors=True)
        shutil.copytree(self.folder, at)
        return at


def run(*words: str) -> None:
    """One command of the command line; leaves by SystemExit."""
    cli.main(list(words))


def unsound(journal: Journal) -> str:
    """What is wrong with a journal; empty when nothing is."""
    return "; ".join(map(str, verify(journal).findings))


def left_beside(path: Path) -> str:
    """What lies beside a campaign that nobody has open; empty when nothing does."""
    left = sorted(each.name for each in path.parent.glob(f"{path.name}-*"))
    return f"{', '.join(left)} left behind" if left else ""


def head_of(path: Path) -> Head:
    with SqliteJournal.open(path) as journal:
        return Head(*journal.head())


def prepare(folder: Path) -> tuple[Ground, Ground]:
    """The ground with everything in the campaign's file, and the same with the last entries still in its log."""
    engine_campaign.SNAPSHOT_EVERY = SNAPSHOT_EVERY
    # A lock that the disk refuses looks like one that another holds; nobody else is here to wait for.
    schema.WAIT_SECONDS, place.PAUSE = 0.05, 0.001
    warm_up()
    merged, logged = folder / "merged", folder / "logged"
    merged.mkdir(parents=True)
    (merged / SCENARIO).write_text(WAR)
    file = merged / CAMPAIGN
    _ran("new", str(file), "--scenario", str(merged / SCENARIO))
    play(file, 4)
    copy_campaign(file, merged / COPY)
    play(file, 4)
    _ran("undo", str(file))
    _ran("export", str(file), "-o", str(merged / TEXT), "--with-secret")
    cookie, token = _seated(merged)
    shutil.copytree(merged, logged)
    child = os.fork()
    if not child:
        with campaign_file(logged / CAMPAIGN, games.build_world) as campaign:
            for number in range(3):
                campaign.do(Note(text=f"in the log {number}"))
            os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    assert (logged / f"{CAMPAIGN}-wal").stat().st_size
    look = folder / "look"
    shutil.copytree(logged, look)
    grounds = (
        Ground(merged, head_of(file), head_of(merged / COPY), cookie, token),
        Ground(logged, head_of(look / CAMPAIGN), head_of(merged / COPY), cookie, token),
    )
    shutil.rmtree(look)
    return grounds


def warm_up() -> None:
    """Read now what every command would read for itself in its own process."""
    for name in COMMANDS:
        cli.get_command(click.Context(cli), name)
    for module in LATER:
        import_module(module)
    load()
    games.game(games.DEFAULT)
    gc.collect()
    gc.freeze()


def play(file: Path, notes: int) -> None:
    with campaign_file(file, games.build_world) as campaign:
        for _ in range(notes):
            campaign.do(Note(text=f"note {campaign.seq + 1}"))


def _ran(*words: str) -> None:
    child = os.fork()
    if not child:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        try:
            run(*words)
        except SystemExit as left:
            os._exit(int(left.code or 0))
    _, status = os.waitpid(child, 0)
    assert status == 0, words


def _seated(folder: Path) -> tuple[str, str]:
    """A referee at the table and a side with a player, as if both had followed their invitations."""
    registry = Registry(folder / FILE)
    signer, session = Signer(registry.secret), new_session()
    for seat, by in ((Seat(REFEREE), session), (Seat(SIDE, "Soviet"), new_session())):
        _, word = registry.invite("east", seat)
        registry.accept(word, by)
    registry.close()
    return f"{COOKIE}={signer.cookie(session)}", signer.token(session)
