"""What can happen to a text between one player's desk and another's: slips, lost lines, stray bytes, wild values."""

import json
import random
import re
from collections.abc import Callable, Iterator
from typing import Any

WORDS = (
    "",
    "~",
    "yes",
    "no",
    "-1",
    "0",
    "1/0",
    "0/0",
    "-7/2",
    "1e9",
    "0.1",
    "NaN",
    "½",
    "²",
    "٣",
    "𝟙",
    "9" * 30,
    "9" * 5000,
    "[]",
    "{}",
    "[a, b]",
    "{a: b}",
    "[[a]]",
    "{a: {b: [c]}}",
    "null",
    "*x",
    "&x y",
    "!!int 3",
    "'",
    "\u202eXX",
    "a\u0301",
    "😀",
    "eliminated",
    "track front/centre Okt 9 99",
    "[" * 150 + "]" * 150,
    "{a: " * 150 + "1" + "}" * 150,
)
STRAY = "\t\n\r :-[]{},&*!|>'\"%@`#?\\~<=/½²\x00\x85\u2028\ufeff\ud7ff0aZ"
VALUE = re.compile(r"(?<=: )[^,:{}\[\]\n]+|(?<==)[^ \n]+")

Damage = Callable[[random.Random, str], str]


def flip_a_byte(chance: random.Random, text: str) -> str:
    data = bytearray(text.encode())
    if data:
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return data.decode(errors="replace")


def delete(chance: random.Random, text: str) -> str:
    at = chance.randrange(len(text) + 1)
    return text[:at] + text[at + chance.choice((1, 1, 2, 5, 40)) :]


def insert(chance: random.Random, text: str) -> str:
    at = chance.randrange(len(text) + 1)
    return text[:at] + "".join(chance.choices(STRAY, k=chance.randint(1, 4))) + text[at:]


def double_a_line(chance: random.Random, text: str) -> str:
    lines = text.split("\n")
    at = chance.randrange(len(lines))
    return "\n".join((*lines[: at + 1], *lines[at:]))


def swap_lines(chance: random.Random, text: str) -> str:
    lines = text.split("\n")
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return "\n".join(lines)


def cut_off(chance: random.Random, text: str) -> str:
    return text[: chance.randrange(len(text) + 1)]


def another_value(chance: random.Random, text: str) -> str:
    """One value replaced by something of another kind."""
    found = list(VALUE.finditer(text))
    if not found:
        return insert(chance, text)
    value = chance.choice(found)
    return text[: value.start()] + chance.choice(WORDS) + text[value.end() :]


def values_swapped(chance: random.Random, text: str) -> str:
    """One value where another belongs."""
    found = list(VALUE.finditer(text))
    if not found:
        return swap_lines(chance, text)
    value = chance.choice(found)
    return text[: value.start()] + chance.choice(found).group() + text[value.end() :]


DAMAGES: tuple[Damage, ...] = (
    flip_a_byte,
    delete,
    insert,
    double_a_line,
    swap_lines,
    cut_off,
    another_value,
    another_value,
    another_value,
    values_swapped,
)


def damaged(text: str, times: int, seed: int) -> Iterator[str]:
    """The text damaged in so many ways, the same ones in every run."""
    chance = random.Random(seed)
    for _ in range(times):
        result = text
        for _ in range(chance.choice((1, 1, 1, 2, 3))):
            result = chance.choice(DAMAGES)(chance, result)
        yield result


WILD: tuple[Any, ...] = (
    None,
    True,
    -1,
    10**30,
    0.5,
    1e308,
    "",
    "²",
    "1/0",
    "9" * 5000,
    "\u202e",
    [],
    ["a"],
    [[[]]],
    {},
    {"a": {"b": 1}},
)


def damaged_json(value: dict[str, Any], times: int, seed: int) -> Iterator[str]:
    """A group of fields with values of other kinds, names lost, doubled or invented, and its text damaged."""
    chance = random.Random(seed)
    for _ in range(times):
        fields = dict(value)
        name = chance.choice(sorted(fields))
        match chance.randrange(5):
            case 0:
                fields[name] = chance.choice(WILD)
            case 1:
                del fields[name]
            case 2:
                fields[chance.choice(("x", "", "units", name.upper(), name + "\u0301"))] = fields.pop(name)
            case 3:
                other = chance.choice(sorted(fields))
                fields[name], fields[other] = fields[other], fields[name]
        text = json.dumps(fields, ensure_ascii=chance.random() < 0.5)
        match chance.randrange(6):
            case 0:
                text = chance.choice(DAMAGES)(chance, text)
            case 1:
                text = "[" * chance.choice((1, 200, 100_000)) + text
        yield text
