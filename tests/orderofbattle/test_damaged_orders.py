"""A damaged order of battle is read as far as it goes: no crash, and no good line lost to a bad one beside it."""

import random
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from forcepool.engine.calendar import Calendar
from forcepool.orderofbattle.grammar import BadLine, looks_like_a_turn
from forcepool.orderofbattle.line import read_line
from forcepool.orderofbattle.lint import lint
from forcepool.orderofbattle.lost_headings import headings_before_units
from forcepool.orderofbattle.model import NOT_UNDERSTOOD, Entry, OrderOfBattle, content
from forcepool.orderofbattle.printing import print_ob
from forcepool.orderofbattle.reading import parse
from tests.orderofbattle.generator import order_of_battle

ROUNDS = 3200
PRINTED = 800
STRAY = "\t :-[]{},&*!|>'\"#?\\~<=/½²\x00\x85\u2028\ufeff→“”()+;x0aZlIO–X"
WORDS = ("", "in", "at", "→", "2x", "8-6", "XX", "Jul 2 41", "German", "Withdraw:", "given", "if", "note:", '"', "full")

SAMPLE = [
    "title: Damage",
    "Any turn",
    "German, theatre East",
    "At start:",
    "  4x 8-6 Inf XX (3-6) 24, 76, 8, 9",
    "  2x 12-10 Pz XX (5-8) 6, 7",
    "Jul 2 41",
    "Axis, German, theatre East, front Centre",
    "Reinforce:",
    "  2x 8-6* Inf XX (3-6) (1-6) 31, 32 in MD Leningrad or Moscow",
    "  1x 5-7-6 Inf XX (4-5-6 unsupported) 33 at Minsk in MD Minsk, may be in reserve",
    "  1x ½-6 Const III + 1x 2-8 AT III 561 at map edge 31 east hexes 0101-0115",
    "  any 3-6 Rif XX as cadre and militia in any city in country Rumania",
    "Convert:",
    "  1x 12-10 Pz XX 6 → 1x 14-10 Pz XX 6",
    "Withdraw 1x 8-6 Inf XX 24 for 3 inf, 1½ arm rebuild 4 inf, return Oct 1 41",
    "Upgrade 1x 1-6 Inf III 5 to 1x 2-6 Inf X 5 for 3 inf, 1 arm",
    "Disband 1x 1-6 Inf III 5 gives 1 inf",
    "Forming: 1x 8-6 Inf XX 50 in MD Wehrkreis VI, full Aug 1 41",
    "  1x 8-6 Inf XX 51 in box FORM of MD Leningrad, full Aug 1 41",
    "Hungarian",
    "Release from national reserve 6 REs",
    "Resources 5 inf, 2 arm, 3 SPs",
    "Transfer 1x 4-6 Inf XX 2 from theatre East to theatre West given West not controlled",
    "Arrive 1x 4-6 Inf XX 3 from MTO at sea 24A west Atlantic Ocean within 7 of 24A:0101, embarked",
    "Conditional 2x 2-8 Cav X 1, 2 if Soviet Union invaded; when Minsk falls; note: once only",
    "Other: the owner may move one depot",
    "Remove from breakdown box 1x 2-6 Inf III 5 after assembly of 5 Mtn XX",
    "Jul 3 41",
    "Soviet",
    "If no Iraqi Coup:",
    "Mobilize 1x 4-6 Rif XX 1 as Polish contingent at hex 24A:0101",
    'Replace 1x 4-6 Rif XX 9 "as printed"',
    "Always:",
    "Disarm all Rumanian forces",
]

Damage = Callable[[random.Random, str], str]


def stray_signs(chance: random.Random, line: str) -> str:
    at = chance.randrange(len(line) + 1)
    return line[:at] + "".join(chance.choices(STRAY, k=chance.randrange(1, 4))) + line[at:]


def lost_signs(chance: random.Random, line: str) -> str:
    at = chance.randrange(len(line) + 1)
    return line[:at] + line[at + chance.randrange(1, 6) :]


def cut_short(chance: random.Random, line: str) -> str:
    return line[: chance.randrange(len(line) + 1)]


def swapped_signs(chance: random.Random, line: str) -> str:
    letters = list(line)
    for _ in range(chance.randrange(1, 5)):
        at = chance.randrange(len(letters))
        letters[at] = chance.choice(STRAY)
    return "".join(letters)


def stray_word(chance: random.Random, line: str) -> str:
    words = line.split(" ")
    words[chance.randrange(len(words))] = chance.choice(WORDS)
    return " ".join(words)


def shuffled(chance: random.Random, line: str) -> str:
    words = line.split()
    chance.shuffle(words)
    return " ".join(words)


def broken_in_two(chance: random.Random, line: str) -> str:
    at = chance.randrange(len(line) + 1)
    return line[:at] + "\n" + line[at:]


def doubled(chance: random.Random, line: str) -> str:
    return f"{line}\n{line}"


def swallowed(chance: random.Random, line: str) -> str:
    return f"{line} {chance.choice(SAMPLE)}"


