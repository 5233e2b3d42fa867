"""The Europa series by a house rule set: rules 28, 49, 51 and 52."""

from itertools import chain
from typing import Any

from msgspec.structs import replace

from forcepool.engine import desk
from forcepool.engine.facts import Fact
from forcepool.engine.world import Habit, SetUp
from forcepool.files.yamltext import Document, Path
from forcepool.games.europa.agenda import AGENDA
from forcepool.games.europa.air.orders import side_of_line
from forcepool.games.europa.beginning import begins_with
from forcepool.games.europa.chapter import EuropaGame
from forcepool.games.europa.chapters import CHAPTERS
from forcepool.games.europa.facts import FACTS
from forcepool.games.europa.given import given_type
from forcepool.games.europa.lint import LINT
from forcepool.games.europa.mapfacts.facts import MapFacts
from forcepool.games.europa.mapfacts.outline import outline
from forcepool.games.europa.mapfacts.traces import trace
from forcepool.games.europa.reinforcements.entries import listed, side_of_key
from forcepool.games.europa.reinforcements.view import order_of_battle
from forcepool.games.europa.replacements.loss_lines import read_losses
from forcepool.games.europa.scenario import Reader, Words
from forcepool.games.europa.world import EuropaWorld, read_setting


def _all(part: str) -> tuple[Any, ...]:
    return tuple(chain.from_iterable(getattr(chapter, part) for chapter in CHAPTERS))


def _by_command(part: str) -> dict[str, tuple[Any, ...]]:
    found: dict[str, tuple[Any, ...]] = {}
    for chapter in CHAPTERS:
        for name, added in getattr(chapter, part).items():
            found[name] = (*found.get(name, ()), *added)
    return found


def _facts() -> tuple[Fact, ...]:
    """Every chapter's facts, each with the rules of whichever chapter may forbid it."""
    facts = (*FACTS, *_all("facts"))
    guards = {
        fact.name: tuple(chain.from_iterable(chapter.forbids.get(fact.name, ()) for chapter in CHAPTERS))
        for fact in facts
    }
    return tuple(replace(fact, requires=(*fact.requires, *guards[fact.name])) for fact in facts)


def build(data: bytes) -> EuropaWorld:
    return EuropaWorld(GAME, read_setting(data), CHARTS)


def set_up(document: Document, path: Path) -> SetUp:
    return Reader(document, path, WORDS).read()


CHARTS: dict[str, Any] = {name: type_ for chapter in CHAPTERS for name, type_ in chapter.charts.items()}
HABITS = {
    "replace": Habit(("replacement",), 4),
    "rebuild-cadre": Habit(("replacement",), 4),
    "rebuild-remnant": Habit(("replacement",), 2),
    "place": Habit(("replacement",), 6),
    "lose": Habit(("combat",), 6, on_map=True),
    "leave-isolated-box": Habit(("replacement",), 2),
    "recover": Habit(("replacement",), 1),
    "scrap": Habit(("replacement",), 1),
    "disrupt": Habit(("combat",), 1, on_map=True),
    "enter-reserve": Habit(("reinforcement",), 3),
    "leave-reserve": Habit(("reinforcement",), 2),
    "enter-strategic-reserve": Habit(("reinforcement",), 1),
    "leave-strategic-reserve": Habit(("reinforcement",), 1),
    "release-from-garrison": Habit(("reinforcement",), 1),
    "mark-reserve": Habit(("reinforcement",), 1),
    "regroup-air": Habit(("reinforcement",), 1),
    "place-air": Habit(("reinforcement",), 4),
    "repair-air": Habit(("replacement",), 3),
    "replace-air": Habit(("replacement",), 2),
    "raise-air-status": Habit(("movement", "exploitation"), 2),
    "settle-air-result": Habit(("combat",), 3, on_map=True),
}
GAME = EuropaGame(
    name="europa",
    title="Europa",
    commands=(*_all("commands"), *desk.COMMANDS),
    build=build,
    set_up=set_up,
    guards=_by_command("guards"),
    permits=_all("permits"),
    mixes=_all("mixes"),
    fills=_all("fills"),
    prices=_all("prices"),
    times=_all("times"),
    also=_by_command("also"),
    waivers=_by_command("waivers"),
    declared=_by_command("declared"),
    draws_on=_all("draws_on"),
    payers=_all("payers"),
    shares=_all("shares"),
    kept_pools=_all("pools"),
    sites=_all("sites"),
    switches=_all("switches"),
    facts=_facts(),
    happens=_all("happens"),
    ends=_all("ends"),
    agenda=(*AGENDA, *_all("agenda")),
    pastes=read_losses,
    shows=_all("shows"),
    points=_all("points"),
    with_map=MapFacts,
    traces=trace,
    draws=outline,
    habits=HABITS,
    lint=LINT,
    views={"order-of-battle": order_of_battle, "order-of-battle-entries": listed},
    box_names={kind: words for chapter in CHAPTERS for kind, words in chapter.boxes.items()},
    owners={"entry": side_of_key, "air-ob": side_of_line},
)
WORDS = Words(
    GAME, given_type(GAME.facts, CHARTS), GAME.facts, CHARTS, (*_all("opening"), begins_with(_by_command("stands")))
)
