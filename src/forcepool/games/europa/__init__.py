"""The Europa series by a house rule set: rules 28, 49, 51 and 52."""

from msgspec.structs import replace

from forcepool.engine import desk
from forcepool.engine.world import Game, SetUp
from forcepool.files.yamltext import Document, Path
from forcepool.games.europa.agenda import AGENDA
from forcepool.games.europa.facts import FACTS
from forcepool.games.europa.replacements.cadres import FORBIDDEN_ONCE_REBUILT, RebuildCadre, RebuildRemnant
from forcepool.games.europa.replacements.eliminated import JoinLocalPool, Lose, Replace
from forcepool.games.europa.scenario import Reader
from forcepool.games.europa.switches import SWITCHES
from forcepool.games.europa.world import ELIMINATED, FORMING, ISOLATED, EuropaWorld, read_setting


def build(data: bytes) -> EuropaWorld:
    return EuropaWorld(GAME, read_setting(data))


def set_up(document: Document, path: Path) -> SetUp:
    return Reader(document, path).read(GAME)


GAME = Game(
    name="europa",
    title="Europa, house rules",
    commands=(Replace, RebuildCadre, RebuildRemnant, Lose, JoinLocalPool, *desk.COMMANDS),
    build=build,
    set_up=set_up,
    switches=SWITCHES,
    facts=tuple(replace(fact, requires=FORBIDDEN_ONCE_REBUILT.get(fact.name, ())) for fact in FACTS),
    agenda=AGENDA,
    box_names={
        ELIMINATED: "ELIMINATED BOX",
        ISOLATED: "ELIMINATED ISOLATED BOX",
        "track": "turn track",
        FORMING: "PARTISAN/FORMING TRACK",
    },
)
