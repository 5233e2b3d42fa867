"""A clause as plain text for a terminal without colour."""

from textwrap import TextWrapper

from forcepool.rulebook.clause import Clause, Ruling


def as_text(clause: Clause, width: int = 88) -> str:
    """The whole clause: id, title, statement, what it needs, examples and the ruling with its alternatives."""
    blocks = [
        _wrapped(f"{clause.id}  ", clause.title, width) + f"\n{_wrapped('', _line_of_facts(clause), width)}",
        _wrapped("  ", clause.statement, width),
    ]
    if clause.needs:
        blocks.append("\n".join(["Needs", *(_wrapped("  - ", need, width) for need in clause.needs)]))
    if clause.examples:
        lines = ["Examples"]
        for example in clause.examples:
            lines += [_wrapped("  given   ", example.given, width), _wrapped("  expect  ", example.expect, width)]
        blocks.append("\n".join(lines))
    if clause.ruling is not None:
        blocks.append(_ruling(clause.ruling, width))
    return "\n\n".join(blocks) + "\n"


def _line_of_facts(clause: Clause) -> str:
    who = "any player" if clause.who == "any" else clause.who
    phase = "any phase" if clause.phase == "any" else f"phase: {clause.phase}"
    return f"{clause.kind}; {who}; {phase}"


def _ruling(ruling: Ruling, width: int) -> str:
    lines = [
        "Ruling",
        _wrapped("  asked    ", ruling.question, width),
        _wrapped("  default  ", ruling.default, width),
    ]
    lines += [_wrapped("  or       ", other, width) for other in ruling.alternatives]
    return "\n".join(lines)


def _wrapped(label: str, text: str, width: int) -> str:
    """The text behind its label, following lines set in under the first; 7-6 and 52.A.9 are never broken."""
    wrapper = TextWrapper(
        width=max(width, len(label) + 20),
        initial_indent=label,
        subsequent_indent=" " * len(label),
        break_long_words=False,
        break_on_hyphens=False,
    )
    return wrapper.fill(text)
