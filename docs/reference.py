"""Pages written by the program itself, never behind it: commands, facts, numbers, house rules, coverage."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from forcepool import games
from forcepool.engine.game import Game
from forcepool.orderofbattle import notations
from forcepool.rulebook import coverage
from forcepool.rulebook.book import load
from forcepool.scenarios.profiles import chapters_of, general_of
from forcepool.views.facts import fact_lines
from forcepool.views.orders import command_data

FOLDER = Path(__file__).parent / "reference"


def write(app: Any = None) -> None:
    """Write every page anew."""
    FOLDER.mkdir(exist_ok=True)
    found = [games.game(name) for name in games.names()]
    for name, lines in (
        ("commands.md", _commands(found)),
        ("facts.md", _facts(found)),
        ("profile.md", _profile(found)),
        ("house-rules.md", _house_rules(found)),
        ("notations.md", _notations()),
        ("coverage.md", _coverage()),
    ):
        text = "\n".join(lines) + "\n"
        path = FOLDER / name
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")


def _commands(found: list[Game]) -> Iterator[str]:
    yield "# Commands\n\nEverything one can order with `forcepool do FILE COMMAND field=value …`.\n"
    for game in found:
        yield f"## {game.title}\n"
        for cls in game.commands:
            data = command_data(game, cls)
            yield f"### {data['command']}\n\n{_text(data.get('about') or data.get('help') or '')}\n"
            for field in data["fields"]:
                need = "" if field.get("required") else " (may be left out)"
                yield f"- **{field['name']}**{need}: {_text(field.get('help') or field.get('about') or '')}"
            yield ""


def _facts(found: list[Game]) -> Iterator[str]:
    yield "# Facts\n"
    yield "What players declare, what a scenario states and what a case may state or expect. In the terminal"
    yield "`forcepool facts supply` finds those that speak of supply, `--of unit` those of units.\n"
    yield "```"
    yield 'forcepool do FILE declare unit="24 Inf XX" fact=moved value=yes'
    yield "forcepool do FILE declare fact=owner about=Vyazma value=Axis"
    yield "```\n"
    yield "In a scenario or a case a fact is a word of the thing it is said of: `24 Inf XX: {supply: none}`.\n"
    for game in found:
        for kept, heading in ((False, "what players declare"), (True, "what the rules keep track of")):
            lines = [each for each in fact_lines(game) if each.declared is not kept]
            yield f"## {game.title}: {heading}\n"
            if kept:
                yield "A case may expect these of a unit, place, area or nation; nobody declares them.\n"
            yield "| fact | of | what | takes | if nothing is said | lasts |\n| --- | --- | --- | --- | --- | --- |"
            for line in lines:
                takes, of = ", ".join(line.values) or line.takes, ", ".join(line.of)
                said = (f"`{line.fact}`", of, line.about, takes, line.left_out, line.lasts and f"this {line.lasts}")
                yield f"| {' | '.join(map(_text, said))} |"
            yield ""


def _profile(found: list[Game]) -> Iterator[str]:
    yield "# Numbers, dates and charts\n"
    yield "Every rate, limit, delay and date that a [profile](../house-profile.md) or a"
    yield "[scenario](../scenarios.md) may give otherwise, with what it is in the game's own profile:"
    yield "`numbers: {replacement_time: 6}`, `dates: {soviet_options: Sep 1 43}`. The clause says what it is for.\n"
    book = load()
    for game in found:
        package = f"forcepool.games.{game.name}"
        documents: list[Any] = [general_of(package).data, *(each.data for each in chapters_of(package))]
        for section, value, noun in (("numbers", "value", "number"), ("dates", "turn", "date")):
            said = sorted((name, each) for data in documents for name, each in (data.get(section) or {}).items())
            if said:
                yield f"## {game.title}: {section}\n\n| {noun} | is | clause | its heading |\n| --- | --- | --- | --- |"
                for name, each in said:
                    title = book[each["clause"]].title
                    yield f"| `{name}` | {each[value]} | `{each['clause']}` | {_text(title)} |"
                yield ""
        charts = sorted((name, lines) for data in documents for name, lines in (data.get("charts") or {}).items())
        if charts:
            yield f"## {game.title}: charts\n\n| chart | lines | the first of them |\n| --- | --- | --- |"
            for name, lines in charts:
                first = lines[0] if isinstance(lines, list) else next(iter(lines.items()))
                yield f"| `{name}` | {len(lines)} | {_text(_flow(first))} |"
            yield ""


def _flow(line: Any) -> str:
    """A line of a chart as one writes it."""
    if isinstance(line, tuple):
        return f"{line[0]}: {_flow(line[1])}"
    if isinstance(line, dict):
        return "{" + ", ".join(f"{key}: {_flow(value)}" for key, value in line.items()) + "}"
    if isinstance(line, list):
        return "[" + ", ".join(map(_flow, line)) + "]"
    return str(line)


def _house_rules(found: list[Game]) -> Iterator[str]:
    yield "# House rules\n\nRulings a group may play its own way, each a switch; the default comes first.\n"
    for game in found:
        yield f"## {game.title}\n"
        for switch in game.switches:
            yield f"### {switch.key}\n\n{_text(switch.about)} (clause {switch.clause})\n"
            for option in switch.options:
                yield f"- **{option.name}**: {_text(option.text)}"
            yield ""


def _notations() -> Iterator[str]:
    yield "# Units as they are written\n"
    yield "How units are read, in an [order of battle](../order-of-battle.md), a scenario and the loss box:"
    yield "the notations of counters, booklets, scanners and hurried typists by example.\n"
    for group in notations.groups():
        yield f"## {group.title}\n\n{_text(group.about)}\n"
        yield "| written | printed | means | what is said of it |\n| --- | --- | --- | --- |"
        for each in group.examples:
            yield f"| `{each.text}` | `{each.printed}` | {_text(each.means)} | {_text(each.doubt)} |"
        yield ""


def _coverage() -> Iterator[str]:
    record, book = coverage.shipped(), load()
    found = coverage.summary(record)
    yield f"# Coverage\n\nOf {found.total} clauses {found.met} are met by code and {found.tested} are held by tests.\n"
    yield "| rule | clauses | met | tested |\n| --- | --- | --- | --- |"
    rules = Counter(clause.id.split("/")[0].split(".")[0] for clause in book)
    for rule in rules:
        ids = [clause.id for clause in book.heading(rule)]
        met = sum(each in record for each in ids)
        tested = sum(each in record and record[each].tested for each in ids)
        yield f"| {rule} | {len(ids)} | {met} | {tested} |"


def _text(words: str) -> str:
    return " ".join(words.split()).replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")


def setup(app: Any) -> dict[str, bool]:
    app.connect("builder-inited", write)
    return {"parallel_read_safe": True}
