"""Whole campaigns reckoned twice: what the engine wrote into a journal against a reckoner that knows only the clauses.

The modules beside this one were written from the clauses and the charts, without the rule modules of the games, and
import none of them: where both make the same mistake, they made it twice. Each shipped scenario is played a few turns
by the bot, with a scripted offensive besides: losses on both sides each turn, on own and on enemy ground, isolated and
not, and places that change hands. FORCEPOOL_RECKONER_TURNS=48 plays every one of them that long.
"""

import ast
import os
import re
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from forcepool.engine import desk
from forcepool.engine.events import AnyEvent, Moved, Transferred
from forcepool.engine.journal import MemoryJournal
from forcepool.planner.bot import play
from tests.campaigns.wars import SEED, scenario
from tests.campaigns.wars import fought as fought_over
from tests.reckoner import eastern
from tests.reckoner.offensive import come_on, try_to
from tests.reckoner.reckoner import Reckoner, reckon
from tests.reckoner.record import Step, opened, steps
from tests.support.any_game import sit_down

EASTERN = "eastern-front"
TURNS = {"smolensk": 10, "compass-published": 8, "west-1940": 6, "east-1941": 1, EASTERN: 12}
"""How long each is played in a common run; the East is large."""
LEAST = 0.95
"""The share of figures that must be reckoned at all: a reckoner that passes everything over finds nothing."""


def turns(name: str) -> int:
    return int(os.environ.get("FORCEPOOL_RECKONER_TURNS", TURNS[name]))


def fought(name: str, seed: int, length: int) -> MemoryJournal:
    """The journal of a war between the bot and itself, with an offensive on the map."""
    seat = sit_down("europa", scenario(name), seed=SEED)
    random = Random(seed)
    for act in play(seat.campaign, turns=length, seed=seed, acts=12):
        if isinstance(act.command, desk.Advance):
            come_on(seat, random)
    journal = seat.campaign.journal
    assert isinstance(journal, MemoryJournal)
    return journal


@pytest.mark.parametrize("name", sorted(set(TURNS) - {EASTERN}))
@pytest.mark.parametrize("seed", [5])
def test_a_campaign_comes_out_the_same_when_it_is_reckoned_anew(name: str, seed: int) -> None:
    tally = reckon(fought(name, seed, turns(name)))
    print(tally.report())
    assert tally.different == []
    assert tally.share() >= LEAST, tally.report()
    assert {"boxes", "losses"} <= set(tally.reckoned)


def fought_in_the_second_game(seed: int, length: int) -> MemoryJournal:
    """The bot plays both sides, the front moves, and a factory is begun whenever the rules let it."""
    seat = sit_down("eastern_front", scenario("eastern-front"), seed=SEED)
    seat.do("choose-first-factory", unit="Tank A")
    random = Random(seed)
    for act in fought_over(seat, seed, length):
        if isinstance(act.command, desk.Advance):
            works = [unit.id for unit in seat.campaign.state.units_in_order() if unit.place.kind == "unused"]
            for work in random.sample(works, min(4, len(works))):
                try_to(seat, "choose-factory", unit=work)
    journal = seat.campaign.journal
    assert isinstance(journal, MemoryJournal)
    return journal


def test_the_second_game_comes_out_the_same_when_it_is_reckoned_anew() -> None:
    tally = eastern.reckon(fought_in_the_second_game(4, turns(EASTERN)))
    print(tally.report())
    assert tally.different == []
    assert tally.share() >= LEAST, tally.report()
    assert {"turn track", "production", "factories", "prices", "arrivals"} <= set(tally.reckoned)


HEADINGS = {
    "boxes": ("lose", Moved),
    "losses": ("lose", Transferred),
    "special replacements": ("advance", Transferred),
    "prices": ("replace", Transferred),
    "arrivals": ("replace", Moved),
    "receipts": ("advance", Transferred),
    "limited allowances": ("advance", Transferred),
    "points in transit": ("advance", Transferred),
}
"""What is changed in a journal to see whether each heading notices: an order, and what came of it."""


def falsified(event: AnyEvent) -> AnyEvent:
    """The same with a figure that is off: an eighth of a point too much, a turn late, in another's box."""
    if isinstance(event, Transferred):
        late = re.sub(r"^due/(\d+)", lambda found: f"due/{int(found[1]) + 1}", event.frm)
        return replace(event, amount=event.amount + Fraction(1, 8), frm=late)
    if isinstance(event, Moved):
        return replace(event, to=replace(event.to, of="national/Nobody", due=event.to.due + 1))
    return event


@pytest.fixture(scope="module")
def desert() -> MemoryJournal:
    return fought("compass-published", 6, 8)


@pytest.mark.parametrize("heading", sorted(HEADINGS))
def test_a_figure_that_is_off_is_found(heading: str, desert: MemoryJournal) -> None:
    order, kind = HEADINGS[heading]
    reckoner = Reckoner(*opened(desert))
    for step in steps(desert):
        events = [falsified(event) if isinstance(event, kind) else event for event in step.entry.events]
        reckoner.read(Step(replace(step.entry, events=events), step.order) if step.name == order else step)
    assert any(heading in each.partition(":")[0] for each in reckoner.tally.different)


def test_the_reckoner_knows_no_rule_module() -> None:
    """It would only agree with itself."""
    written = [path for path in sorted(Path(__file__).parent.glob("*.py")) if path.name != Path(__file__).name]
    for path in written:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            named = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
            assert not any(each.startswith("forcepool.games") for each in (module, *named)), path.name
