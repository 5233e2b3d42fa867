"""What can be done with a unit: open options with cost and arrival, closed ones with every reason."""

from collections.abc import Container, Iterator, Mapping
from fractions import Fraction

from msgspec import Struct

from forcepool.engine.alike import Kind, bill_for_all, kind_of, permission, rules_for_each
from forcepool.engine.answers import watched
from forcepool.engine.bill import Bill, arrival_of, bill_of, cost_of
from forcepool.engine.command import Command, command_name
from forcepool.engine.decide import Decision, answer, decide, permits, refuser
from forcepool.engine.dice import RollNeeded
from forcepool.engine.events import Event, Transferred
from forcepool.engine.facts import Facts
from forcepool.engine.ledger import SOURCE, is_pool
from forcepool.engine.points import show_amounts
from forcepool.engine.sentence import Told
from forcepool.engine.standing import POOL
from forcepool.engine.state import State, Unit
from forcepool.engine.verdicts import No, Refusal, Yes
from forcepool.engine.world import World


class Choice(Struct, frozen=True):
    """One way to give one command for a unit."""

    command: Command
    reasons: tuple[No, ...] = ()
    cost: Mapping[str, Fraction] = {}
    working: str = ""
    arrives: int = 0
    """The turn the unit arrives, when the command puts it on a track."""
    allowed: tuple[Yes, ...] = ()
    die: str = ""
    """The die that decides, for commands of chance."""
    final: bool = False

    @property
    def open(self) -> bool:
        return not self.reasons


def options(
    world: World, state: State, unit: Unit, names: Container[str] | None = None, *, only_open: bool = False
) -> list[Choice]:
    """All that could be done with the unit, or with some commands only: open options first, then by command.

    Who wants the open ones only need not wait until it is worked out what would help with the others.
    """
    state = watched(world, state)
    if names is None and not only_open:
        return list(world.facts(state).ask(_all_options, unit.id))
    listed = offered(world, state, unit, names)
    choices = [choice(world, state, each) for each in listed if not only_open or would_pass(world, state, each)]
    return sorted(choices, key=lambda each: not each.open)


def offered(world: World, state: State, unit: Unit, names: Container[str] | None = None) -> list[Command]:
    """The commands that come into question for a unit, whether a rule refuses them or not."""
    state = watched(world, state)
    wanted = (cls for cls in world.offering if names is None or command_name(cls) in names)
    return [each for cls in wanted for each in cls.offers(world, state, unit)]


def _all_options(world: World, facts: Facts, unit_id: str) -> tuple[Choice, ...]:
    state = facts.state
    unit = state.units[unit_id]
    choices = [choice(world, state, each) for each in offered(world, state, unit)]
    return tuple(sorted(choices, key=lambda each: not each.open))


def options_of_side(world: World, state: State, side: str, names: Container[str] | None = None) -> list[Choice]:
    """All that a side could do beside the orders about one unit: points moved, pools formed; open options first."""
    facts = world.facts(watched(world, state))
    wanted = (cls for cls in world.offering_sides if names is None or command_name(cls) in names)
    choices = [each for cls in wanted for each in facts.ask(_of_side, cls, side)]
    return sorted(choices, key=lambda each: not each.open)


def _of_side(world: World, facts: Facts, cls: type[Command], side: str) -> tuple[Choice, ...]:
    return tuple(choice(world, facts.state, each) for each in cls.offers_to_side(world, facts.state, side))


def would_pass(world: World, state: State, command: Command) -> bool:
    """Whether a command would go through now, or goes to the dice."""
    try:
        if _is_open(world, state, command, kind_of(world, state, command, in_passing=True)) is False:
            return False
        return isinstance(judged(world, state, command), Decision)
    except RollNeeded:
        return True
    except Told:
        return False


def passed(world: World, state: State, command: Command) -> Decision | None:
    """What would come of a command that goes through now; None of one that does not, or goes to the dice."""
    try:
        kind = kind_of(world, state, command, in_passing=True)
        may = _is_open(world, state, command, kind)
        if may is False:
            return None
        if may and kind is not None:
            # No rule refuses it, so what it does is all there is to learn.
            outcome = answer(command, kind.question(world, state, command), (), ())
        else:
            outcome = judged(world, state, command)
    except (RollNeeded, Told):
        return None
    return outcome if isinstance(outcome, Decision) else None


def judged(world: World, state: State, command: Command) -> Decision | Refusal:
    """What would come of a command, by what is known of it for all units of the kind."""
    kind = kind_of(world, state, command)
    rules = world.facts(state).ask(rules_for_each, kind) if kind is not None else None
    if kind is None or rules is None:
        return decide(world, state, command)
    return answer(command, kind.question(world, state, command), *rules)


def foreseen(world: World, state: State, command: Command) -> Bill | None:
    """What a command would cost if it goes through; None if it does not."""
    kind = kind_of(world, state, command, in_passing=True)
    may = _is_open(world, state, command, kind)
    if may is False:
        return None
    facts = world.facts(state)
    if kind is None:
        return _bill(world, facts, command)
    bill: Bill | None = facts.ask(bill_for_all, kind) if may else None
    # Whoever lists what is open looks for its price again to show it.
    return facts.ask(_bill, command) if bill is None else bill


def _bill(world: World, facts: Facts, command: Command) -> Bill | None:
    outcome = judged(world, facts.state, command)
    return bill_of(outcome.events) if isinstance(outcome, Decision) else None


def _is_open(world: World, state: State, command: Command, kind: Kind | None) -> bool | None:
    """Whether no rule refuses a command, by what is known of the kind of unit; None where nothing is."""
    if kind is None:
        return None
    facts = world.facts(state)
    if not facts.has_answered(permission, kind) and _is_turned_away(facts, command, kind):
        return False
    may = facts.ask(permission, kind)
    if may is None:
        return None
    if may.refused or may.for_all:
        return not may.refused
    found = refuser(kind.question(world, state, command), may.needs, may.guards)
    if found is not None:
        facts.turned_away[type(command)] = found
    return found is None


def _is_turned_away(facts: Facts, command: Command, kind: Kind) -> bool:
    """Whether what has just refused a unit one way to give an order refuses it the next: nobody asks the kind then."""
    likely = facts.turned_away.get(type(command))
    if likely is None:
        return False
    q = kind.question(facts.world, facts.state, command)
    return (likely in command.needs or likely in command.guards(q)) and not permits(q, (likely,), ())


def choice(world: World, state: State, command: Command) -> Choice:
    """One command judged without giving it."""
    try:
        outcome = judged(world, state, command)
    except RollNeeded as need:
        return Choice(command, die=str(need))
    except Told as error:
        return Choice(command, reasons=(No(error.sentence),), final=True)
    if not isinstance(outcome, Decision):
        return Choice(command, outcome.reasons, final=outcome.final)
    return Choice(
        command,
        cost=cost_of(outcome.events),
        working="; ".join(_working(world, outcome.events)),
        arrives=arrival_of(outcome.events),
        allowed=tuple(dict.fromkeys(outcome.allowed)),
    )


def _working(world: World, events: list[Event]) -> Iterator[str]:
    """What the points come to and how: what a pool would gain, then the working of each transfer, once."""
    moved = [event for event in events if isinstance(event, Transferred)]
    gained: dict[str, Fraction] = {}
    for event in moved:
        if event.frm.startswith(SOURCE) and is_pool(event.to) and world.standing(event.to).what == POOL:
            gained[event.kind] = gained.get(event.kind, Fraction(0)) + event.amount
    if gained:
        yield f"brings {show_amounts(gained)}"
    yield from dict.fromkeys(event.says for event in moved if event.says)
