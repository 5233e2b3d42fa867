"""52.A.9.b, 52.A.4 and 52.F  Losses: how a unit gets into the boxes, and what a relieved pocket brings back."""

from collections.abc import Iterator
from typing import Any

from forcepool.engine.command import BadCommand, Command, Question, lazy
from forcepool.engine.events import Became, Event, Moved, Transferred
from forcepool.engine.places import HEX, Place
from forcepool.engine.state import State, Unit
from forcepool.engine.units import CADRE, REMNANT, STEPS
from forcepool.engine.verdicts import YES, Verdict, no, rule, yes
from forcepool.engine.world import World
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import SUPPLY_ISOLATED, EuropaFacts
from forcepool.games.europa.world import ELIMINATED, ISOLATED, LOCAL, NATIONAL, EuropaWorld


class Losing(Question):
    """A unit on the map about to be lost."""

    world: EuropaWorld
    command: "Lose"

    @lazy
    def facts(self) -> EuropaFacts:
        return self.world.facts(self.state)

    @lazy
    def isolated(self) -> str:
        """How it was isolated when lost: as said with the loss, else as declared before."""
        return self.command.isolated or self.facts.isolated(self.unit)

    @lazy
    def area(self) -> str:
        """The MD or front whose box takes it: as said, else where its hex lies."""
        named = self.command.front
        if named:
            return self.world.pool_named(named)
        return self.world.spot(self.unit.place.of).area


@rule("52.A.9/2")
def can_lose_a_step(q: Losing) -> Verdict:
    """A unit on the map goes down to a step below the one it stands at, or is eliminated."""
    unit, goal = q.unit, q.command.to
    if unit.place.kind != HEX:
        return no(f"{unit.id} is not on the map but in the {q.world.show_place(unit.place)}")
    if goal == "eliminated":
        return YES
    if goal not in STEPS or not unit.spec.has(goal):
        return no(f"{unit.id} has no {goal} strength", remedy="to= is eliminated, cadre or remnant")
    if STEPS.index(goal) <= STEPS.index(unit.step):
        return no(f"{unit.id} already stands at {unit.step} strength")
    return YES


@rule("52.A.9.b/2", "52.A.4/1")
def a_box_takes_it(q: Losing) -> Verdict:
    """An eliminated unit goes to its MD's ELIMINATED BOX, a supply isolated one to the national ISOLATED BOX."""
    if q.command.to != "eliminated" or q.isolated == SUPPLY_ISOLATED:
        return yes("52.A.4/1") if q.isolated == SUPPLY_ISOLATED else YES
    if q.area:
        return YES
    return no(f"the scenario does not say which MD or front {q.unit.place.of} belongs to", remedy="name it with front=")


class Lose(Command, tag="lose", frozen=True):
    """Take a loss: a unit is eliminated, or goes down to cadre or remnant."""

    unit: str
    to: str = "eliminated"
    """eliminated, cadre or remnant."""
    isolated: str = ""
    """no, combat or supply; left out, as declared for the unit."""
    front: str = ""
    """The MD or front that takes the loss; left out, where its hex lies."""

    question = Losing
    needs = (can_lose_a_step, a_box_takes_it)

    def effects(self, q: Losing) -> Iterator[Event]:
        unit = q.unit
        if self.isolated not in ("", "no", "combat", "supply"):
            raise BadCommand(f"isolated= is no, combat or supply, not '{self.isolated}'")
        if self.to != "eliminated":
            yield Became(unit=unit.id, was=unit.step, step=self.to, because="52.A.9/2")
            return
        if unit.step == REMNANT:
            yield Became(
                unit=unit.id, was=REMNANT, step=CADRE, because="52.A.9.b/2", says="its cadre counter takes its place"
            )
        if q.isolated == SUPPLY_ISOLATED:
            to, why = Place(ISOLATED, NATIONAL + unit.spec.nation), "52.A.4/1"
        else:
            to, why = Place(ELIMINATED, q.area), "52.A.9.b/2" if unit.step == REMNANT else ""
        yield Moved(unit=unit.id, frm=unit.place, to=to, because=why)

    @classmethod
    def offers(cls, world: World, state: State, unit: Unit) -> Iterator[Command]:
        if unit.place.kind == HEX:
            yield cls(unit=unit.id)
            for step in STEPS[STEPS.index(unit.step) + 1 :]:
                if unit.spec.has(step):
                    yield cls(unit=unit.id, to=step)


class JoinLocalPool(Command, tag="join-local-pool", frozen=True):
    """A pocket is relieved: what its local pool holds joins the front's pool."""

    pool: str
    into: str

    def effects(self, q: Any) -> Iterator[Event]:
        pool, into = q.world.pool_named(self.pool), q.world.pool_named(self.into)
        if not pool.startswith(LOCAL):
            raise BadCommand(f"{pool} is not a local pool; those are called local/ and the name of the pocket")
        held = [(account, balance) for account, balance in sorted(q.state.balances.items()) if account.pool == pool]
        if not any(balance for _, balance in held):
            raise BadCommand(f"{pool} holds nothing that could join {into}; 'forcepool ledger' shows what each pool holds")
        for account, balance in held:
            if balance:
                yield Transferred(
                    amount=balance,
                    kind=account.kind,
                    nation=account.nation,
                    frm=pool,
                    to=into,
                    because="52.A.9.c/8",
                    says="the pocket is relieved",
                )


CHAPTER = Chapter(heading="52.A.9.b", commands=(Lose, JoinLocalPool))
