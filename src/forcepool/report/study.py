"""What a study found, as one page of HTML that stands alone: to read on a screen and to print."""

from fractions import Fraction

from markupsafe import Markup

from forcepool.drawing.intervals import Span, intervals
from forcepool.drawing.plots import Line, plot
from forcepool.report.page import PAPERS, environment
from forcepool.study.effects import IN_WORDS, Effect
from forcepool.study.findings import Findings


def as_html(findings: Findings, *, paper: str = "a4") -> str:
    """The page; `paper` is a4 or letter."""
    return (
        environment()
        .get_template("study.html")
        .render(
            found=findings,
            study=findings.study,
            paper=PAPERS[paper],
            words=IN_WORDS,
            stands_out=[each for each in findings.effects if each.counts],
            courses=courses(findings),
            pictures=pictures(findings),
            figures=figures,
        )
    )


def courses(findings: Findings) -> list[tuple[str, Markup]]:
    """By measure how all sides fare without anything changed."""
    found: dict[str, list[Line]] = {}
    turns: tuple[str, ...] = ()
    for course in findings.courses:
        turns = course.turns
        # The picture's scale is in whole numbers; so are the means it shows.
        found.setdefault(course.measure, []).append(
            Line(course.side, tuple(Fraction(round(mean)) for mean in course.means))
        )
    return [(measure, Markup(plot(IN_WORDS.get(measure, measure), turns, lines))) for measure, lines in found.items()]


def pictures(findings: Findings) -> dict[str, list[tuple[str, Markup]]]:
    """By side, of each measure that differs anywhere, what every combination does to it."""
    found: dict[str, list[tuple[str, Markup]]] = {}
    by_measure: dict[tuple[str, str], list[Effect]] = {}
    for each in findings.effects:
        by_measure.setdefault((each.side, each.measure), []).append(each)
    for (side, measure), several in by_measure.items():
        spans = [Span(each.what, float(each.differs), each.give_or_take) for each in several if each.differs]
        if spans and several[0].seeds > 1:
            drawn = Markup(intervals(f"{side}, {IN_WORDS.get(measure, measure)}", spans))
            found.setdefault(side, []).append((measure, drawn))
    return found


def figures(effect: Effect) -> tuple[str, str]:
    """The mean without it, and the difference with its bounds."""
    bounds = f" ± {effect.give_or_take:.2f}" if effect.seeds > 1 else ""
    return f"{float(effect.base):.2f}", f"{float(effect.differs):+.2f}{bounds}"
