"""Skirmish: the smallest game that forcepool can run. Units wait in camp, and supply brings them to the river."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from msgspec import Struct

from forcepool.engine import codec, desk
from forcepool.engine.calendar import Calendar, Sequence
from forcepool.engine.command import Command, Question
from forcepool.engine.events import Event, Moved, Transferred
from forcepool.engine.game import Game, Habit, SetUp
from forcepool.engine.ledger import SPENT
from forcepool.engine.places import Place, at_hex
from forcepool.engine.state import State, Unit
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.engine.world import World
from forcepool.files.yamltext import Document, Path
from forcepool.rulebook.book import bring
from forcepool.rulebook.clause import Clause
from forcepool.scenarios.given import given_type
from forcepool.scenarios.reading import Reader, Words

# ------------------------------------------------------------------------------------------------ the rulebook

bring(
    Clause(
        id="skirmish/1",
        title="A unit costs its strength",
        kind="formula",
        who="any player",
        phase="muster",
        statement="A unit is raised from camp for as many supply points as its strength.",
    ),
    Clause(
        id="skirmish/2",
        title="Units are raised in one's own turn",
        kind="timing",
        who="any player",
        phase="muster",
        statement="A player raises units only in the muster phase of his own turn.",
    ),
    Clause(
        id="skirmish/3",
        title="Supply comes every turn",
        kind="procedure",
        who="any player",
        phase="muster",
        statement="As a player's turn begins he receives one supply point.",
    ),
)

# ------------------------------------------------------------------------------------------------- the world

SUPPLY = "supply"
CAMP = Place("camp")
RIVER = at_hex("River")


class Setting(Struct, frozen=True):
    """What the journal keeps of a scenario: here only what a turn brings."""

    supply_a_turn: Fraction = Fraction(1)


class Skirmish(World):
    """Two sides at a river, a month a turn."""

    def __init__(self, setting: Setting) -> None:
        sequence = Sequence(players=("Red", "Blue"), phases=("muster",))
        super().__init__(GAME, Calendar(turns_per_month=1), sequence, {"Red": "Red", "Blue": "Blue"})
        self.setting = setting


# ------------------------------------------------------------------------------------ one command, two rules


@rule("skirmish/2")
def is_its_own_turn(q: Question) -> Verdict:
    """Units are raised in one's own turn."""
    side = q.unit.spec.nation
    if q.world.phasing(q.state) == side:
        return YES
    return no(f"it is not {side}'s turn", remedy="wait for it")


@rule("skirmish/1")
def can_pay(q: Question) -> Verdict:
    """A unit costs its strength."""
    have, need = q.state.balance(SUPPLY, q.unit.spec.nation, SUPPLY), q.unit.spec.full.points
    if have >= need:
        return YES
    return no(f"{q.unit.id} costs {need} supply", remedy="wait for more", have=have, need=need)


class Raise(Command, tag="raise", frozen=True):
    """Raise a unit from camp for as many supply points as its strength."""

    unit: str

    requires = (is_its_own_turn, can_pay)

    def effects(self, q: Question) -> Iterator[Event]:
        unit, cost = q.unit, q.unit.spec.full.points
        yield Transferred(amount=cost, kind=SUPPLY, nation=unit.spec.nation, frm=SUPPLY, to=SPENT, because="skirmish/1")
        yield Moved(unit=unit.id, frm=unit.place, to=RIVER, because="skirmish/1")

    @classmethod
    def offers(cls, world: World, state: State, unit: Unit) -> Iterator[Command]:
        if unit.place == CAMP:
            yield cls(unit=unit.id)


def supply_comes(world: Any, state: State) -> Iterator[Event]:
    """As a turn begins its player receives supply."""
    amount = world.setting.supply_a_turn
    side = world.phasing(state)
    yield Transferred(amount=amount, kind=SUPPLY, nation=side, frm="source/rear", to=SUPPLY, because="skirmish/3")


# ------------------------------------------------------------------------------------------------- the files


def set_up(document: Document, path: Path) -> SetUp:
    """From a scenario file, or the `given` of a case, to the beginning of a campaign."""
    given = given_type(GAME.facts, own=[("turn", str, "Jul 41")])
    return Reader(document, path, Words(GAME, given, setting=Setting())).read()


def build(data: bytes) -> Skirmish:
    """From what the journal keeps to the world."""
    setting: Any = codec.decoder(Setting).decode(data)
    return Skirmish(setting)


GAME = Game(
    name="skirmish",
    title="Skirmish, an example",
    commands=(Raise, *desk.COMMANDS),
    build=build,
    set_up=set_up,
    happens=(supply_comes,),
    points=(SUPPLY,),
    box_names={CAMP.kind: "camp"},
    habits={"raise": Habit(("muster",), 2, planned=True)},
)
