"""Unit strings of aircraft, as air orders of battle write them.

7F8 P-51B 2-1/18

7F8      air attack rating, type and air defence rating
P-51B    the model, which may also stand first or last: Me 109F 7F9 1/15
2-1      tactical and strategic bombing strength; a counter may show one only
18       the range, behind a stroke, or behind the codes: 4B5 Ju88.A4 3-7 S 26
"""

import re

from msgspec.structs import replace

from forcepool.engine.units import Strength, UnitSpec
from forcepool.orderofbattle.nationalities import nation_short

AIR = "air"
CODE = "code "
BOMBS = "bombs "

_RATINGS = r"(?P<attack>\d{1,2})\s?(?P<type>[A-Z]{1,3})\s?(?P<defence>\d{1,2})"
# The type before the ratings, as in F 6-5.
_TYPE_FIRST = r"(?P<type>[A-Z]{1,3})\s+(?P<attack>\d{1,2})-(?P<defence>\d{1,2})"
_LOAD = (
    r"(?P<bombs>\d{1,2}(?:-\d{1,2})?|-)\s*(?:/|(?P<codes>[A-Z]{1,4})\s*/?|(?<=-\d)\s|(?<=-\d\d)\s)\s*(?P<range>\d{1,3})"
    # Codes behind the range, as in 2/12R; a model behind them must not begin like one.
    r"(?:\s?(?P<behind>[A-Z]{1,4})(?=\s+[A-Z][a-z]|\s*\)?\s*$))?"
)
_TYPE_APART, _RATINGS_APART = r"(?P<type>[A-Z]{1,3})", r"(?P<attack>\d{1,2})-(?P<defence>\d{1,2})"
_LOAD_IN_BRACKETS = rf"\(?{_LOAD}\)?"
# A model has a letter and a number in it, as in P-51B, or is a name.
_MODEL = r"(?P<model>(?!\d+[A-Z]{1,3}\d+\s)[A-Za-z0-9](?:[\w.\-/]|\s(?=[\w]))*?)"
_FORMS = tuple(
    re.compile(r"\s*" + r"\s+".join(parts) + r"\s*")
    for ratings in (_RATINGS, _TYPE_FIRST)
    for parts in (
        (_TYPE_APART, _MODEL, _RATINGS_APART, _LOAD_IN_BRACKETS) if ratings == _TYPE_FIRST else (),
        (ratings, _MODEL, _LOAD_IN_BRACKETS),
        (_MODEL, ratings, _LOAD_IN_BRACKETS),
        (ratings, _LOAD_IN_BRACKETS, _MODEL),
        (_MODEL, _LOAD_IN_BRACKETS, ratings),
    )
    if parts
)
_LOOKS_LIKE_ONE = re.compile(r"(?<![\w-])\d{1,2}[A-Z]{1,3}\d{1,2}(?![\w-])")
_BRACKETS = re.compile(r"\((?=\s*\d{1,2}\s?[A-Z]{1,3}\s?\d{1,2}\s)(?P<inside>[^()]*)\)")
_COLON = re.compile(r":(?=\s)")
_WORD = re.compile(r"[A-Z][A-Za-z]*\.?")


def looks_like_an_aircraft(text: str) -> bool:
    """Whether a text has the ratings of an air unit in it, such as 6F5."""
    return _LOOKS_LIKE_ONE.search(text) is not None


def parse_aircraft(text: str, warnings: list[str] | None = None) -> UnitSpec | None:
    """Read an air unit such as 7F8 P-51B 2-1/18; None for what is no air unit."""
    plain = _COLON.sub("", _BRACKETS.sub(r"\g<inside>", text))
    found = next((match for form in _FORMS if (match := form.fullmatch(plain))), None)
    if found is None and (first := _WORD.match(plain.lstrip())) and nation_short(first.group()):
        whose = parse_aircraft(plain.lstrip()[first.end() :], warnings)
        return replace(whose, nation=nation_short(first.group())) if whose else None
    if found is None:
        return None
    nation, model = _nation_of(" ".join(found["model"].split()))
    alone = model.removeprefix(f"{found['type']} ").removesuffix(f" {found['type']}")
    if alone != model and warnings is not None:
        warnings.append(f"read {model!r} as {alone} of type {found['type']}")
    codes = (f"{CODE}{letter}" for letter in (found["codes"] or "") + (found["behind"] or ""))
    return UnitSpec(
        Strength(int(found["attack"]), int(found["defence"]), int(found["range"])),
        found["type"],
        "",
        traits=(AIR, f"{BOMBS}{'0' if found['bombs'] == '-' else found['bombs']}", *codes),
        designation=alone,
        nation=nation,
    )


def _nation_of(model: str) -> tuple[str, str]:
    """A nation before the model, as in Ger Me109E4."""
    first, _, rest = model.partition(" ")
    nation = nation_short(first) if _WORD.fullmatch(first) and rest[:1].isalpha() else ""
    return (nation, rest) if nation else ("", model)


def print_aircraft(spec: UnitSpec) -> str:
    """An air unit as its counter reads: ratings, model, bombs, codes and range."""
    bombs = next((trait.removeprefix(BOMBS) for trait in spec.traits if trait.startswith(BOMBS)), "0")
    codes = "".join(codes_of(spec))
    load = f"{bombs} {codes} {spec.full.movement}" if codes else f"{bombs}/{spec.full.movement}"
    nation = f"{spec.nation} " if spec.nation else ""
    return f"{spec.full.attack}{spec.type}{spec.full.defence} {nation}{spec.designation} {load}"


def codes_of(spec: UnitSpec) -> tuple[str, ...]:
    """The letter codes on an air counter, which are not its type letters."""
    return tuple(trait.removeprefix(CODE) for trait in spec.traits if trait.startswith(CODE))
