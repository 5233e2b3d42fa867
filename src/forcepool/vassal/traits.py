"""Traits: what a counter carries. Those that tell something of a unit are understood, all others kept as they are."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from forcepool.vassal.sequence import decode, field, number

SHEETS = {"propertysheet": "~", "table": ","}
"""Forms and tables on a counter, and what stands between their values."""
MARKER, DYNAMIC, LABEL, LAYER, OLD_LAYER = "mark", "PROP", "label", "emb2", "emb"
PROTOTYPE, HIDDEN, MASKED, RESTRICTED, BASIC = "prototype", "hide", "obs", "restrict", "piece"
OWNED = (HIDDEN, MASKED, RESTRICTED)
"""Traits whose state begins with the password of whoever hid or owns the piece."""
_STANDARD = """
    immob emb emb2 hide obs label table propertysheet rotate pivot nonRect nonRect2 mark restrict placemark replace
    report markmoved footprint return sendto prototype clone delete submenu menuSeparator translate AreaOfEffect
    globalkey macro PROP calcProp setprop hideCmd playSound button globalhotkey deselect piece border cmdlist mat
    matPiece attach cargo basicName cmt locmsg deckglobalkey setpieceprop multilocation transl
"""
STANDARD = frozenset(_STANDARD.split())
"""Traits of VASSAL's own; a module may bring others."""


class Trait(NamedTuple):
    """One trait: its definition and its state, both as the file has them, passwords apart."""

    type: str
    state: str = ""

    @property
    def kind(self) -> str:
        return self.type.partition(";")[0]

    @property
    def fields(self) -> list[str]:
        """The definition's fields after its kind."""
        return decode(self.type.partition(";")[2], ";")


@dataclass(frozen=True, slots=True)
class Layer:
    """Pictures a counter can be turned to, one of which may show: its back, a cadre, a step."""

    name: str
    level: int
    """The first is 1; 0 while none shows."""
    names: tuple[str, ...]
    images: tuple[str, ...]

    @property
    def shows(self) -> str:
        """The name of what shows, else its picture's."""
        if not self.level:
            return ""
        at = self.level - 1
        return field(self.names, at) or field(self.images, at)


def layers(traits: Sequence[Trait]) -> Iterator[Layer]:
    """The layers of a counter, outermost first."""
    properties: dict[str, str] | None = None
    for trait in traits:
        if trait.kind == OLD_LAYER:
            yield _old_layer(trait)
        elif trait.kind == LAYER:
            fields = trait.fields
            if field(fields, 21) == "true" and properties is None:
                properties = markers(traits) | dynamics(traits)
            yield _layer(trait, fields, properties or {})


def _layer(trait: Trait, fields: list[str], properties: Mapping[str, str]) -> Layer:
    images, names = _listed(field(fields, 15)), _listed(field(fields, 16))
    level = number(decode(trait.state, ";")[0], -1)
    if field(fields, 21) == "true":
        follows = field(fields, 22).strip("{} ")
        if follows in properties:
            level = number(properties[follows], 0) - number(field(fields, 23), 1) + 1
    most = max(len(images), len(names))
    return Layer(field(fields, 18), level if 0 < level <= most else 0, names, images)


def _old_layer(trait: Trait) -> Layer:
    sides = [decode(each, ",") for each in trait.fields[8:]]
    level = number(decode(trait.state, ";")[0], -1)
    names, images = tuple(field(side, 1) for side in sides), tuple(side[0] for side in sides)
    return Layer("", level if 0 < level <= len(sides) else 0, names, images)


def _listed(text: str) -> tuple[str, ...]:
    return tuple(decode(text, ",")) if text else ()


def markers(traits: Sequence[Trait]) -> dict[str, str]:
    """What is fixed on a counter: Side, Nation, Type, as its module has it; of two alike the outer counts."""
    found: dict[str, str] = {}
    for trait in traits:
        if trait.kind == MARKER:
            names, values = decode(trait.type.partition(";")[2], ","), decode(trait.state, ",")
            for index, name in enumerate(names):
                found.setdefault(name, field(values, index))
    return found


def dynamics(traits: Sequence[Trait]) -> dict[str, str]:
    """What players set on a counter: steps, turn of arrival."""
    found: dict[str, str] = {}
    for trait in traits:
        if trait.kind == DYNAMIC:
            found.setdefault(trait.fields[0], trait.state)
    return found


def labels(traits: Sequence[Trait]) -> list[str]:
    """What players wrote on a counter."""
    return [trait.state.strip() for trait in traits if trait.kind == LABEL and trait.state.strip()]


def sheets(traits: Sequence[Trait]) -> list[list[str]]:
    """What stands in the forms and tables of a counter, value by value."""
    return [decode(trait.state, SHEETS[trait.kind]) for trait in traits if trait.kind in SHEETS]


def shown_name(traits: Sequence[Trait], basic: str) -> str:
    """What a counter is called as it lies: the layer that shows may add to its name or take its place."""
    name = basic
    for layer in reversed(list(layers(traits))):
        common = field(layer.names, layer.level - 1) if layer.level else ""
        if not common:
            continue
        first, *rest = decode(common, "+")
        name = first if not rest else f"{name}{rest[0]}" if not first else f"{first}{name}"
    return name


def is_known(trait: Trait) -> bool:
    """Whether VASSAL itself has this trait; a module's own is kept and not understood."""
    return trait.kind in STANDARD
