"""What a study found, as Markdown with its pictures in it: a chapter for documents that are made of such."""

from collections.abc import Iterator

from forcepool.report.study import courses, figures, pictures
from forcepool.study.effects import IN_WORDS
from forcepool.study.findings import Findings

SHOWN = ("strength", "full", "spent")
"""Measures that have a picture; the table has all."""


def as_markdown(found: Findings) -> str:
    """What stands out, what was tried, pictures with their bounds, and a table of all that differs."""
    return "\n".join((*_told(found), *_tried(found), *_drawn(found), *_table(found), ""))


def _told(found: Findings) -> Iterator[str]:
    study = found.study
    seeds = max((each.seeds for each in found.effects), default=0)
    lost = ", ".join(f"{side} {rate}" for side, rate in sorted(study.losses.items()))
    yield (
        f"{found.played:,} of {found.of:,} campaigns of {study.turns} turns, {seeds} of {study.seeds} seeds to each "
        f"combination; {', '.join(study.scenarios)}, rear area run by: {', '.join(study.policies)}"
        f"{f'; units lost in a month: {lost}' if lost else ''}; forcepool {found.version}."
    )
    yield ""
    if found.played < found.of:
        yield "**The study is not finished**: the same command plays the campaigns that are missing.\n"
    yield "## What stands out\n"
    for each in (effect for effect in found.effects if effect.counts):
        mean, differs = figures(each)
        name = IN_WORDS.get(each.measure, each.measure)
        yield f"- **{each.what}**: {each.side}, {name} {differs} (without it {mean})"
    yield f"\nOf these {len(found.effects)} comparisons about {found.by_chance} may stand out by chance alone."
    if found.without_effect:
        yield f"Nothing at all was changed by: {'; '.join(found.without_effect)}."
    yield ""


def _tried(found: Findings) -> Iterator[str]:
    yield "## What was tried\n\n| ruling | the others are compared with | tried |\n| --- | --- | --- |"
    for ruling in found.rulings:
        base, *others = (f"**{name}**: {text}" for name, text in ruling.options)
        yield f"| {ruling.key} ({ruling.clause}): {ruling.about} | {base} | {'; '.join(others)} |"
    yield from (f"| {name} | {first} | {', '.join(map(str, rest))} |" for name, (first, *rest) in _numbers(found))
    yield ""


def _numbers(found: Findings) -> Iterator[tuple[str, tuple[object, ...]]]:
    yield from sorted(found.study.numbers.items())


def _drawn(found: Findings) -> Iterator[str]:
    for side, drawn in pictures(found).items():
        for measure, picture in drawn:
            if measure in SHOWN:
                yield f"## {side}: {IN_WORDS.get(measure, measure)}, how much each differs\n\n{picture}\n"
    for measure, picture in courses(found):
        if measure in SHOWN[:1] and picture:
            yield f"## Without anything changed: {IN_WORDS.get(measure, measure)}, as the turns end\n\n{picture}\n"


def _table(found: Findings) -> Iterator[str]:
    yield "## All that differs\n"
    yield "| what is otherwise | side | measure | mean without it | differs by | more than chance |"
    yield "| --- | --- | --- | ---: | ---: | --- |"
    for each in (effect for effect in found.effects if effect.differs):
        mean, differs = figures(each)
        name = IN_WORDS.get(each.measure, each.measure)
        yield f"| {each.what} | {each.side} | {name} | {mean} | {differs} | {'yes' if each.counts else ''} |"
