"""One campaign of a study, played from its seed: the same rows on any machine."""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from random import Random
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from forcepool.engine.branch import Branch
from forcepool.engine.dice import RollNeeded
from forcepool.engine.events import Became, Event, Moved, Transferred
from forcepool.engine.ledger import BORROWED, SINK, SOURCE, SPENT, is_pool
from forcepool.engine.sentence import Told
from forcepool.engine.standing import COMING, POOL
from forcepool.engine.state import State
from forcepool.engine.switches import find
from forcepool.engine.world import World
from forcepool.files import Document, read_yaml_file
from forcepool.files.yamltext import Plain
from forcepool.planner.deals import worth
from forcepool.planner.losses import Attrition, Loss, at_a_rate
from forcepool.planner.quiet import Step, play_on
from forcepool.study.design import Run, Setting
from forcepool.study.policies import acts_of, policy_named
from forcepool.views import scenarios
from forcepool.views.near import did_you_mean

MEASURES = ("strength", "full", "reduced", "off_map", "held", "received", "spent", "gone", "lost")
"""Of each side as a turn ends: strength on the map, units there at full strength and below it, units off the map,
points in hand; and of the turn: points received, spent and gone unspent, units lost to the model of losses."""


class Row(Struct, frozen=True):
    """A campaign as a turn of it ended."""

    run: str
    turn: str
    number: int
    sides: dict[str, dict[str, Fraction]]


class Moment(Struct, frozen=True):
    """A campaign of a study as one of its turns begins: with its world, all that decides how it goes on."""

    state: State
    chance: tuple[Any, ...]
    """How far the dice, the losses and the choice among orders are; a stream for each, since whoever decides
    otherwise in one must not shift the luck of the others."""
    coming: tuple[tuple[Loss, ...], ...]
    """Losses that were drawn for turns to come."""
    rows: tuple[Row, ...]


Passes = Callable[[Moment], None]
"""Who is told as a turn begins."""


def play(run: Run) -> list[Row]:
    """The turns of a run."""
    world, state = begun(run)
    return play_from(run, world, beginning(run, state))


def beginning(run: Run, state: State) -> Moment:
    """The first moment of a run."""
    chance = tuple(Random(f"{run.chance} {what}").getstate() for what in ("dice", "losses", "orders"))
    return Moment(state, chance, (), ())


def play_from(run: Run, world: World, moment: Moment, passes: Passes | None = None) -> list[Row]:
    """The turns of a run: those before a moment, and those played on from it."""
    dice, battle, choice = (_at(each) for each in moment.chance)

    def falls(need: RollNeeded) -> int:
        return dice.randint(1, need.sides)

    branch = Branch(world, moment.state, falls)
    losses = at_a_rate(world, {side: Fraction(rate) for side, rate in run.losses})
    attrition = Attrition(branch, losses, battle, moment.coming)
    meter, rows = Meter(branch), [replace(each, run=run.name) for each in moment.rows]
    first = int(branch.state.clock.turn) - len(rows)
    if passes is not None:
        passes(moment)
    meter.lost(attrition.strike())
    for step in play_on(branch, run.turns - len(rows), acts=acts_of(policy_named(run.policy), choice)):
        if not isinstance(step, Step):
            continue
        meter.take(step.events)
        now = int(branch.state.clock.turn)
        if now > step.at.turn:
            rows.append(Row(run.name, world.turn_name(step.at.turn), int(step.at.turn) - first + 1, meter.read()))
            if passes is not None:
                chance = tuple(each.getstate() for each in (dice, battle, choice))
                passes(Moment(branch.state.copy(), chance, tuple(attrition.coming), tuple(rows)))
        if branch.state.clock != step.at and now < first + run.turns:
            meter.lost(attrition.strike())
    return rows


def _at(chance: Any) -> Random:
    random = Random()
    random.setstate(chance)
    return random


