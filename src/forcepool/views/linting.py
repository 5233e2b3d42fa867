"""A scenario looked through before anybody plays it: what its game finds, with the line it stands in."""

from collections.abc import Iterator

from msgspec import Struct

from forcepool.engine.lint import Finding
from forcepool.files.beside import is_named
from forcepool.files.problems import Position
from forcepool.files.yamltext import Document
from forcepool.views.scenarios import read_scenario


class Found(Struct, frozen=True, order=True):
    """One finding, with the file, line and column a player opens to mend it."""

    file: str
    line: int
    column: int
    text: str
    hint: str = ""
    clause: str = ""

    def __str__(self) -> str:
        clause = f"{self.clause}  " if self.clause else ""
        remedy = f" ({self.hint})" if self.hint else ""
        return f"{self.file}:{self.line}:{self.column}: {clause}{self.text}{remedy}"


def lint_scenario(document: Document) -> list[Found]:
    """Everything in a scenario that cannot be right, by file and line; BadFile if it cannot be read at all."""
    begun = read_scenario(document)
    document = begun.set_up.document or document
    world = begun.game.build(begun.set_up.world)
    return sorted(
        set(_all(document, (each for look in begun.game.lint for each in look(world, begun.set_up.state, document))))
    )


def _all(document: Document, findings: Iterator[Finding]) -> Iterator[Found]:
    for each in findings:
        at = _where(document, each)
        yield Found(at.file, at.line, at.column, each.text, each.hint, each.clause)


def _where(document: Document, finding: Finding) -> Position:
    """Where a finding stands: at its name, or at its line of a text that is written there or lies beside."""
    if not finding.line:
        return document.where_key(finding.path)
    value = document.value(finding.path)
    if isinstance(value, str) and is_named(value, ".ob", ".map"):
        return Position(value.strip(), finding.line, 1)
    at = document.where(finding.path)
    # A text written out begins on the line below the sign '|'.
    return Position(at.file, at.line + finding.line, 1)
