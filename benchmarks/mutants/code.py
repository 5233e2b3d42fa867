"""Mistakes in the code of the rules: a comparison, a yes, an event or a requirement that is not what it should be."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.mutants import Mutant, numbered

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
}
LISTS_OF_RULES = ("requires", "needs", "guards", "permits", "happens", "ends", "also")
WORDING = ("says", "remedy", "text", "working")
UNRULED = ("decorator_list", "annotation", "returns", "args", "keywords")
"""Parts of a definition in which no rule stands."""


class Place(NamedTuple):
    """Where in a module a node stands."""

    where: str = ""
    scope: str = ""
    lines: range = range(0)
    in_function: bool = False


class Edit(NamedTuple):
    """One change to a tree: the slot a node stands in, and the node to put there."""

    where: str
    holder: Any
    slot: Any
    new: Any
    change: str
    lines: range

    def make(self) -> None:
        if isinstance(self.holder, list):
            self.holder[self.slot : self.slot + 1] = [] if self.new is None else [self.new]
        else:
            setattr(self.holder, self.slot, self.new)


def mutants(file: Path) -> list[Mutant]:
    """Every mutant of a module."""
    found = edits(ast.parse(file.read_text("utf-8")))
    return numbered(
        [Mutant(file, index, edit.where, edit.change, lines=edit.lines) for index, edit in enumerate(found)]
    )


def with_clauses(mutants: list[Mutant], modules: list[Path]) -> list[Mutant]:
    """Mutants with the clauses of the rules they name, be it the one they lie in or one that is forgotten."""
    known: dict[str, tuple[str, ...]] = {}
    for file in modules:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef):
                known[node.name] = known.get(node.name, ()) + tuple(_cited(node))

    def clauses(mutant: Mutant) -> tuple[str, ...]:
        names = dict.fromkeys(re.findall(r"\w+", f"{mutant.where} {mutant.change}"))
        return tuple(clause for name in names for clause in known.get(name, ()))

    return [mutant._replace(clauses=clauses(mutant)) for mutant in mutants]


def _cited(function: ast.FunctionDef) -> Iterator[str]:
    for decorator in function.decorator_list:
        for node in ast.walk(decorator):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


def mutated(mutant: Mutant) -> ast.Module:
    """The module with the mistake in it."""
    tree = ast.parse(mutant.file.read_text("utf-8"))
    list(edits(tree))[mutant.number].make()
    return ast.fix_missing_locations(tree)


def edits(tree: ast.Module) -> Iterator[Edit]:
    for index, node in enumerate(tree.body):
        yield from _visit(node, tree.body, index, Place())


def _visit(node: ast.AST, holder: Any, slot: Any, place: Place) -> Iterator[Edit]:
    if _is_left_alone(node):
        return
    if place.in_function:
        place = place._replace(lines=_lines(node) or place.lines)
    for new in _instead_of(node):
        yield Edit(place.where, holder, slot, new, _change(node, new), place.lines)
    yield from _dropped_rules(node, place)
    if isinstance(node, ast.FunctionDef):
        place = Place(f"{place.scope}{node.name}", f"{place.scope}{node.name}.<locals>.", in_function=True)
    elif isinstance(node, ast.ClassDef):
        place = Place(f"{place.scope}{node.name}", f"{place.scope}{node.name}.")
    for field, value in ast.iter_fields(node):
        if field in UNRULED and not isinstance(node, ast.Call):
            continue  # A call has args and keywords too, and those may be a rule's.
        if isinstance(value, list):
            for index, each in enumerate(value):
                if isinstance(each, ast.AST):
                    yield from _visit(each, value, index, place)
        elif isinstance(value, ast.AST):
            yield from _visit(value, node, field, place)


def _lines(node: ast.AST) -> range | None:
    """Of a statement; of one that holds others, those before the first it holds."""
    match node:
        case ast.match_case(pattern=pattern, body=[inner, *_]):
            return range(pattern.lineno, max(pattern.lineno + 1, inner.lineno))
        case ast.Match(subject=subject):
            return range(node.lineno, (subject.end_lineno or node.lineno) + 1)
        case ast.stmt() if held := getattr(node, "body", None):
            return range(node.lineno, max(node.lineno + 1, held[0].lineno))
        case ast.stmt():
            return range(node.lineno, (node.end_lineno or node.lineno) + 1)
    return None


def _is_left_alone(node: ast.AST) -> bool:
    """What is only wording, typing, a docstring or a bot's habit: no rule stands there."""
    match node:
        case (
            ast.JoinedStr() | ast.Assert() | ast.Import() | ast.ImportFrom() | ast.Subscript(value=ast.Name("Callable"))
        ):
            return True
        case ast.If(test=ast.Name("TYPE_CHECKING")) | ast.Expr(value=ast.Constant()):
            return True
        case ast.Expr(value=ast.YieldFrom(value=ast.Tuple(elts=[]))):
            return True  # It yields nothing, and is there only to make a generator.
        case ast.Call(func=ast.Name("no" | "BadCommand" | "Item" | "Fact" | "switch" | "Habit")):
            return True
        case ast.keyword(arg="strict", value=ast.Constant(True)):
            return True  # Two lists of one length: an assertion too.
        case ast.keyword(arg="maxsize"):
            return True  # How much a cache keeps is seen by the clock only.
        case ast.keyword(arg=name):
            return name in WORDING
        case ast.Assign(targets=[ast.Name(name)]):
            return name in WORDING
    return False


