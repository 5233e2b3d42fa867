"""The notations of the trade by example: what each means, and how we write it ourselves."""

from functools import cache
from importlib.resources import files

from msgspec import Struct

from forcepool.engine.points import show_points
from forcepool.engine.units import Strength, UnitSpec
from forcepool.orderofbattle.aircraft import AIR, BOMBS, codes_of
from forcepool.orderofbattle.unit_strings import Parsed

SIZE_NAMES = {
    "XXXXX": "army group",
    "XXXX": "army",
    "XXX": "corps",
    "XX": "division",
    "X": "brigade",
    "III": "regiment",
    "II": "battalion",
    "I": "company",
    "HQ": "headquarters",
}
UNCOUNTED = ("XXX", "HQ")
"""Sizes whose name is the same for one and for several."""


class Example(Struct, frozen=True):
    """One notation: the text, the form we print, and what it means; `doubt` is what was guessed to read it."""

    text: str
    printed: str
    means: str
    doubt: str = ""


class Group(Struct, frozen=True):
    """Examples of one kind, with a sentence that tells what they show."""

    title: str
    about: str
    examples: tuple[Example, ...]


@cache
def groups() -> tuple[Group, ...]:
    """The table of notations."""
    import yaml  # Nobody but whoever looks at the table needs it.

    data = yaml.safe_load((files("forcepool.orderofbattle") / "notations.yaml").read_text("utf-8"))
    return tuple(Group(each["title"], each["about"], tuple(Example(*row) for row in each["examples"])) for each in data)


def told(parsed: Parsed) -> str:
    """What a unit string means, part by part, in plain words."""
    spec = parsed.spec
    if AIR in spec.traits:
        return _air(parsed)
    number = "one" if parsed.count == 1 else str(parsed.count)
    parts = [
        f"{number} {_kind(spec, parsed.count)}",
        _strength(spec.full),
        _side("cadre", spec.cadre)
        + (f" of {show_points(spec.cadre_re)} RE" if spec.cadre_re is not None and spec.cadre else ""),
        _side("remnant", spec.remnant),
        _side("unsupported", spec.unsupported),
        f"{show_points(spec.re)} RE" if spec.re is not None else "",
        f"force {spec.force}" if spec.force else "",
        "starred" if spec.starred else "",
        f"as {parsed.state}" if parsed.state else "",
        f"called {' and '.join(parsed.designations)}" if parsed.designations else "",
    ]
    return "; ".join(part for part in parts if part)


def _kind(spec: UnitSpec, count: int) -> str:
    of = SIZE_NAMES[spec.size]
    if spec.type == "HQ":
        return " ".join(word for word in (spec.nation, of, "headquarters") if word)
    if spec.type.endswith(" HQ"):
        # The headquarters of a division is no division.
        return " ".join(word for word in (spec.nation, f"{of} headquarters ({spec.type.removesuffix(' HQ')})") if word)
    of = of if count == 1 or spec.size in UNCOUNTED else "armies" if of == "army" else f"{of}s"
    return " ".join(word for word in (spec.nation, spec.type, of) if word)


def _strength(side: Strength) -> str:
    if not side.split:
        return f"strength {show_points(side.attack)}, movement {side.movement}"
    return f"attack {show_points(side.attack)}, defence {show_points(side.defence)}, movement {side.movement}"


def _side(name: str, side: Strength | None) -> str:
    return f"{name} {side}" if side else ""


def _air(parsed: Parsed) -> str:
    spec = parsed.spec
    bombs = next(trait.removeprefix(BOMBS) for trait in spec.traits if trait.startswith(BOMBS))
    codes = f"; codes {' '.join(codes_of(spec))}" if codes_of(spec) else ""
    number = "one" if parsed.count == 1 else str(parsed.count)
    what = " ".join(filter(None, (number, spec.nation, spec.designation)))
    return (
        f"{what} of type {spec.type}; attack {spec.full.attack}, defence {spec.full.defence}"
        f"; bombs {bombs}{codes}; range {spec.full.movement}"
    )
