"""How a counter shows its step: by a layer that is turned up, or by a counter of its own."""

from collections.abc import Iterator
from dataclasses import replace

from forcepool.engine.state import Unit
from forcepool.engine.units import FULL
from forcepool.vassal.campaign.counters import Seen, one_line
from forcepool.vassal.campaign.matchfile import BY_STRENGTH, NOBODY, OPEN, Matched, Meant
from forcepool.vassal.campaign.units import STEP_WORDS, STRENGTH, squeezed, words_of
from forcepool.vassal.traits import Layer

MOST_LEVELS = 12
"""Sides of one layer that are looked at; a die or a counter of points has many, and shows no step."""
TURNED = ("reduced", "flipped", "flip", "back", "weak", "half", "step")
"""Words for the other side of a counter, which do not tell which step it is."""


def shown(seen: Seen) -> Iterator[tuple[str, Layer]]:
    """What the layers of a counter show that are turned up, as the match file calls it."""
    for layer in seen.piece.layers:
        if layer.level:
            yield _key(layer), layer


def could_show(seen: Seen) -> Iterator[tuple[str, Layer]]:
    """All that the layers of a counter can be turned to: a cadre is to be known when it first shows."""
    for layer in seen.piece.layers:
        for level in range(1, min(len(layer.images) or len(layer.names), MOST_LEVELS) + 1):
            turned = replace(layer, level=level)
            yield _key(turned), turned


def _key(layer: Layer) -> str:
    name = layer.names[layer.level - 1] if layer.level <= len(layer.names) else ""
    return f"{one_line(layer.name) or 'layer'}: {one_line(name).strip(' +') or f'level {layer.level}'}"


def propose(layer: Layer) -> str:
    """The step a layer most likely shows; '-' if it has nothing to do with steps."""
    sides = [
        f"{name} {image.rpartition('.')[0]}"
        for name, image in zip(_filled(layer.names, layer), _filled(layer.images, layer), strict=True)
    ]
    side = sides[layer.level - 1]
    if step := _step_in(side):
        return step
    if STRENGTH.search(side):
        return BY_STRENGTH
    if any(word in TURNED for word in words_of(side)):
        return f"{OPEN} cadre or remnant"
    about_steps = any(_step_in(each) or any(word in TURNED for word in words_of(each)) for each in sides)
    return FULL if about_steps and layer.level == 1 else f"{OPEN} full, cadre or remnant" if about_steps else NOBODY


def _filled(texts: tuple[str, ...], layer: Layer) -> list[str]:
    most = max(len(layer.names), len(layer.images))
    return [*texts, *[""] * (most - len(texts))]


def _step_in(text: str) -> str:
    return next((STEP_WORDS[word] for word in words_of(text) if word in STEP_WORDS), "")


def step_of(seen: Seen, meant: Meant, unit: Unit, matched: Matched) -> str:
    """The step a counter shows; nothing while the match file leaves that open, or its layers contradict each other."""
    if meant.step:
        return meant.step
    found = set()
    for key, layer in shown(seen):
        written = matched.written.steps.get(key, OPEN)
        if written == NOBODY:
            continue
        if key not in matched.steps:
            return ""
        step = _by_strength(layer, unit) if written == BY_STRENGTH else written
        if not step:
            return ""
        found.add(step)
    lower = found - {FULL}
    if len(lower) > 1:
        return ""
    return lower.pop() if lower else FULL


def _by_strength(layer: Layer, unit: Unit) -> str:
    shows = {squeezed(each) for each in STRENGTH.findall(layer.shows)}
    fits = [step for step in unit.spec.steps if squeezed(str(unit.spec.strength(step))) in shows]
    return fits[0] if len(fits) == 1 else ""
