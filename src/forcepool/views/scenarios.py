"""Scenarios: those that ship, and beginning a campaign of one in a new file."""

from collections.abc import Iterable, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, TypedDict

from msgspec import Struct

from forcepool import __version__, games
from forcepool.engine.beginning import begin as begin_campaign
from forcepool.engine.calendar import Turn
from forcepool.engine.events import PhaseBegan, SwitchSet
from forcepool.engine.game import Game, SetUp
from forcepool.engine.journal import Journal
from forcepool.engine.state import State, evolve
from forcepool.engine.switches import find
from forcepool.files.yamltext import Document, read_yaml
from forcepool.rulebook.book import load
from forcepool.store.open import create_campaign

ENDING, JOURNAL = ".yaml", ".journal"


class Scenario(Struct, frozen=True):
    """What a scenario says of itself."""

    name: str
    game: str
    title: str
    turn: str
    units: int
    illustrative: bool
    notes: str
    played: bool
    """Whether a campaign of it that was played on ships too."""
    profile: str = ""
    """The numbers and names it is played by, where these are not the game's own."""


def _folder() -> Traversable:
    return files("forcepool") / "scenarios"


def scenario_names() -> list[str]:
    """The names of the shipped scenarios."""
    return sorted(each.name.removesuffix(ENDING) for each in _folder().iterdir() if each.name.endswith(ENDING))


def shipped_scenario(name: str) -> Document:
    file = f"{name}{ENDING}"
    return read_yaml((_folder() / file).read_text("utf-8"), file)


def shipped_journal(name: str) -> list[str]:
    """The lines of a campaign of a shipped scenario that was played and ships with it."""
    return (_folder() / f"{name}{JOURNAL}").read_text("utf-8").split("\n")


def scenario(name: str, document: Document) -> Scenario:
    """What a scenario's file says of it."""
    data: Any = document.data if isinstance(document.data, dict) else {}
    units = data.get("units")
    return Scenario(
        name=name,
        game=game_of(document),
        title=" ".join(str(data.get("title") or name).split()),
        turn=str(data.get("turn") or ""),
        units=len(units) if isinstance(units, dict) else 0,
        illustrative=str(data.get("illustrative") or "").lower() in ("yes", "true"),
        notes=" ".join(str(data.get("notes") or "").split()),
        played=(_folder() / f"{name}{JOURNAL}").is_file(),
        profile=str(data.get("profile") or ""),
    )


def game_of(document: Document) -> str:
    """The game a scenario is for; one that does not say is for the house rule set."""
    data = document.data
    named = data.get("game") if isinstance(data, dict) else None
    return str(named) if named else games.DEFAULT


# ---------------------------------------------------------------------------------------------- beginning


class BadChoice(ValueError):
    """A house rule or seat that the scenario does not have."""


class Begun(Struct, frozen=True):
    """What a scenario comes to before anything is written."""

    game: Game
    set_up: SetUp
    players: tuple[str, ...]


def read_scenario(document: Document) -> Begun:
    """Set a scenario up; every problem in it is told with its line."""
    game = games.game(game_of(document))
    set_up = game.set_up(document, ())
    return Begun(game, set_up, tuple(game.build(set_up.world).sequence.players))


def play_by(begun: Begun, house_rules: Mapping[str, str]) -> None:
    """Set the switches a group chose before the first entry, the order of phases among them."""
    world, state = begun.game.build(begun.set_up.world), begun.set_up.state
    chosen = []
    for key, option in house_rules.items():
        try:
            switch = find(begun.game.house_rules, key)
            chosen.append(SwitchSet(switch=switch.key, option=switch.option(option).name, because=switch.clause))
        except ValueError as error:
            raise BadChoice(str(error)) from None
    evolve(state, chosen)
    turn, side, phase = Turn(state.clock.turn), world.phasing(state), world.phase(state)
    evolve(state, (PhaseBegan(clock=world.sequence.at(turn, side, phase, world.order_of_phases(state))),))


def begin(
    path: Path | str,
    begun: Begun,
    *,
    seats: Iterable[str] = (),
    by_hand: bool = False,
    house_rules: Mapping[str, str] | None = None,
    seed: bytes | None = None,
) -> None:
    """Begin a campaign in a new file. `by_hand` leaves the dice to the table; no seed makes a secret one."""
    first = _first_entry(begun, seats, house_rules or {})
    create_campaign(path, **first, seed=b"" if by_hand else seed)


def begin_in(
    journal: Journal,
    begun: Begun,
    *,
    seed: bytes,
    seats: Iterable[str] = (),
    house_rules: Mapping[str, str] | None = None,
) -> None:
    """Begin a campaign in a journal, such as one in memory."""
    begin_campaign(journal, **_first_entry(begun, seats, house_rules or {}), seed=seed)


class First(TypedDict):
    """What a campaign's first entry says, its dice and the time left out."""

    game: str
    title: str
    ruleset: str
    world: bytes
    state: State
    seats: list[str]
    rulings: dict[str, str]


def _first_entry(begun: Begun, seats: Iterable[str], house_rules: Mapping[str, str]) -> First:
    taken = sorted(set(seats))
    for seat in taken:
        if seat not in begun.players:
            raise BadChoice(f"there is no side '{seat}'; its sides are {', '.join(begun.players)}")
    play_by(begun, house_rules)
    return First(
        game=begun.game.name,
        title=begun.set_up.title,
        ruleset=f"forcepool {__version__}, rulebook {load().version}",
        world=begun.set_up.world,
        state=begun.set_up.state,
        seats=taken,
        rulings={each.key: each.default for each in begun.game.switches},
    )
