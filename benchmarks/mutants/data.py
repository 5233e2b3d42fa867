"""Mistakes in the data of the rules: every rate, limit, delay, cost and date, too great and too small."""

import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import yaml
from benchmarks.mutants import Mutant, numbered

from forcepool.engine.calendar import Calendar, Turn

NUMBER = re.compile(r"\d+(?:/\d+)?")
STRENGTH = re.compile(r"(\d+)((?:-\d+)+\b.*)")
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
DATE = re.compile(rf"(?:{'|'.join(MONTHS)}) (\d )?\d\d")
NOT_NUMBERS = ("clause", "retraining", "defined", "placed_as", "words", "traits", "ceilings", "saving", "combined")
BY_THE_WEEK, BY_THE_MONTH = Calendar(turns_per_month=4), Calendar(turns_per_month=1)


def mutants(file: Path) -> list[Mutant]:
    """Two mutants a number: one too much, one too little."""
    found = enumerate(_changes(file.read_text("utf-8")))
    return numbered([Mutant(file, number, path, f"{old} → {new}", ids) for number, (path, old, new, ids, _) in found])


def mutated(mutant: Mutant) -> str:
    """The file's text with the mistake in it."""
    text = mutant.file.read_text("utf-8")
    _, old, new, _, start = list(_changes(text))[mutant.number]
    return text[:start] + new + text[start + len(old) :]


def _changes(text: str) -> Iterator[tuple[str, str, str, tuple[str, ...], int]]:
    for path, node, clauses in _scalars(yaml.compose(text, Loader=yaml.SafeLoader), (), ()):
        for new in _instead_of(node.value):
            yield ".".join(path), node.value, new, clauses, node.start_mark.index


def _scalars(
    node: yaml.Node | None, path: tuple[str, ...], clauses: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], yaml.ScalarNode, tuple[str, ...]]]:
    if isinstance(node, yaml.ScalarNode):
        yield path, node, clauses
    elif isinstance(node, yaml.SequenceNode):
        for index, each in enumerate(node.value):
            yield from _scalars(each, (*path, str(index)), clauses)
    elif isinstance(node, yaml.MappingNode):
        entries = {key.value: value for key, value in node.value}
        own = tuple(entries[word].value for word in ("clause", "retraining", "recipe_clause") if word in entries)
        for key, value in entries.items():
            if key not in NOT_NUMBERS:
                yield from _scalars(value, (*path, key), own or clauses)


def _instead_of(text: str) -> Iterator[str]:
    if NUMBER.fullmatch(text):
        value = Fraction(text)
        yield str(value + 1 if value.denominator == 1 else value * 2)
        yield str(value - 1 if value.denominator == 1 else value / 2)
    elif found := DATE.fullmatch(text):
        calendar = BY_THE_WEEK if found[1] else BY_THE_MONTH
        turn = calendar.parse(text).turn
        yield calendar.name(Turn(turn + 1))
        yield calendar.name(Turn(turn - 1))
    elif found := STRENGTH.fullmatch(text):
        yield f"{int(found[1]) + 1}{found[2]}"
