"""The match file: which counter is which unit, what shows its step, which part of a map is which place.

It lies beside the campaign, people edit and keep it, and forcepool only ever adds lines to it.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from forcepool.engine.sentence import Told, plain
from forcepool.engine.state import State
from forcepool.engine.world import World, find_unit
from forcepool.files.disk import whole_text
from forcepool.files.problems import BadFile, Problem
from forcepool.files.shape import shape
from forcepool.files.yamltext import Document, read_yaml, read_yaml_file
from forcepool.vassal.campaign.places import Laid, read_place

ENDING = ".vassal.yaml"
NOBODY, OPEN, AS = "-", "?", " as "
BY_STRENGTH = "strength"
SECTIONS = ("counters", "steps", "places")
HEAD = """\
# Which counter of the VASSAL module is which unit of the campaign. Edit it as you like: forcepool only adds lines.
#   "-"  it is none, and is passed over        "? …"  nobody has decided yet; write the name instead
# counters: a unit's name; 'UNIT as cadre' where a counter of its own stands for a step
# steps:    what a layer shows, and the step that is: full, cadre, remnant, or 'strength' where it shows strengths
# places:   a place or a box as forcepool calls it; 'waiting' for a track or a box of units that are to come;
#           'lost' for a pile of the dead, and how: 'lost isolated=supply'
"""


class Match(Struct, frozen=True, forbid_unknown_fields=True):
    """As it is written."""

    module: str = ""
    counters: dict[str, str] = {}
    steps: dict[str, str] = {}
    places: dict[str, str] = {}


class Meant(Struct, frozen=True):
    """The unit a counter is, and the step if the counter is that step's alone."""

    unit: str
    step: str = ""


class Matched(Struct, frozen=True):
    """As it is meant; what is passed over or still open is in none of them."""

    written: Match
    counters: dict[str, Meant] = {}
    steps: dict[str, str] = {}
    places: dict[str, Laid] = {}


def beside(campaign: str | Path) -> Path:
    """Where a campaign's match file lies: 'east.fp.vassal.yaml' beside 'east.fp'."""
    return Path(f"{campaign}{ENDING}")


def is_open(value: str) -> bool:
    return value.startswith(OPEN)


def read_match(path: Path, world: World, state: State) -> Matched:
    """The match file of a campaign, empty if there is none yet; BadFile tells every line that is wrong."""
    if not path.exists():
        return Matched(Match())
    document = read_yaml_file(path)
    if document.data is None:
        return Matched(Match())
    return understood(document, world, state)


def understood(document: Document, world: World, state: State) -> Matched:
    """What a match file means in a campaign."""
    written = shape(document, (), Match)
    problems: list[Problem] = []
    counters: dict[str, Meant] = {}
    places: dict[str, Laid] = {}
    for key, value in _decided(written.counters):
        try:
            counters[key] = _meant(state, value)
        except Told as error:
            problems.append(document.problem(("counters", key), *_said(error)))
    for key, value in _decided(written.places):
        try:
            places[key] = read_place(world, value)
        except (Told, ValueError) as error:
            problems.append(document.problem(("places", key), *_said(error)))
    known = ("full", "cadre", "remnant", BY_STRENGTH)
    for key, value in _decided(written.steps):
        if value not in known:
            problems.append(document.problem(("steps", key), f"'{value}' is no step", f"known: {', '.join(known)}"))
    if problems:
        raise BadFile(problems)
    return Matched(written, counters, dict(_decided(written.steps)), places)


def _decided(section: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(key, value) for key, value in section.items() if value != NOBODY and not is_open(value)]


def _meant(state: State, value: str) -> Meant:
    name, _, step = value.partition(AS)
    if value in state.units:
        name, step = value, ""
    unit = find_unit(state, name.strip())
    if step and not unit.spec.has(step):
        raise Told(f"{unit.id} has no {step} strength; it has {' and '.join(unit.spec.steps)}")
    return Meant(unit.id, step)


def _said(error: Exception) -> tuple[str, str]:
    said = plain(error.sentence if isinstance(error, Told) else str(error))
    message, _, hint = said.partition("; ")
    return message, hint


# ------------------------------------------------------------------------------------------------ writing


def with_new(text: str, name: str, new: Mapping[str, Mapping[str, str]], module: str) -> str:
    """A match file's text with new lines at the ends of its sections; all else, remarks too, stays as it is."""
    if not text.strip():
        text = f"{HEAD}module: {_quoted(module)}\n"
    for section in SECTIONS:
        if lines := [f"  {_quoted(key)}: {_quoted(value)}" for key, value in new.get(section, {}).items()]:
            text = _added(text, name, section, lines)
    return text


def _added(text: str, name: str, section: str, lines: list[str]) -> str:
    rows = text.rstrip("\n").split("\n")
    at = next((number for number, row in enumerate(rows) if row.split("#")[0].rstrip() == f"{section}:"), None)
    if at is None:
        if any(row.startswith(f"{section}:") for row in rows):
            document = read_yaml(text, name)
            raise BadFile([document.problem((section,), "new lines find no place here", "write one line for each")])
        return "\n".join([*rows, f"{section}:", *lines, ""])
    end = next((number for number in range(at + 1, len(rows)) if _begins_another(rows[number])), len(rows))
    # Remarks above the next section are about that one.
    while end > at + 1 and (not rows[end - 1].strip() or rows[end - 1].startswith("#")):
        end -= 1
    return "\n".join([*rows[:end], *lines, *rows[end:], ""])


def _begins_another(row: str) -> bool:
    return bool(row.strip()) and not row[0].isspace() and not row.startswith("#")


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def write(path: Path, text: str) -> None:
    with whole_text(path) as file:
        file.write(text)
