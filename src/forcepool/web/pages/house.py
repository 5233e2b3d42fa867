"""House rules: every ruling a group may decide its own way, by heading, and which are played differently here."""

from itertools import groupby
from typing import Any

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from forcepool.engine.switches import Option, Switch
from forcepool.rulebook.book import load
from forcepool.rulebook.clause import heading_of, natural_key, prefixes
from forcepool.rulebook.headings import title_of
from forcepool.rulebook.search import words_of
from forcepool.web.chair import SEES_ALL
from forcepool.web.here import Here, here
from forcepool.web.pages import Page, at
from forcepool.web.render import page

TABLE = "How a group plays together"


class HouseLine(Struct, frozen=True):
    """A ruling as this campaign plays it."""

    switch: Switch
    chosen: Option

    @property
    def usual(self) -> Option:
        return self.switch.options[0]

    @property
    def differs(self) -> bool:
        """Whether it is played another way than usual."""
        return self.chosen.name != self.usual.name

    @property
    def part(self) -> str:
        return part_of(self.switch)

    @property
    def words(self) -> str:
        """Everything it may be found by."""
        title = load()[self.switch.clause].title if self.switch.clause else TABLE
        texts = (option.text for option in self.switch.options)
        return " ".join((self.switch.key, self.switch.clause, self.switch.about, title, title_of(self.part), *texts))


def part_of(switch: Switch) -> str:
    """The heading a ruling is listed under: 52.A of 52.A.9.d/2; nothing for what no rule speaks of."""
    return prefixes(heading_of(switch.clause))[:2][-1] if switch.clause else ""


def in_order(switch: Switch) -> Any:
    """The order of the rules; what no rule speaks of stands last."""
    return not switch.clause, natural_key(switch.clause)


def house_lines(it: Here) -> list[HouseLine]:
    """Every ruling of the game, in the order of the rules."""

    def make() -> list[HouseLine]:
        lines = [HouseLine(each, _in_force(it, each)) for each in it.world.game.house_rules]
        return sorted(lines, key=lambda line: in_order(line.switch))

    found: list[HouseLine] = it.kept("house rules", make)
    return found


def _in_force(it: Here, switch: Switch) -> Option:
    return switch.option(it.world.ruling(it.state, switch.key))


def fits(line: HouseLine, words: str) -> bool:
    """Whether each word begins one of the ruling's."""
    known = words_of(line.words)
    return all(any(each.startswith(word) for each in known) for word in words_of(words))


async def house(request: Request) -> Response:
    it = here(request)
    words, only = request.query_params.get("q", "").strip()[:80], "differs" in request.query_params
    every = house_lines(it)
    lines = [line for line in every if fits(line, words) and (line.differs or not only)]
    return page(
        it,
        "house.html",
        title="House rules",
        key="rules",
        words=words,
        only=only,
        count=len(every),
        differ=sum(line.differs for line in every),
        shown=len(lines),
        parts=[(part, list(group)) for part, group in groupby(lines, key=lambda line: line.part)],
        title_of=title_of,
        titles={line.switch.clause: load()[line.switch.clause].title for line in lines if line.switch.clause},
        table=TABLE,
        manages=it.seat.role in SEES_ALL,
    )


PAGE = Page("house", "House rules", "/house", "", [at("/house", house)])
