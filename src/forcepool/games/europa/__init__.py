"""The Europa series by a house rule set: rules 28, 49, 51 and 52."""

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from forcepool.engine.chapter import by_name, collected, parts
from forcepool.engine.game import Habit, SetUp
from forcepool.engine.sentence import the_entry
from forcepool.files.yamltext import Document, Path
from forcepool.games.europa.agenda import AGENDA
from forcepool.games.europa.air.orders import side_of_line
from forcepool.games.europa.beginning import begins_with
from forcepool.games.europa.chapter import EuropaGame
from forcepool.games.europa.chapters import CHAPTERS
from forcepool.games.europa.facts import FACTS
from forcepool.games.europa.given import HELPS, KEYS, given_type
from forcepool.games.europa.mapfacts.facts import MapFacts
from forcepool.games.europa.mapfacts.outline import outline
from forcepool.games.europa.mapfacts.traces import LINES, trace
from forcepool.games.europa.reinforcements.appearing import as_a_reinforcement
from forcepool.games.europa.reinforcements.entries import listed, side_of_key
from forcepool.games.europa.reinforcements.view import order_of_battle
from forcepool.games.europa.replacements.general.transfers import CARRIES
from forcepool.games.europa.replacements.special.loss_lines import read_losses
from forcepool.games.europa.replacements.special.losses import Lose
from forcepool.games.europa.tasks import TASKS
from forcepool.games.europa.world import EuropaWorld, read_setting

if TYPE_CHECKING:
    from forcepool.engine.lint import Finding
    from forcepool.engine.state import State
    from forcepool.engine.world import World
    from forcepool.games.europa.scenario import Words


def build(data: bytes) -> EuropaWorld:
    return EuropaWorld(GAME, read_setting(data), CHARTS)


def set_up(document: Document, path: Path) -> SetUp:
    # What reads scenarios and looks for faults in them is loaded when there is one: a campaign is opened more often.
    from forcepool.games.europa.scenario import Reader

    return Reader(document, path, words()).read()


@cache
def words() -> "Words":
    """The words a scenario of this game is written in."""
    from forcepool.games.europa.scenario import Words

    opening = (*collected(CHAPTERS, "opening"), begins_with(by_name(CHAPTERS, "stands")))
    return Words(GAME, given_type(GAME.facts, CHARTS), opening, charts=CHARTS, keys=KEYS, helps=HELPS)


def lint(world: "World", state: "State", document: Document) -> "Iterator[Finding]":
    """All that this game finds in a scenario that nobody could play."""
    from forcepool.games.europa.lint import LINT

    return (each for look in LINT for each in look(world, state, document))


CHARTS: dict[str, Any] = {name: type_ for chapter in CHAPTERS for name, type_ in chapter.charts.items()}
HABITS = {
    "replace": Habit(("replacement",), 4, planned=True),
    "rebuild-cadre": Habit(("replacement",), 4, planned=True),
    "rebuild-remnant": Habit(("replacement",), 2, planned=True),
    "place": Habit(("replacement",), 6),
    "lose": Habit(("combat",), 6, on_map=True),
    "leave-isolated-box": Habit(("replacement",), 2, planned=True),
    "recover": Habit(("replacement",), 1),
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
_COMMON = parts(CHAPTERS, FACTS)
_OF_PURCHASES: dict[str, Any] = {
    part: collected(CHAPTERS, part)
    for part in ("permits", "mixes", "fills", "prices", "times", "draws_on", "payers", "shares", "sites", "listed_for")
}
GAME = EuropaGame(
    name="europa",
    title="Europa",
    build=build,
    set_up=set_up,
    comes_about={verb: brings for chapter in CHAPTERS for verb, brings in chapter.comes_about.items()},
    duties={verb: duty for chapter in CHAPTERS for verb, duty in chapter.duties.items()},
    kept_pools=collected(CHAPTERS, "pools"),
    as_a_reinforcement=as_a_reinforcement,
    pastes=read_losses,
    carries=CARRIES,
    loses=Lose,
    with_map=MapFacts,
    traces=trace,
    lines=LINES,
    pages="forcepool.games.europa.pages",
    tasks=TASKS,
    draws=outline,
    lint=(lint,),
    words=words,
    views={"order-of-battle": order_of_battle, "order-of-battle-entries": listed},
    owners={"entry": side_of_key, "air-ob": side_of_line},
    subjects={"entry": lambda key: f"OB of {the_entry(key)}", "air-ob": lambda _: "Air OB", "air-pool": str},
    **_OF_PURCHASES,
    **_COMMON | {"habits": HABITS | _COMMON["habits"], "agenda": (*AGENDA, *_COMMON["agenda"])},
)
