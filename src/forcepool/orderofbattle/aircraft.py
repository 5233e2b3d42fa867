"""Unit strings of aircraft, as air orders of battle write them.

7F8 P-51B 2-1/18

7F8      air attack rating, type and air defence rating
P-51B    the model, which may also stand first: Me 109F 7F9 1/15
2-1      tactical and strategic bombing strength; a counter may show one only
18       the range, behind a stroke, or behind the codes: 4B5 Ju88.A4 3-7 S 26
"""

import re

from forcepool.engine.units import Strength, UnitSpec

AIR = "air"
CODE = "code "
BOMBS = "bombs "

_RATINGS = r"(?P<attack>\d{1,2})(?P<type>[A-Z]{1,3})(?P<defence>\d{1,2})"
_LOAD = r"(?P<bombs>\d{1,2}(?:-\d{1,2})?)\s*(?:/|(?P<codes>[A-Z]{1,4})\s*/?)\s*(?P<range>\d{1,3})"
_MODEL = r"(?P<model>\S.*?)"
_FORMS = (
    re.compile(rf"\s*{_RATINGS}\s+{_MODEL}\s+{_LOAD}\s*"),
    re.compile(rf"\s*{_MODEL}\s+{_RATINGS}\s+{_LOAD}\s*"),
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
        designation=found["model"],
    )


def codes_of(spec: UnitSpec) -> tuple[str, ...]:
    """The letter codes on an air counter, which are not its type letters."""
    return tuple(trait.removeprefix(CODE) for trait in spec.traits if trait.startswith(CODE))
