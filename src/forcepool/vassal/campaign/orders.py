"""News as orders that are ready to be given, each judged after those before it; and what is left to the players."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from forcepool.engine.branch import Branch
from forcepool.engine.campaign import Campaign
from forcepool.engine.command import BadCommand, Command, command_name
from forcepool.engine.decide import Decision
from forcepool.engine.dice import RollNeeded
from forcepool.engine.events import Rolled
from forcepool.engine.places import HEX, Place
from forcepool.engine.sentence import Told, plain
from forcepool.engine.units import STEPS
from forcepool.engine.verdicts import Refusal
from forcepool.engine.wording import order_in_words, reasons_in_words
from forcepool.vassal.campaign.news import News
from forcepool.vassal.campaign.places import Lost
from forcepool.views.orders import from_words

MOVE, PLACE, PUT = "move-units", "place", "put-unit"


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


def ready(campaign: Campaign, found: Iterable[News], seat: str = "") -> Iterator[Ready | Left]:
    """Each piece of news as an order, or the reason why there is none; nothing is recorded."""
    branch = Branch(campaign.world, campaign.state)
    for news in found:
        for says, words in _wanted(campaign, news):
            yield _judged(campaign, branch, news, says, words, seat)


def _judged(campaign: Campaign, branch: Branch, news: News, says: str, words: list[str], seat: str) -> Ready | Left:
    if not words:
        return Left(news, says, "forcepool has no order for that; give it yourself, or put it right with put-unit")
    try:
        command = from_words(campaign.world.game, words[0], words[1:])
        decision = branch.judge(command, seat=seat)
    except (BadCommand, Told) as error:
        return Left(news, says, plain(error.sentence))
    except RollNeeded as need:
        return Left(news, says, f"{plain(str(need))}; give it by itself")
    if isinstance(decision, Refusal):
        return Left(news, says, "; ".join(plain(each) for each in reasons_in_words(decision.reasons)))
    assert isinstance(decision, Decision)
    if any(isinstance(event, Rolled) for event in decision.events):
        return Left(news, says, f"it rolls dice; give it by itself: {order_in_words(command)}")
    branch.carry_out(decision)
    return Ready(news, command, says)


def _wanted(campaign: Campaign, news: News) -> Iterator[tuple[str, list[str]]]:
    """What happened in words, and the words of the order that says so; none where there is no such order."""
    world, unit, lies = campaign.world, news.unit, news.lies
    loses = world.game.loses
    lost = command_name(loses) if loses else ""
    who = f", by {lies.by}" if lies.by else ""
    if isinstance(lies.place, Lost) and news.moved:
        yield f"{unit.id} has gone to {lies.at}{who}", [lost, f"unit={unit.id}", *lies.place.fields] if lost else []
        return
    if news.moved and isinstance(lies.place, Place):
        yield (
            f"{unit.id} has gone from {world.show_place(unit.place)} to {world.show_place(lies.place)}{who}",
            _moves(campaign, news, lies.place),
        )
    if news.turned > 0:
        steps = loses is not None and "to" in loses.__struct_fields__
        order = [lost, f"unit={unit.id}", f"to={lies.step}"] if steps and unit.place.on_map else []
        yield f"{unit.id} is turned to its {lies.step}{who}", order
    elif news.turned < 0:
        up = "full strength" if lies.step == STEPS[0] else lies.step
        yield f"{unit.id} is turned up to {up}, and nobody has rebuilt it here{who}", []


def _moves(campaign: Campaign, news: News, to: Place) -> list[str]:
    known = {command_name(each) for each in campaign.world.game.commands}
    unit = f"unit={news.unit.id}"
    if to.kind != HEX:
        return []
    if not news.unit.place.on_map:
        return [PLACE, unit, f"at={to.of}"] if PLACE in known else []
    if MOVE in known:
        return [MOVE, f"units={news.unit.id}", f"to={to.of}"]
    return [PUT, unit, f"at={to.of}", "note=as it lies in VASSAL"]
