"""Counters as small SVG pictures: symbol, size, strengths of the present step, nation's colours, bands and markers."""

import zlib
from collections.abc import Iterable
from functools import cache
from html import escape
from importlib.resources import files

import msgspec
from msgspec import Struct

from forcepool.drawing.glyphs import glyph, glyph_id, is_aircraft, type_in_words, types
from forcepool.engine.units import CADRE, FULL, REMNANT, UnitSpec

BADGE, ON_BADGE = "#8c2f24", "#fff"
BAND, ON_BAND = "#fffdf6", "#1b1b18"
BOMBS = "bombs "
MOST_BADGES = 2


class Colours(Struct, frozen=True):
    """The ground a counter is printed on, and the ink."""

    ground: str
    ink: str


class Palette(Struct, frozen=True):
    """The colours of every nation and force."""

    forces: dict[str, Colours]
    nations: dict[str, Colours]
    others: list[Colours]


class Marker(Struct, frozen=True):
    """What is drawn at the corner for a mark."""

    mark: str
    badge: str
    only: str = ""
    unless: str = ""


@cache
def palette() -> Palette:
    """The colours from the data file."""
    return msgspec.yaml.decode(files("forcepool.drawing").joinpath("colours.yaml").read_bytes(), type=Palette)


@cache
def markers() -> tuple[Marker, ...]:
    """The markers from the data file, the most pressing first."""
    return tuple(
        msgspec.yaml.decode(files("forcepool.drawing").joinpath("markers.yaml").read_bytes(), type=list[Marker])
    )


def colours_of(spec: UnitSpec, name: str = "") -> Colours:
    """A unit's colours: its force's, else its nation's, else always the same ones for the same name."""
    known = palette()
    for word in (spec.force, spec.affiliation, *spec.type.split(), *(name or spec.designation).split()):
        if word in known.forces:
            return known.forces[word]
    found = known.nations.get(spec.nation)
    return found or known.others[zlib.crc32(spec.nation.encode()) % len(known.others)]


def badges(marks: Iterable[str]) -> list[str]:
    """What is drawn for marks such as 'mp 2' or 'isolated supply', the most pressing first."""
    listed = list(marks)
    found = (_badge(marker, mark) for marker in markers() for mark in listed)
    return list(dict.fromkeys(badge for badge in found if badge))


def _badge(marker: Marker, mark: str) -> str:
    """The badge of a mark, if the marker is for it."""
    if mark != marker.mark and not mark.startswith(f"{marker.mark} "):
        return ""
    value = mark.removeprefix(marker.mark).strip()
    wanted = marker.only in ("", value) and (not marker.unless or value != marker.unless)
    return marker.badge.replace("{}", value) if wanted else ""


def spoken(spec: UnitSpec, step: str = FULL, *, name: str = "", marks: Iterable[str] = ()) -> str:
    """The counter in words, for those who hear the page: '24 Inf XX: infantry division of Germany, cadre 3-6'."""
    aircraft = is_aircraft(spec)
    size = types().sizes.get(spec.size, spec.size)
    what = " ".join(part for part in (type_in_words(spec.type, aircraft), size) if part)
    of = f" of {spec.nation}" if spec.nation else ""
    strength = air_values(spec)[1] if aircraft else str(_strength(spec, step))
    said = [
        f"{name or spec.designation}: {what}{of}".removeprefix(": "),
        f"{'full strength' if step == FULL else step} {strength}",
    ]
    return ", ".join([*said, *marks])


def _strength(spec: UnitSpec, step: str) -> object:
    return spec.strength(step) if spec.has(step) else spec.full


def air_values(spec: UnitSpec) -> tuple[str, str]:
    """An air counter's two lines: its ratings around the type, and bombs and range."""
    bombs = next((trait.removeprefix(BOMBS) for trait in spec.traits if trait.startswith(BOMBS)), "")
    reach = str(spec.full.movement)
    return f"{spec.full.attack}{spec.type}{spec.full.defence}", f"{bombs}/{reach}" if bombs else reach


