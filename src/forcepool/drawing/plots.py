"""Points over the turns as a small SVG picture: one line a kind, named at its end."""

from collections.abc import Sequence
from fractions import Fraction
from html import escape

from msgspec import Struct

from forcepool.engine.points import show_points

WIDTH, HEIGHT = 420, 130
LEFT, RIGHT, TOP, BOTTOM = 34, 376, 12, 106
TALLER = 120
"""So much more height has a picture that one looks at for itself."""
INKS = ("#2f5d3a", "#8c2f24", "#2b5a86", "#7a5c14", "#5b3a7a", "#444")
DASHES = ("", "7 3", "2 3", "9 3 2 3", "4 4", "1 4")
"""Lines differ by their strokes too, for those who print in black."""
STEPS = (1, 2, 5)


class Line(Struct, frozen=True):
    """One line: its name and its value at each turn."""

    name: str
    values: tuple[Fraction, ...]


class Frame(Struct, frozen=True):
    """The values between which the lines go, and how high the picture is."""

    low: int
    high: int
    bottom: int

    def y(self, value: Fraction | int) -> int:
        return self.bottom - int((self.bottom - TOP) * (value - self.low) / Fraction(self.high - self.low))


def plot(title: str, turns: Sequence[str], lines: Sequence[Line], *, asked: str = "") -> str:
    """Lines over the turns; nothing where there are fewer than two turns to join.

    Where one line is asked for, the picture is large, and that line has its turns marked and its last value written.
    """
    if len(turns) < 2 or not lines:
        return ""
    values = [value for line in lines for value in line.values]
    low, high, step = _scale(min(values), max(values))
    frame = Frame(low, high, BOTTOM + TALLER if asked else BOTTOM)
    height = frame.bottom + HEIGHT - BOTTOM
    label = escape(
        f"{title}: " + "; ".join(f"{line.name} {show_points(line.values[-1])} at {turns[-1]}" for line in lines)
    )
    parts = [f'<svg class="plot" role="img" aria-label="{label}" viewBox="0 0 {WIDTH} {height}" font-size="10">']
    parts += [_grid(tick, frame) for tick in range(low, high + 1, step)]
    ends = _apart([frame.y(line.values[-1]) for line in lines])
    for index, line in enumerate(lines):
        parts.append(_line(line, index, frame, ends[index]))
        if line.name == asked:
            parts.append(_marks(line, INKS[index % len(INKS)], frame))
    return "".join((*parts, *_times(turns, height), "</svg>"))


def fan(title: str, turns: Sequence[str], bands: Sequence[Line], beside: Line) -> str:
    """A fan: areas between the outer and the inner bands, a line in the middle, and beside it what it would be without.

    The bands are five, from the lowest to the highest.
    """
    lines = (*bands, beside)
    if len(turns) < 2:
        return ""
    values = [value for line in lines for value in line.values]
    low, high, step = _scale(min(values), max(values))
    frame = Frame(low, high, BOTTOM + TALLER)
    height = frame.bottom + HEIGHT - BOTTOM
    told = "; ".join(f"{line.name} {show_points(line.values[-1])}" for line in lines)
    parts = [
        f'<svg class="plot" role="img" aria-label="{escape(f"{title} at {turns[-1]}: {told}")}"'
        f' viewBox="0 0 {WIDTH} {height}" font-size="10">'
    ]
    parts += [_grid(tick, frame) for tick in range(low, high + 1, step)]
    parts += [_area(bands[0], bands[4], "#cfe0d2", frame), _area(bands[1], bands[3], "#9dbfa5", frame)]
    shown = (bands[2], beside, bands[0], bands[4])
    ends = _apart([frame.y(line.values[-1]) for line in shown])
    parts += [_line(bands[2], 0, frame, ends[0]), _line(beside, 1, frame, ends[1])]
    parts += [_named(line, end) for line, end in zip(shown[2:], ends[2:], strict=True)]
    parts.append(_marks(bands[2], INKS[0], frame))
    return "".join((*parts, *_times(turns, height), "</svg>"))


