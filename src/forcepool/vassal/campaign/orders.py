"""News as orders that are ready to be given, each judged after those before it; and what is left to the players."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from forcepool.engine.acts import order_in_words, reasons_said
from forcepool.engine.branch import Branch
from forcepool.engine.campaign import Campaign
from forcepool.engine.command import Command, command_name
from forcepool.engine.events import Rolled
from forcepool.engine.places import HEX, Place
from forcepool.engine.sentence import Told
from forcepool.engine.units import FULL
from forcepool.engine.verdicts import Refusal
from forcepool.vassal.campaign.news import News
from forcepool.vassal.campaign.places import Lost, Waiting
from forcepool.views.orders import from_words

MOVE = "move-units"
PLACES = ("place", "place-air", "place-reinforcement")
"""Orders by which a unit comes onto the map, in one game or another; the first that fits is meant."""
NO_ORDER = "forcepool has no order for that; give it yourself, or put it right with put-unit"


class Ready(Struct, frozen=True):
    """An order that would be carried out as it stands."""

    news: News
    command: Command
    says: str
    """What it is for: '24 Inf XX has gone from Minsk to Orsha'."""

    @property
    def typed(self) -> str:
        return order_in_words(self.command)


class Left(Struct, frozen=True):
    """News for which no order is ready, and why."""

    news: News
    says: str
    why: str
    """A sentence made of parts, so that each face says it in its way."""


Words = tuple[str, ...]
"""An order as one types it, field by field."""


def ready(campaign: Campaign, found: Iterable[News], seat: str = "") -> Iterator[Ready | Left]:
    """Each piece of news as an order, or the reason why there is none; nothing is recorded."""
    branch = Branch(campaign.world, campaign.state)
    for news in found:
        for says, ways in _wanted(campaign, news):
            yield _judged(campaign, branch, news, says, ways, seat)


def _judged(
    campaign: Campaign, branch: Branch, news: News, says: str, ways: Iterable[Words], seat: str
) -> Ready | Left:
    """The first of several ways to say it that the rules let pass; else what the rules say, or why it fits none."""
    known = {command_name(each) for each in campaign.world.game.commands}
    unfit, refused = "", ""
    for words in ways:
        if words[0] not in known:
            continue
        try:
            command = from_words(campaign.world.game, words[0], words[1:])
            decision = branch.judge(command, seat=seat)
        except Told as error:
            unfit = unfit or error.sentence
            continue
        if isinstance(decision, Refusal):
            refused = refused or "; ".join(" ".join(each.split()) for each in reasons_said(decision.reasons))
        elif any(isinstance(event, Rolled) for event in decision.events):
            refused = refused or f"it rolls dice; give it by itself: {order_in_words(command)}"
        else:
            branch.carry_out(decision)
            return Ready(news, command, says)
    return Left(news, says, refused or unfit or NO_ORDER)


def _wanted(campaign: Campaign, news: News) -> Iterator[tuple[str, tuple[Words, ...]]]:
    """What happened in words, and the ways to say it as an order; none where there is no such order."""
    world, unit, lies = campaign.world, news.unit, news.lies
    loses = world.game.loses
    lost = (command_name(loses), f"unit={unit.id}") if loses else ()
    who = f", by {lies.by}" if lies.by else ""
    if isinstance(lies.place, Lost) and news.moved:
        yield f"{unit.id} has gone to {lies.at}{who}", ((*lost, *lies.place.fields),) if lost else ()
        return
    if news.moved and isinstance(lies.place, Waiting):
        yield f"{unit.id} has gone to {lies.at}{who}", ()
    if news.moved and isinstance(lies.place, Place):
        gone = f"{unit.id} has gone from {world.show_place(unit.place)} to {world.show_place(lies.place)}{who}"
        yield gone, tuple(_moves(campaign, news, lies.place))
    if news.turned > 0:
        reduced = loses is not None and "to" in loses.__struct_fields__ and unit.place.on_map
        yield f"{unit.id} is turned to its {lies.step}{who}", ((*lost, f"to={lies.step}"),) if reduced else ()
    elif news.turned < 0:
        up = "full strength" if lies.step == FULL else lies.step
        yield f"{unit.id} is turned up to {up}, and nobody has rebuilt it here{who}", ()


def _moves(campaign: Campaign, news: News, to: Place) -> Iterator[Words]:
    unit, at = f"unit={news.unit.id}", f"at={to.of}"
    if to.kind != HEX:
        return
    if not news.unit.place.on_map:
        yield from ((name, unit, at) for name in PLACES)
        return
    yield MOVE, f"units={news.unit.id}", f"to={to.of}"
    yield "rebase-air", unit, at
    yield "move-operationally", unit, f"to={to.of}"
    if not any(command_name(each) == MOVE for each in campaign.world.game.commands):
        # A game without an order for retreats and advances only takes down where its units are.
        yield "put-unit", unit, at, "note=as it lies in VASSAL"
