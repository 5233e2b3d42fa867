"""The rulebook at hand: a clause in full, a heading's clauses, or those that speak of some words."""

import re
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

import click

from forcepool.cli import screen
from forcepool.cli.problems import Failed
from forcepool.cli.table import json_option

if TYPE_CHECKING:
    from forcepool.rulebook.book import Rulebook
    from forcepool.rulebook.clause import Clause

LOOKS_LIKE_AN_ID = re.compile(r"(?:[0-9]+(?:\.[0-9A-Za-z]+)*|EF(?:\.[a-z]+)?)(?:/[0-9]*)?", re.IGNORECASE)
MOST_FOUND = 40
WIDTH = 88


@click.command("rules")
@click.argument("words", nargs=-1)
@click.option("--coverage", is_flag=True, help="How many clauses are met by code and held by tests.")
@click.option("--code", is_flag=True, help="The functions that meet a clause, or a heading's clauses, and their tests.")
@click.option("--all", "everything", is_flag=True, help="Every clause found, however many.")
@json_option
def rules_command(words: tuple[str, ...], coverage: bool, code: bool, everything: bool, as_json: bool) -> None:
    """Look up the rules: a clause by its id, a heading's clauses, or the clauses that speak of some words.

    \b
    Examples:
      forcepool rules 52.A.9.d/2
      forcepool rules 52.A.9
      forcepool rules cadre isolated
      forcepool rules 52.A.9.d/2 --code
      forcepool rules --coverage
    """
    if coverage:
        _coverage(as_json, everything)
        return
    # Without the package's own door: it opens on more than one clause needs.
    from forcepool.rulebook.book import load

    book = load()
    if code:
        _code(book, words, as_json)
    elif not words:
        _headings(book, as_json)
    elif len(words) == 1 and (words[0] in book or LOOKS_LIKE_AN_ID.fullmatch(words[0])):
        _by_id(book, words[0], as_json, everything)
    else:
        found = book.find(" ".join(words))
        if not found:
            raise Failed(f"no clause holds all of '{' '.join(words)}'; try fewer or other words")
        _list(found, as_json, everything)


def _by_id(book: "Rulebook", text: str, as_json: bool, everything: bool) -> None:
    under = book.heading(text)
    if text not in book and under:
        _list(under, as_json, everything=True)
        return
    clause = book[text]
    if as_json:
        screen.print_json(_data(clause))
        return
    from forcepool.rulebook.text import as_text

    width = min(WIDTH, get_terminal_size((WIDTH, 24)).columns) if screen.on_terminal() else WIDTH
    first, newline, rest = as_text(clause, width).partition("\n")
    screen.say(screen.strong(first) + newline + rest.rstrip("\n"))


def _code(book: "Rulebook", words: tuple[str, ...], as_json: bool) -> None:
    from forcepool.rulebook.written import written

    if len(words) != 1:
        raise Failed("--code is asked of one clause or heading; write for example 'forcepool rules 52.A.9.d/2 --code'")
    under = book.heading(words[0]) if words[0] not in book else ()
    found = [written(clause.id) for clause in under or (book[words[0]],)]
    if as_json:
        screen.print_json(found)
        return
    for each in found:
        screen.say(f"{screen.strong(each.clause)}  {book[each.clause].title}")
        for text in (*each.functions, *(f"case {name}" for name in each.cases), *each.tests):
            screen.say(f"  {text}")


def _data(clause: "Clause") -> dict[str, Any]:
    return {
        "id": clause.id,
        "title": clause.title,
        "kind": clause.kind,
        "who": clause.who,
        "phase": clause.phase,
        "statement": clause.statement,
        "needs": clause.needs,
        "examples": clause.examples,
        "ruling": clause.ruling,
    }


def _list(clauses: tuple["Clause", ...], as_json: bool, everything: bool) -> None:
    shown = clauses if everything or as_json else clauses[:MOST_FOUND]
    if as_json:
        screen.print_json([{"id": clause.id, "title": clause.title} for clause in shown])
        return
    width = max(len(clause.id) for clause in shown)
    for clause in shown:
        screen.say(f"{screen.strong(f'{clause.id:<{width}}')}  {clause.title}")
    if len(shown) < len(clauses):
        screen.say(f"… and {len(clauses) - len(shown)} more: --all lists them")


def _headings(book: "Rulebook", as_json: bool) -> None:
    counted = {name: len(book.heading(name)) for name in book.headings() if name.count(".") < 2}
    if as_json:
        screen.print_json([{"heading": name, "clauses": count} for name, count in counted.items()])
        return
    screen.say(f"{len(book)} clauses; 'forcepool rules HEADING' lists those under one.")
    for name, count in counted.items():
        screen.say(f"{'  ' * name.count('.')}{name}  {count} clause{'s' if count != 1 else ''}")


def _coverage(as_json: bool, everything: bool) -> None:
    from forcepool.rulebook.coverage import shipped, summary

    figures = summary(shipped())
    if as_json:
        screen.print_json(figures)
        return
    screen.say(f"{figures.total} clauses: {figures.met} met by code, {figures.tested} held by tests")
    if figures.missing:
        shown = figures.missing if everything else figures.missing[:MOST_FOUND]
        screen.say(
            f"{len(figures.missing)} missing: {' '.join(shown)}{'' if len(shown) == len(figures.missing) else ' …'}"
        )
