"""Unit strings of aircraft, as air orders of battle write them.

7F8 P-51B 2-1/18

7F8      air attack rating, type and air defence rating
P-51B    the model, which may also stand first or last: Me 109F 7F9 1/15
2-1      tactical and strategic bombing strength; a counter may show one only
18       the range, behind a stroke, or behind the codes: 4B5 Ju88.A4 3-7 S 26
"""

import re

from forcepool.engine.units import Strength, UnitSpec

AIR = "air"
CODE = "code "
BOMBS = "bombs "

_RATINGS = r"(?P<attack>\d{1,2})\s?(?P<type>[A-Z]{1,3})\s?(?P<defence>\d{1,2})"
# The type before the ratings, as in F 6-5.
_TYPE_FIRST = r"(?P<type>[A-Z]{1,3})\s+(?P<attack>\d{1,2})-(?P<defence>\d{1,2})"
_LOAD = r"(?P<bombs>\d{1,2}(?:-\d{1,2})?)\s*(?:/|(?P<codes>[A-Z]{1,4})\s*/?)\s*(?P<range>\d{1,3})"
_LOAD_IN_BRACKETS = rf"\(?{_LOAD}\)?"
# A model has a letter and a number in it, as in P-51B, or is a name.
_MODEL = r"(?P<model>(?!\d+[A-Z]{1,3}\d+\s)[A-Za-z0-9](?:[\w.\-/]|\s(?=[\w]))*?)"
_FORMS = tuple(
    re.compile(r"\s*" + r"\s+".join(parts) + r"\s*")
    for ratings in (_RATINGS, _TYPE_FIRST)
    for parts in (
        (ratings, _MODEL, _LOAD_IN_BRACKETS),
        (_MODEL, ratings, _LOAD_IN_BRACKETS),
        (ratings, _LOAD_IN_BRACKETS, _MODEL),
        (_MODEL, _LOAD_IN_BRACKETS, ratings),
    )
)


def parse_aircraft(text: str) -> UnitSpec | None:
    """Read an air unit such as 7F8 P-51B 2-1/18; None for what is no air unit."""
    found = next((match for form in _FORMS if (match := form.fullmatch(text))), None)
    if found is None:
        return None
    codes = (f"{CODE}{letter}" for letter in found["codes"] or "")
    return UnitSpec(
        Strength(int(found["attack"]), int(found["defence"]), int(found["range"])),
        found["type"],
        "",
        traits=(AIR, f"{BOMBS}{found['bombs']}", *codes),
        designation=" ".join(found["model"].split()),
    )


def print_aircraft(spec: UnitSpec) -> str:
    """An air unit as its counter reads: ratings, model, bombs, codes and range."""
    bombs = next((trait.removeprefix(BOMBS) for trait in spec.traits if trait.startswith(BOMBS)), "0")
    codes = "".join(codes_of(spec))
    load = f"{bombs} {codes} {spec.full.movement}" if codes else f"{bombs}/{spec.full.movement}"
    return f"{spec.full.attack}{spec.type}{spec.full.defence} {spec.designation} {load}"


def codes_of(spec: UnitSpec) -> tuple[str, ...]:
    """The letter codes on an air counter, which are not its type letters."""
    return tuple(trait.removeprefix(CODE) for trait in spec.traits if trait.startswith(CODE))
