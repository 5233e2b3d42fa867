"""Decide: a command put to a state gives either events or a refusal. Pure; nothing is looked up outside."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from forcepool.engine import given
from forcepool.engine.command import BadCommand, Command, Question, carried_out
from forcepool.engine.dice import Roll
from forcepool.engine.events import Event, Overruled
from forcepool.engine.sentence import Told
from forcepool.engine.state import State
from forcepool.engine.verdicts import YES, No, Refusal, Rule, Yes
from forcepool.engine.world import World
from forcepool.rulebook import citations

REFEREE = "referee"
"""The seat that may give every side's commands."""


LONGEST_REASON = 1000
"""Letters of the note with which a refusal is set aside."""


class Decision(Struct, frozen=True):
    """A command that goes through, with what it does and the exceptions that let it."""

    command: Command
    events: list[Event]
    allowed: tuple[Yes, ...] = ()
    overruled: tuple[No, ...] = ()
    shares: dict[str, str] = {}
    """Everybody's share in its dice, where the program rolled them."""


def decide(
    world: World,
    state: State,
    command: Command,
    seat: str = "",
    dice: Sequence[Roll] = (),
    override: str = "",
) -> Decision | Refusal:
    """Judge one command. Raises BadCommand for nonsense and RollNeeded when a rule asks for a die not given."""
    if len(override) > LONGEST_REASON:
        raise BadCommand(f"the reason for overruling has at most {LONGEST_REASON} letters; say it shorter")
    try:
        if (meant := world.game.means.get(type(command))) is not None:
            given.check(world, state, command)
            command = meant(world, state, command)
        q = command.question(world, state, command, seat, dice)
        given.check(world, state, command)
        if seat and seat != REFEREE and (side := command.side(q)) and side != seat:
            raise BadCommand(f"{seat} may not give this command: it is {side}'s")
        return answer(command, q, command.needs, None, override)
    except BadCommand:
        raise
    except Told as error:
        # A name that nothing has, an amount that is none: whatever was read, wherever.
        raise BadCommand(error.sentence) from None


def answer(
    command: Command,
    q: Question,
    needs: Sequence[Rule[Any]],
    guards: Sequence[Rule[Any]] | None = None,
    override: str = "",
) -> Decision | Refusal:
    """Put the rules to a question: what the command needs, then what guards it, which is its own unless given."""
    allowed: list[Yes] = []
    if needs:
        refused = _judge(needs, q, allowed)
        if refused:
            return Refusal(command, tuple(refused), final=True)
    refused = _judge(command.guards(q) if guards is None else guards, q, allowed)
    if refused and not override:
        return Refusal(command, tuple(refused))
    events: list[Event] = []
    if refused:
        events.append(Overruled(clauses=[each.clause for each in refused], note=override))
    for event in carried_out(command, q):
        if q.rolled:
            events.extend(q.rolled)
            q.rolled = []
        events.append(event)
    if q.rolled:
        events.extend(q.rolled)
    if citations.observer is not None:
        for event in events:
            citations.heard(event.because, "event")
    return Decision(command, events, tuple(allowed), tuple(refused))


def permits(q: Question, needs: Sequence[Rule[Any]], guards: Sequence[Rule[Any]]) -> bool:
    """Whether no rule refuses, without working out what would happen then, or what would help."""
    return refuser(q, needs, guards) is None


def refuser(q: Question, needs: Sequence[Rule[Any]], guards: Sequence[Rule[Any]]) -> Rule[Any] | None:
    """The first rule that refuses; whoever listens hears what the others say as well."""
    q.asked_in_passing = True
    for rules in (needs, guards):
        refusing = (each for each in rules if _judge((each,), q, []))
        found = next(iter(list(refusing)) if citations.observer is not None else refusing, None)
        if found is not None:
            return found
    return None


def _judge(rules: Sequence[Rule[Question]], q: Question, allowed: list[Yes]) -> list[No]:
    refused: list[No] = []
    listening = citations.observer is not None
    for each in rules:
        verdict = each(q)
        if verdict is YES and not listening:
            continue
        if isinstance(verdict, No):
            verdict = _set_aside(q, verdict, each.clauses[0])
        if listening:
            _tell(each, verdict)
        if verdict is YES:
            continue
        if isinstance(verdict, Yes):
            allowed.append(verdict)
        else:
            refused.append(verdict if verdict.clause else replace(verdict, clause=each.clauses[0]))
    return refused


def _set_aside(q: Question, refused: No, clause: str) -> Yes | No:
    """The refusal, unless another heading grants what it refuses."""
    for waiver in q.world.game.waivers.get(refused.clause or clause, ()):
        verdict = waiver(q)
        if isinstance(verdict, Yes):
            return verdict
    return refused


def _tell(asked: Rule[Question], verdict: Yes | No) -> None:
    citations.heard(asked.clauses[0], "yes" if isinstance(verdict, Yes) else "no")
    if isinstance(verdict, Yes):
        citations.heard(verdict.because, "yes")
    else:
        citations.heard(" ".join(verdict.clauses), "no")