def _area(lower: Line, upper: Line, ink: str, frame: Frame) -> str:
    count = len(lower.values)
    there = [f"{_x(at, count)},{frame.y(value)}" for at, value in enumerate(upper.values)]
    back = [f"{_x(at, count)},{frame.y(value)}" for at, value in enumerate(lower.values)]
    return f'<polygon fill="{ink}" points="{" ".join((*there, *reversed(back)))}"/>'


def _named(line: Line, end: int) -> str:
    return f'<text x="{RIGHT + 5}" y="{end + 3}" fill="#555">{escape(line.name)}</text>'


def _times(turns: Sequence[str], height: int) -> list[str]:
    """The first turn, one in the middle and the last, below the lines."""
    parts = []
    for at in sorted({0, (len(turns) - 1) // 2, len(turns) - 1}):
        anchor = "start" if at == 0 else "end" if at == len(turns) - 1 else "middle"
        x = _x(at, len(turns))
        parts.append(f'<text x="{x}" y="{height - 6}" text-anchor="{anchor}" fill="#555">{escape(turns[at])}</text>')
    return parts


def _scale(low: Fraction, high: Fraction) -> tuple[int, int, int]:
    """Whole numbers around the values, in about four even steps."""
    bottom, top = min(0, low.__floor__()), max(1, high.__ceil__())
    size = 1
    while True:
        for step in (size * each for each in STEPS):
            first, last = bottom // step * step, -(-top // step) * step
            if (last - first) // step <= 4:
                return first, last, step
        size *= 10


def _x(at: int, count: int) -> int:
    return LEFT + (RIGHT - LEFT) * at // (count - 1)


def _grid(tick: int, frame: Frame) -> str:
    y = frame.y(tick)
    return (
        f'<path d="M{LEFT} {y}H{RIGHT}" stroke="#d9d2c3"/>'
        f'<text x="{LEFT - 6}" y="{y + 3}" text-anchor="end" fill="#555">{show_points(tick)}</text>'
    )


def _line(line: Line, index: int, frame: Frame, end: int) -> str:
    ink, dash = INKS[index % len(INKS)], DASHES[index % len(DASHES)]
    count = len(line.values)
    points = " ".join(f"{_x(at, count)},{frame.y(value)}" for at, value in enumerate(line.values))
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<polyline fill="none" stroke="{ink}" stroke-width="2"{dashed} points="{points}"/>'
        f'<text x="{RIGHT + 5}" y="{end + 3}" fill="{ink}" font-weight="700">{escape(line.name)}</text>'
    )


def _marks(line: Line, ink: str, frame: Frame) -> str:
    """A dot at each turn, and what the line comes to at the last."""
    spots = [(_x(at, len(line.values)), frame.y(value)) for at, value in enumerate(line.values)]
    dots = "".join(f'<circle cx="{x}" cy="{y}" r="2.6" fill="{ink}"/>' for x, y in spots)
    x, y = spots[-1]
    # On the side from which the line does not come.
    falls = len(spots) > 1 and spots[-2][1] < y < frame.bottom - 18
    above = y + 15 if falls or y <= TOP + 14 else y - 7
    return (
        f'{dots}<text x="{x}" y="{above}" text-anchor="end" font-size="13" font-weight="700" fill="{ink}"'
        f' stroke="#fffdf8" stroke-width="3" paint-order="stroke">{show_points(line.values[-1])}</text>'
    )


def _apart(heights: list[int], gap: int = 11) -> list[int]:
    """The heights of the names, moved apart where they would lie on each other."""
    placed: dict[int, int] = {}
    last = TOP - gap
    for index in sorted(range(len(heights)), key=lambda each: heights[each]):
        last = placed[index] = max(heights[index], last + gap)
    return [placed[index] for index in range(len(heights))]
