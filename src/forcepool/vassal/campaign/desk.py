"""A save held against a campaign in one go: what is new for the match file, what changed, what must lie otherwise."""

from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from forcepool.engine import codec
from forcepool.engine.campaign import Campaign
from forcepool.engine.state import State, Unit
from forcepool.engine.world import World
from forcepool.files.yamltext import read_yaml
from forcepool.vassal.campaign import counters, matchfile, matching
from forcepool.vassal.campaign.lists import to_put
from forcepool.vassal.campaign.matchfile import Match, Matched, is_open
from forcepool.vassal.campaign.news import NOT_KNOWN, Read, Unclear, in_their_order, looks, lying, news, unknown_spots
from forcepool.vassal.campaign.orders import Ready, ready
from forcepool.vassal.campaign.seen import Look, Looks
from forcepool.vassal.module import Module
from forcepool.vassal.save import Save

Sees = Callable[[Unit], bool]


class Offer(Struct, frozen=True):
    """An order that is ready, and how the unit it is about lies in VASSAL."""

    unit: str
    says: str
    order: str
    """As a form carries it."""
    look: Look


class Told(Struct, frozen=True):
    """What is left to the players, or was not compared, and why."""

    what: str
    why: str
    unit: str = ""


class Desk(Struct, frozen=True):
    """What a save comes to for one seat."""

    match: str
    """The match file's text with what is new."""
    added: int
    waiting: list[tuple[str, str]]
    """Lines of it that nobody has decided: the counter or place, and what it may be."""
    offers: list[Offer]
    left: list[Told]
    unclear: list[Told]
    not_yours: int
    """Counters that are no unit this seat knows."""
    hidden: int
    put: list[tuple[str, str, str, str]]
    """What must lie otherwise in VASSAL: unit, step, place, where it lies now."""
    looks: Looks
    """How the units lie that are the same in both."""
    of_module: str = ""
    """The module that the match file is for, where the save is of another."""


def desk(
    campaign: Campaign,
    save: Save,
    module: Module | None,
    *,
    match: str,
    file: str,
    last: Looks,
    side: str = "",
    seat: str = "",
    sees: Sees | None = None,
) -> Desk:
    """Hold a save against a campaign as one seat may see it; nothing is recorded.

    `side` is whose hidden counters are seen, and `seat` who would give the orders.
    `file` is what the match file is called where something is wrong in it, which BadFile tells by line and column.
    """
    world, state = campaign.world, campaign.state if sees is None else _as_seen(campaign.state, sees)
    table = counters.look(save, module, side)
    before = read_text(match, file, world, state)
    new = matching.propose(world, state, table, module, before)
    if sees is not None:
        # Of the enemy's counters nobody on this side has to say anything.
        known = {key: value for key, value in new.counters.items() if value != matching.NO_UNIT}
        new = replace(new, counters=known)
    if new:
        lines = {"counters": new.counters, "steps": new.steps, "places": new.places}
        match = matchfile.with_new(match, file, lines, save.metadata.module)
    matched = read_text(match, file, world, state)
    read = lying(state, table, matched)
    fresh = list(news(state, read, last))
    judged = list(ready(campaign, in_their_order(save, module, matched, side, fresh) if save.steps else fresh, seat))
    of, theirs = before.written.module, save.metadata.module
    strangers = [each for each in read.unclear if each.why == NOT_KNOWN] if sees is not None else []
    return Desk(
        match=match,
        added=len(new.counters) + len(new.steps) + len(new.places),
        waiting=list(_waiting(matched.written)),
        offers=[_offer(each) for each in judged if isinstance(each, Ready)],
        left=[Told(each.says, each.why, each.news.unit.id) for each in judged if not isinstance(each, Ready)],
        unclear=[Told(each.what, each.why) for each in _unclear(read, strangers)],
        not_yours=len(strangers),
        hidden=read.hidden,
        put=[(each.unit.id, each.unit.step, each.where, each.now) for each in to_put(world, state, read)],
        looks=looks(state, read, last, {}),
        of_module=of if of and theirs and of != theirs else "",
    )


def read_text(text: str, file: str, world: World, state: State) -> Matched:
    """A match file's text in a campaign; an empty one says nothing yet."""
    document = read_yaml(text, file) if text.strip() else None
    if document is None or document.data is None:
        return Matched(Match())
    return matchfile.understood(document, world, state)


def _as_seen(state: State, sees: Sees) -> State:
    """A campaign in which there is only what a seat knows: names that it does not know are no names."""
    seen = state.copy()
    seen.units = {name: unit for name, unit in state.units.items() if sees(unit)}
    return seen


def _offer(found: Ready) -> Offer:
    lies = found.news.lies
    return Offer(found.news.unit.id, found.says, codec.encode(found.command).decode(), Look(lies.at, lies.step))


def _waiting(written: Match) -> Iterator[tuple[str, str]]:
    for section in (written.counters, written.steps, written.places):
        yield from ((key, value.removeprefix("?").strip()) for key, value in section.items() if is_open(value))


def _unclear(read: Read, strangers: list[Unclear]) -> list[Unclear]:
    return [each for each in (*read.unclear, *unknown_spots(read)) if each not in strangers]


def taken_over(found: Looks, given: list[Offer], offers: list[Offer], left: set[str], entry: int) -> Looks:
    """The looks after orders were given: a unit lies as in VASSAL once all that was news of it is given."""
    missing = {each.unit for each in offers if each not in given} | left
    return found | {each.unit: replace(each.look, entry=entry) for each in given if each.unit not in missing}
