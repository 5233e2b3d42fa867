"""Counters on a page: each drawn from the page's one sheet of glyphs."""

from collections.abc import Iterable

from markupsafe import Markup

from forcepool.drawing.counters import counter, glyph_sheet
from forcepool.engine.units import UnitSpec


def drawn(spec: UnitSpec, step: str, name: str, marks: Iterable[str] = ()) -> Markup:
    """A counter as a picture with its words."""
    return Markup(counter(spec, step, name=name, marks=marks))


def sheet(specs: Iterable[UnitSpec]) -> Markup:
    """The glyphs that the counters of a page refer to."""
    return Markup(glyph_sheet(specs))


def caption(unit: str, spec: UnitSpec) -> str:
    """What stands below a counter, which shows its size already: '24 Inf' for 24 Inf XX."""
    return unit.removesuffix(f" {spec.size}")
