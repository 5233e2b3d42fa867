"""How much each of several things changes a number, as a small SVG picture: a dot with its bounds, around nothing."""

from collections.abc import Sequence
from html import escape

from msgspec import Struct

WIDTH, ROW, TOP, FOOT = 640, 22, 8, 26
LEFT, RIGHT = 300, 620
SURE, UNSURE = "#8c2f24", "#777"
LONGEST = 44
"""Signs of a name that fit beside the picture; the table below has all of it."""


class Span(Struct, frozen=True):
    """A difference and half of the interval around it."""

    name: str
    middle: float
    give_or_take: float

    @property
    def low(self) -> float:
        return self.middle - self.give_or_take

    @property
    def high(self) -> float:
        return self.middle + self.give_or_take

    @property
    def counts(self) -> bool:
        return self.low > 0 or self.high < 0


def intervals(title: str, spans: Sequence[Span]) -> str:
    """A row for each span; those that do not reach to nothing are drawn full."""
    if not spans:
        return ""
    reach = max(max(abs(span.low), abs(span.high)) for span in spans) or 1.0
    height = TOP + ROW * len(spans) + FOOT
    told = "; ".join(f"{span.name} {span.middle:+.2f} ± {span.give_or_take:.2f}" for span in spans)
    parts = [
        f'<svg class="spans" role="img" aria-label="{escape(f"{title}: {told}")}" viewBox="0 0 {WIDTH} {height}"'
        ' font-size="11">',
        f'<path d="M{_x(0, reach)} {TOP}V{height - FOOT + 4}" stroke="#999" stroke-dasharray="3 3"/>',
    ]
    parts += [_row(span, TOP + ROW * at + ROW // 2, reach) for at, span in enumerate(spans)]
    for value, anchor in ((-reach, "start"), (0.0, "middle"), (reach, "end")):
        parts.append(
            f'<text x="{_x(value, reach)}" y="{height - 8}" text-anchor="{anchor}" fill="#555">'
            f"{'0' if not value else f'{value:+.2f}'}</text>"
        )
    return "".join((*parts, "</svg>"))


def _row(span: Span, y: int, reach: float) -> str:
    ink = SURE if span.counts else UNSURE
    fill = ink if span.counts else "#fffdf8"
    name = span.name if len(span.name) <= LONGEST else f"{span.name[: LONGEST - 1]}…"
    return (
        f'<text x="{LEFT - 12}" y="{y + 4}" text-anchor="end">{escape(name)}</text>'
        f'<path d="M{_x(span.low, reach)} {y}H{_x(span.high, reach)}" stroke="{ink}" stroke-width="2"/>'
        f'<circle cx="{_x(span.middle, reach)}" cy="{y}" r="4" fill="{fill}" stroke="{ink}" stroke-width="2"/>'
    )


def _x(value: float, reach: float) -> int:
    return round((LEFT + RIGHT) / 2 + (RIGHT - LEFT) / 2 * value / reach)