def counter(
    spec: UnitSpec,
    step: str = FULL,
    *,
    name: str = "",
    marks: Iterable[str] = (),
    said: Iterable[str] | None = None,
    on_sheet: bool = True,
    extra: str = "",
) -> str:
    """One counter; `on_sheet` takes its glyph from the page's glyph sheet, else it brings its own.

    `said` are the marks as players say them, for the label. `extra` goes into the opening tag as it stands, such as
    class="lost".
    """
    listed = list(marks)
    aircraft, colours = is_aircraft(spec), colours_of(spec, name)
    label = escape(spoken(spec, step, name=name, marks=listed if said is None else said))
    above, below = air_values(spec) if aircraft else (spec.size.replace("HQ", ""), str(_strength(spec, step)))
    parts = [
        f'<svg class="counter" role="img" aria-label="{label}" viewBox="-1 -4 66 65" font-weight="700"'
        f' text-anchor="middle" fill="{colours.ink}" color="{colours.ink}"{f" {extra}" if extra else ""}>',
        f"<title>{label}</title>",
        f'<rect width="60" height="60" rx="5" fill="{colours.ground}" stroke="{colours.ink}" stroke-opacity=".5"/>',
        _band(step),
        f'<text x="30" y="10.5" font-size="9">{escape(above)}</text>' if above else "",
        _drawn(spec, aircraft, on_sheet),
        _written(below, ON_BAND if step in (CADRE, REMNANT) else ""),
        *_badges(badges(listed)),
        "</svg>",
    ]
    return "".join(parts)


def _band(step: str) -> str:
    """A cadre stands on a white band, a remnant on a broken one."""
    if step == CADRE:
        return f'<path d="M1 45h58v12H1z" fill="{BAND}" stroke="{ON_BAND}" stroke-width=".6"/>'
    if step == REMNANT:
        return (
            f'<path d="M9 45h42v12H9zM2 45h4v12H2zM54 45h4v12h-4z" fill="{BAND}" stroke="{ON_BAND}" stroke-width=".6"/>'
        )
    return ""


def _drawn(spec: UnitSpec, aircraft: bool, on_sheet: bool) -> str:
    if on_sheet:
        return f'<use href="#{glyph_id(spec.type, aircraft)}" x="12" y="13" width="36" height="31"/>'
    return f'<g transform="translate(12 13)">{glyph(spec.type, aircraft)}</g>'


def _written(strength: str, ink: str) -> str:
    size = (12 if ink else 13) if len(strength) <= 5 else 11 if len(strength) <= 7 else 9
    fill = f' fill="{ink}"' if ink else ""
    return f'<text x="30" y="{56 if size == 13 else 55}" font-size="{size}"{fill}>{escape(strength)}</text>'


def _badges(found: list[str]) -> Iterable[str]:
    for row, text in enumerate(found[:MOST_BADGES]):
        width = 8 + 5 * len(text)
        x, y = 64 - width, -3 + 13 * row
        yield (
            f'<rect x="{x}" y="{y}" width="{width}" height="12" rx="3" fill="{BADGE}"/>'
            f'<text x="{x + width // 2}" y="{y + 9}" font-size="8.5" fill="{ON_BADGE}">{escape(text)}</text>'
        )


def glyph_sheet(specs: Iterable[UnitSpec]) -> str:
    """The glyphs of a page's counters, each once, out of sight; counters on the page refer to them."""
    drawn = {glyph_id(spec.type, is_aircraft(spec)): (spec.type, is_aircraft(spec)) for spec in specs}
    symbols = "".join(
        f'<symbol id="{name}" viewBox="0 0 36 31">{glyph(*drawn[name])}</symbol>' for name in sorted(drawn)
    )
    return f'<svg width="0" height="0" aria-hidden="true" display="none">{symbols}</svg>'
