"""Orders, what was refused of them, and the entries of the journal, in a player's words."""

from typing import Any

import msgspec

from forcepool.engine import codec
from forcepool.engine.command import Command, command_name
from forcepool.engine.dice import CAMPAIGN
from forcepool.engine.history import History
from forcepool.engine.journal import Entry, Message
from forcepool.engine.options import Choice
from forcepool.engine.points import show_amounts
from forcepool.engine.sentence import plain
from forcepool.engine.units import UnitSpec
from forcepool.engine.verdicts import No, Refusal
from forcepool.engine.wording import INDENT, counter_in_words, events_said, one_line, value_in_words
from forcepool.engine.world import World

LONGEST_ACT = 1000
"""Signs of a command that a line of the journal shows; one may paste a whole order of battle."""
OVERRULE = 'overrule with --override "why"'


def order_in_words(order: Command | bytes) -> str:
    """A command as one would type it, whether just given or read back from the journal."""
    fields = msgspec.json.decode(codec.encode(order) if isinstance(order, Command) else order)
    if not isinstance(fields, dict):
        return ""
    name = str(fields.pop("command", "?"))
    return one_line(" ".join([name, *(f"{field}={_typed(value)}" for field, value in fields.items())]))


def _typed(value: Any) -> str:
    if isinstance(value, dict):
        text = _counter_typed(value)
    elif isinstance(value, list):
        text = ",".join(map(str, value))
    else:
        text = value_in_words(value)
    return f'"{text}"' if not text or any(sign.isspace() for sign in text) else text


def _counter_typed(fields: dict[str, Any]) -> str:
    """A command that brings a counter along holds it field by field; a player writes '7-6 Inf XX (3-6)'."""
    try:
        return counter_in_words(msgspec.convert(fields, UnitSpec, dec_hook=codec.from_plain))
    except (msgspec.ValidationError, ValueError):
        return ", ".join(f"{name} {value}" for name, value in fields.items())


def numbers_in_words(numbers: list[int] | tuple[int, ...]) -> str:
    """'entry 4', 'entries 4 to 7', 'entries 4, 6 and 9'."""
    numbers = sorted(numbers)
    if len(numbers) == 1:
        return f"entry {numbers[0]}"
    if numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"entries {numbers[0]} to {numbers[-1]}"
    return f"entries {', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"


def act_in_words(entry: Entry) -> str:
    """What a seat did: the command as typed, or what it undid, brought back or asked for."""
    if entry.undo:
        return f"undo {numbers_in_words(entry.undo)}"
    if entry.redo:
        return f"redo {numbers_in_words(entry.redo)}"
    if entry.asks:
        return f"asks to undo {numbers_in_words(entry.asks)}"
    if entry.message:
        return message_in_words(entry.message)
    if desk := table_act_in_words(entry):
        return desk
    typed = order_in_words(entry.do if isinstance(entry.do, Command) else bytes(entry.do)) or "an order not shown"
    return typed if len(typed) <= LONGEST_ACT else f"{typed[:LONGEST_ACT]} …"


def message_in_words(message: Message) -> str:
    """'writes to Soviet: shall we undo that?', on one line."""
    return one_line(f"writes to {message.to or 'all'}{f': {message.text}' if message.text else ''}")


def table_act_in_words(entry: Entry) -> str:
    """What a seat did about the dice, or about an order that waits for others; nothing for what is no such act."""
    if entry.told:
        return f"opens the dice of {' and '.join(sorted(entry.told))}"
    if entry.seed or entry.promises:
        return f"promises a new part in the dice: {' and '.join(sorted(entry.promises)) or CAMPAIGN}"
    if entry.waits:
        return f"asks {' and '.join(entry.waits.seats)} to agree: {entry.waits.why}"
    if entry.agrees:
        return f"agrees to what entry {entry.agrees} asks"
    return f"declines what entry {entry.declines} asks" if entry.declines else ""


def entry_in_words(world: World, entry: Entry, history: History | None = None) -> list[str]:
    """An entry of the journal: number, moment, who and what on the first line, then what came of it."""
    return [plain(each) for each in entry_said(world, entry, history)]


def entry_said(world: World, entry: Entry, history: History | None = None) -> list[str]:
    """The same in sentences made of parts."""
    undone = " (undone)" if history is not None and entry.n in history.undone else ""
    who = f" {entry.seat}:" if entry.seat else ""
    moment = world.sequence.describe(world.calendar, entry.at)
    together = f" (given in one go from entry {entry.group} on)" if entry.group else ""
    lines = [f"{entry.n}  {moment}:{who} {act_in_words(entry)}{together}{undone}"]
    lines += [INDENT + each for each in events_said(world, entry.events)]
    if entry.allowed:
        lines.append(f"{INDENT}allowed by {', '.join(dict.fromkeys(entry.allowed))}")
    return lines


# ---------------------------------------------------------------------------------- refusals and choices


def command_in_words(command: Command) -> str:
    """'rebuild-cadre 24 Inf XX': the command and the unit it is about."""
    unit = getattr(command, "unit", "")
    return f"{command_name(command)} {unit}" if unit else order_in_words(command)


def reasons_in_words(reasons: tuple[No, ...]) -> list[str]:
    """Each reason behind its clause, the sentences in one column."""
    return [plain(each) for each in reasons_said(reasons)]


def reasons_said(reasons: tuple[No, ...]) -> list[str]:
    """The same in sentences made of parts."""
    width = max((len(reason.clause) for reason in reasons), default=0)
    return [f"{reason.clause:<{width}}{INDENT if width else ''}{_sentence(reason.whole)}" for reason in reasons]


def refusal_in_words(refusal: Refusal) -> list[str]:
    """What was refused, every reason with its clause and remedy, and how to overrule it."""
    lines = [f"refused: {command_in_words(refusal.command)}"]
    lines += [INDENT + line for line in reasons_in_words(refusal.reasons)]
    return lines if refusal.final else [*lines, INDENT + OVERRULE]


def choice_in_words(world: World, choice: Choice) -> list[str]:
    """One way to give a command: open with its cost and arrival, closed with every reason."""
    order = order_in_words(choice.command)
    if not choice.open:
        return [order, *(INDENT + line for line in reasons_in_words(choice.reasons))]
    parts = []
    if choice.cost:
        parts.append(f"costs {show_amounts(choice.cost)}")
    if choice.working:
        parts.append(f"({choice.working})")
    if choice.arrives:
        parts.append(f"arrives {world.turn_name(choice.arrives)}")
    if choice.die:
        parts.append(choice.die)
    lines = [order, INDENT + " ".join(parts)] if parts else [order]
    for each in choice.allowed:
        lines.append(f"{INDENT}{each.because}  allowed{f': {each.says}' if each.says else ''}")
    return lines


def _sentence(text: str) -> str:
    return text if text.endswith((".", "?", "!")) else f"{text}."