def noise(chance: random.Random, line: str) -> str:
    signs = (chr(chance.randrange(1, 0x3000)) for _ in range(chance.randrange(60)))
    return "".join(sign for sign in signs if sign not in "\r\n")


DAMAGES: list[Damage] = [
    stray_signs,
    lost_signs,
    cut_short,
    swapped_signs,
    stray_word,
    shuffled,
    broken_in_two,
    doubled,
    swallowed,
    noise,
]


def heads_others(line: str) -> bool:
    """Whether a line changes what the lines below it mean."""
    try:
        read = read_line(" ".join(line.split()), Calendar(4))
    except BadLine:
        return bool(headings_before_units(line.strip()))
    return bool(read.parts) and (read.fields is None or any(part.colon for part in read.parts))


def by_line(ob: OrderOfBattle) -> dict[int, Entry]:
    return {entry.line: entry for entry in ob.entries}


def own(entry: Entry) -> Entry:
    """An entry without what the headings above it, or the lines before it in its group, say."""
    scope = {"turn": "", "side": "", "nation": "", "force": "", "affiliation": "", "section": None}
    headed = {"verb": "", "conditions": (), "place": None, "arrival": ""}
    return replace(entry, key="", line=0, comments=(), **scope, **headed)


WHOLE = parse("\n".join(SAMPLE))


def test_the_sample_is_understood_before_it_is_damaged() -> None:
    assert WHOLE.problems == ()
    assert WHOLE.warnings == ()
    assert len(WHOLE.entries) == 22


def damaged(seed: int) -> tuple[list[str], int, str]:
    """The lines with one of them damaged, which one, and what became of it."""
    chance = random.Random(seed)
    at = chance.randrange(len(SAMPLE))
    spoiled = chance.choice(DAMAGES)(chance, SAMPLE[at])
    if chance.random() < 0.2:
        spoiled = chance.choice(DAMAGES)(chance, spoiled or "x")
    return [*SAMPLE[:at], *spoiled.split("\n"), *SAMPLE[at + 1 :]], at, spoiled


@pytest.mark.parametrize("start", range(0, ROUNDS, ROUNDS // 8))
def test_lines_beside_a_damaged_one_are_read_as_before(start: int) -> None:
    undamaged = by_line(WHOLE)
    for seed in range(start, start + ROUNDS // 8):
        lines, at, spoiled = damaged(seed)
        ob = by_line(parse("\n".join(lines)))
        longer = len(lines) - len(SAMPLE)
        headings = [line for line in (SAMPLE[at], *spoiled.split("\n")) if heads_others(line)]
        for number, entry in undamaged.items():
            if number == at + 1:
                continue
            now = ob[number + longer if number > at + 1 else number]
            if now.verb == NOT_UNDERSTOOD and now.under == "" and number > at + 1:
                # A heading was spoiled: what stands under it is held as it was written.
                assert now.note == " ".join(SAMPLE[number - 1].split()), (seed, spoiled)
                heads = (_may_be_a_heading(each) or headings_before_units(each.strip()) for each in spoiled.split("\n"))
                assert any(heads), seed
                continue
            assert own(now) == own(entry), (seed, spoiled, entry)
            if not headings:
                assert replace(now, key="", line=0, comments=()) == replace(entry, key="", line=0, comments=()), seed


@pytest.mark.parametrize("start", range(0, PRINTED, PRINTED // 4))
def test_a_damaged_order_of_battle_is_printed_and_read_back(start: int) -> None:
    for seed in range(start, start + PRINTED // 4):
        ob = parse("\n".join(damaged(seed)[0]))
        printed = print_ob(ob)
        assert content(parse(printed)) == content(ob), seed
        assert print_ob(parse(printed)) == printed, seed
        lint(ob)


@pytest.mark.parametrize("seed", range(20))
def test_a_page_damaged_all_over_keeps_every_line(seed: int) -> None:
    chance = random.Random(seed)
    lines = order_of_battle(150, seed).splitlines()
    for _ in range(40):
        at = chance.randrange(len(lines))
        lines[at] = chance.choice(DAMAGES)(chance, lines[at] or " ").replace("\n", " ")
    ob = parse("\n".join(lines))
    kept = {entry.note for entry in ob.entries if entry.verb == NOT_UNDERSTOOD}
    told = {problem.line for problem in ob.problems}
    assert len(told) == sum(entry.verb == NOT_UNDERSTOOD for entry in ob.entries)
    assert kept <= {" ".join(note.split(" ")) for note in kept}
    assert content(parse(print_ob(ob))) == content(ob)
    lint(ob)


def test_a_problem_points_at_the_place_and_says_what_to_do() -> None:
    for seed in range(500):
        lines, _, _ = damaged(seed)
        for problem in parse("\n".join(lines), "east.ob").problems:
            assert problem.file == "east.ob"
            assert 1 <= problem.column <= len(lines[problem.line - 1]) + 1, seed
            assert problem.message
            assert problem.hint, seed


def _may_be_a_heading(line: str) -> bool:
    """A colon, a turn, or words alone: the line may have been a heading."""
    return line.endswith(":") or looks_like_a_turn(line) or not any(char.isdigit() for char in line)
