"""Pages written by the program itself, so that they are never behind it: commands, facts, house rules, coverage."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from forcepool import games
from forcepool.engine.world import Game
from forcepool.rulebook import coverage
from forcepool.rulebook.book import load
from forcepool.views.orders import command_data

FOLDER = Path(__file__).parent / "reference"


def write(app: Any = None) -> None:
    """Write every page anew."""
    FOLDER.mkdir(exist_ok=True)
    found = [games.game(name) for name in games.names()]
    for name, lines in (
        ("commands.md", _commands(found)),
        ("facts.md", _facts(found)),
        ("house-rules.md", _house_rules(found)),
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
    yield "# Facts\n\nWhat players declare with `forcepool do FILE declare fact=… value=…`, and what cases may state.\n"
    for game in found:
        yield f"## {game.title}\n\n| fact | of | what | values |\n| --- | --- | --- | --- |"
        for fact in sorted(game.facts, key=lambda each: each.name):
            if fact.by_hand:
                values = ", ".join(fact.values) or fact.takes
                yield f"| `{fact.name}` | {', '.join(fact.on)} | {_text(fact.about)} | {_text(values)} |"
        yield ""


def _house_rules(found: list[Game]) -> Iterator[str]:
    yield "# House rules\n\nRulings a group may play its own way, each a switch; the default comes first.\n"
    for game in found:
        yield f"## {game.title}\n"
        for switch in game.switches:
            yield f"### {switch.key}\n\n{_text(switch.about)} (clause {switch.clause})\n"
            for option in switch.options:
                yield f"- **{option.name}**: {_text(option.text)}"
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