def _instead_of(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in COMPARISONS:
            yield ast.Compare(left, [COMPARISONS[type(op)]()], [right])
        case ast.BoolOp(op=op, values=values):
            yield ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS and not _is_text(left, right):
            yield ast.BinOp(left, OPERATORS[type(op)](), right)
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value + 1)
        case ast.Return(value=ast.Name("YES")):
            yield ast.Return(ast.parse("no('mutant')", mode="eval").body)
        case ast.Return(value=ast.Call(func=ast.Name("no"))):
            yield ast.Return(ast.Name("YES", ast.Load()))
        case ast.Expr(value=ast.Yield() | ast.YieldFrom()):
            yield ast.If(ast.Constant(False), [node], [])
        case ast.If(test=ast.Name() | ast.Attribute() | ast.Call() as test, body=body, orelse=orelse):
            yield ast.If(ast.UnaryOp(ast.Not(), test), body, orelse)


def _is_text(*operands: ast.expr) -> bool:
    """Words and lists are joined with +, never subtracted: such a mutant would only crash."""
    return any(
        isinstance(each, ast.JoinedStr | ast.Tuple | ast.List)
        or (isinstance(each, ast.Constant) and isinstance(each.value, str))
        or (isinstance(each, ast.Name) and each.id.isupper())
        for each in operands
    )


def _dropped_rules(node: ast.AST, place: Place) -> Iterator[Edit]:
    """A command or chapter that forgets one of its rules."""
    match node:
        case ast.Assign(targets=[ast.Name(name)], value=ast.Tuple() as value) if name in LISTS_OF_RULES:
            tuples = [value]
        case ast.keyword(arg=name, value=ast.Tuple() as value) if name in LISTS_OF_RULES:
            tuples = [value]
        case ast.keyword(arg=name, value=ast.Dict(values=values)) if name in LISTS_OF_RULES:
            tuples = [each for each in values if isinstance(each, ast.Tuple)]
        case _:
            return
    for each in tuples:
        for index, element in enumerate(each.elts):
            yield Edit(place.where, each.elts, index, None, f"{name}: {_words(element)} dropped", place.lines)


def _change(old: ast.AST, new: ast.AST) -> str:
    match new:
        case ast.If(test=ast.Constant(False)):
            return f"{_words(old)} dropped"
        case ast.If(test=test):
            return f"if {_words(test)}"
    return f"{_words(old)} → {_words(new)}"


def _words(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 90 else f"{text[:60]}…{text[-29:]}"
