"""What is drawn inside a counter's frame, by the words of its type.

A type is drawn in layers: 'Mot AT' is the anti-tank chevron with wheels, 'Mtn Trng' a mountain unit with a T. Which
layers there are, and which words call for them, is data beside this module.
"""

from functools import cache, lru_cache
from html import escape
from importlib.resources import files

import msgspec
from msgspec import Struct

from forcepool.engine.units import UnitSpec

AIR = "air"
INFANTRY = "infantry"
FRAME = "M1 1h34v24H1z"


class Layer(Struct, frozen=True, forbid_unknown_fields=True):
    """One part of a glyph: lines, filled shapes, and letters where a letter says it best."""

    line: str = ""
    solid: str = ""
    letters: str = ""
    at: tuple[int, int] = (18, 17)
    """Where the middle of the letters stands."""
    size: int = 11
    dress: bool = False
    bare: bool = False


class Word(Struct, frozen=True, forbid_unknown_fields=True):
    """A word of a type: what it adds to the glyph, and how it is spoken."""

    draw: tuple[str, ...] = ()
    says: str = ""


class Types(Struct, frozen=True, forbid_unknown_fields=True):
    """The words of land types, the letters of air types, and the sizes."""

    words: dict[str, Word]
    aircraft: dict[str, Word]
    sizes: dict[str, str]


def _data(name: str) -> bytes:
    return files("forcepool.drawing").joinpath(name).read_bytes()


@cache
def layers() -> dict[str, Layer]:
    """Every layer by its name."""
    return msgspec.yaml.decode(_data("glyphs.yaml"), type=dict[str, Layer])


@cache
def types() -> Types:
    """The words that call for them."""
    return msgspec.yaml.decode(_data("types.yaml"), type=Types)


def is_aircraft(spec: UnitSpec) -> bool:
    """Whether a counter is an air unit's."""
    return AIR in spec.traits


@lru_cache(maxsize=1 << 10)
def layers_of(type_: str, aircraft: bool = False) -> tuple[str, ...]:
    """The layers of a type, each once; none for a type whose words say nothing."""
    if aircraft:
        known = types().aircraft
        return known.get(type_, known["F"]).draw
    drawn = [word.draw for word in map(types().words.get, type_.casefold().split()) if word]
    found = dict.fromkeys(layer for draw in drawn for layer in draw)
    branches = {layer for layer in found if layer != INFANTRY and not layers()[layer].dress}
    # Mech has the infantryman of itself; in Mot AT he makes way for the anti-tank gun.
    on_foot = any(INFANTRY in draw and not branches.isdisjoint(draw) for draw in drawn) or not branches
    foot = (INFANTRY,) if found and on_foot else ()
    return (*foot, *(layer for layer in found if layer != INFANTRY))


def type_in_words(type_: str, aircraft: bool = False) -> str:
    """A type as it is spoken: 'motorised anti-tank' for Mot AT; unknown words stay as they are."""
    if aircraft:
        return types().aircraft.get(type_, Word(says="air unit")).says
    return " ".join(types().words.get(word.casefold(), Word(says=word)).says for word in type_.split())


def glyph_id(type_: str, aircraft: bool = False) -> str:
    """The name under which a page holds the glyph of a type; types drawn alike share one."""
    found = layers_of(type_, aircraft)
    if found:
        return "g-" + "-".join(layer.replace(" ", "_") for layer in found)
    return "g-t-" + "".join(sign if sign.isascii() and sign.isalnum() else f"_{ord(sign):x}" for sign in type_[:5])


def glyph(type_: str, aircraft: bool = False) -> str:
    """The glyph itself, in a field of 36 by 31, in the colour of the text around it."""
    found = [layers()[name] for name in layers_of(type_, aircraft)]
    frame = "" if any(layer.bare for layer in found) else FRAME
    lines = frame + "".join(layer.line for layer in found)
    solid = "".join(layer.solid for layer in found)
    parts = []
    if lines:
        parts.append(f'<path d="{lines}" fill="none" stroke="currentColor" stroke-width="2"/>')
    if solid:
        parts.append(f'<path d="{solid}" fill="currentColor"/>')
    parts += [_letters(layer.letters, layer.at, layer.size) for layer in found if layer.letters]
    if not found:
        text = type_[:5]
        parts.append(_letters(text, (18, 17), 13 if len(text) < 3 else 11 if len(text) < 5 else 9))
    return "".join(parts)


def _letters(text: str, at: tuple[int, int], size: int) -> str:
    x, y = at
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="middle" font-weight="700"'
        f' fill="currentColor">{escape(text)}</text>'
    )