class Meter:
    """Reads off a campaign what a study is about."""

    def __init__(self, branch: Branch) -> None:
        self.branch, self.world = branch, branch.world
        self._now: dict[str, dict[str, Fraction]] = {}
        self._begin()

    def _begin(self) -> None:
        self._now = {side: dict.fromkeys(MEASURES, Fraction(0)) for side in self.world.sequence.players}

    def _of(self, nation: str) -> dict[str, Fraction] | None:
        return self._now.get(self.world.side_now(self.branch.state, nation))

    def lost(self, steps: Iterator[Step]) -> None:
        """Losses of the model, as they fall."""
        for step in steps:
            self.take(step.events)
            moved = next((each for each in step.events if isinstance(each, Moved | Became)), None)
            unit = self.branch.state.units.get(moved.unit) if moved else None
            side = self.world.side_now(self.branch.state, unit.spec.nation) if unit else ""
            if side in self._now:
                self._now[side]["lost"] += 1

    def take(self, events: Iterable[Event]) -> None:
        """Points that came and went."""
        for event in events:
            if isinstance(event, Transferred) and (of := self._of(event.nation)) is not None:
                if event.frm.startswith(SOURCE) and self._counts(event.to):
                    of["received"] += event.amount
                elif event.to.startswith(SINK) and event.to != BORROWED and self._counts(event.frm):
                    of["spent" if event.to == SPENT else "gone"] += event.amount

    def _counts(self, pool: str) -> bool:
        return is_pool(pool) and self.world.standing(pool).what in (POOL, COMING)

    def read(self) -> dict[str, dict[str, Fraction]]:
        """Every measure of every side, and a new turn begun."""
        world, state, found = self.world, self.branch.state, self._now
        for unit in state.units.values():
            of = self._of(unit.spec.nation)
            if of is None:
                continue
            if unit.place.on_map:
                of["strength"] += worth(world, unit.spec, unit.step)
                of["full" if unit.step == unit.spec.steps[0] else "reduced"] += 1
            else:
                of["off_map"] += 1
        for account, amount in state.balances.items():
            of = self._of(account.nation)
            if of is not None and self._counts(account.pool):
                of["held"] += amount
        self._begin()
        return found


# ---------------------------------------------------------------------------------------------------- beginning


def check(run: Run) -> None:
    """Told where a ruling or a number of a combination does not exist, or there is no such policy or side."""
    game = _scenario(run.scenario, run.numbers).game
    for key, option in run.house_rules:
        try:
            find(game.house_rules, key).option(option)
        except ValueError as error:
            raise Told(f"house_rules: {error}") from None
    world = _world(run.scenario, run.numbers)
    for side, _rate in run.losses:
        if side not in world.sequence.players:
            raise Told(f"losses: there is no side '{side}'; {did_you_mean(side, world.sequence.players)}")
    policy_named(run.policy)


class Asked(Struct, frozen=True):
    """A ruling that a study tries, in words."""

    key: str
    clause: str
    about: str
    options: tuple[tuple[str, str], ...]
    """By name what each says; the first is what the others are compared with."""


def asked(scenario: str, house_rules: Iterable[tuple[str, tuple[str, ...]]]) -> tuple[Asked, ...]:
    """The rulings a study tries, as the scenario's game has them."""
    known = _scenario(scenario, ()).game.house_rules
    found = ((find(known, key), names) for key, names in house_rules)
    return tuple(
        Asked(ruling.key, ruling.clause, ruling.about, tuple((each, ruling.option(each).text) for each in names))
        for ruling, names in found
    )


@lru_cache(maxsize=4)
def _scenario(name: str, numbers: Setting) -> scenarios.Begun:
    """A scenario with numbers of the profile changed; read once for all who play it."""
    shipped = name in scenarios.scenario_names()
    document = scenarios.shipped_scenario(name) if shipped else read_yaml_file(name)
    if numbers and isinstance(document.data, dict):
        own = document.data.get("numbers")
        changed: dict[str, Plain] = {**(own if isinstance(own, dict) else {}), **dict(numbers)}
        document = Document(document.file, {**document.data, "numbers": changed}, document.marks)
    return scenarios.read_scenario(document)


@lru_cache(maxsize=4)
def _world(scenario: str, numbers: Setting) -> World:
    begun = _scenario(scenario, numbers)
    return begun.game.build(begun.set_up.world)


@lru_cache(maxsize=64)
def _first_state(scenario: str, house_rules: Setting, numbers: Setting) -> State:
    begun = _scenario(scenario, numbers)
    own = replace(begun, set_up=replace(begun.set_up, state=begun.set_up.state.copy()))
    scenarios.play_by(own, dict(house_rules))
    return own.set_up.state


def begun(run: Run) -> tuple[World, State]:
    """The world of a run, the same for all house rules, and its first moment; whoever plays has a copy of the state."""
    return _world(run.scenario, run.numbers), _first_state(run.scenario, run.house_rules, run.numbers)
