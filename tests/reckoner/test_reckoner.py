"""Whole campaigns reckoned twice: what the engine wrote into a journal against a reckoner that knows only the clauses.

The modules beside this one were written from the clauses and the charts, without the rule modules of the games, and
import none of them: where both make the same mistake, they made it twice. Each shipped scenario is played a few turns,
by the bot alone and with a scripted offensive: losses on both sides each turn, on own and on enemy ground, isolated and
not, places that change hands, air units hit, rare orders taken from the lists of offers, slips that are taken back.

FORCEPOOL_RECKONER_TURNS=48 plays every scenario that long with both players, which takes about an hour. To look into
one of them again and again, keep its journal: `python -m tests.reckoner.recording FOLDER east-1941 offensive 48` plays
and writes it down, `python -m tests.reckoner.recording FOLDER` reckons all that lie there in a few seconds.
"""

import ast
import os
import re
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from forcepool.engine.events import AnyEvent, Moved, Transferred
from forcepool.engine.journal import Journal, MemoryJournal, read_entry
from tests.campaigns.wars import scenario
from tests.reckoner import recording
from tests.reckoner.rarities import slip
from tests.reckoner.reckoner import Reckoner
from tests.reckoner.reckoning import reckon
from tests.reckoner.record import Step, opened, steps
from tests.reckoner.wars import BOT, EASTERN, OFFENSIVE, PLAYERS, SCENARIOS, fought
from tests.support.any_game import Seat, sit_down

TURNS = {
    ("compass-published", BOT): 8,
    ("compass-published", OFFENSIVE): 8,
    ("east-1941", BOT): 1,
    ("east-1941", OFFENSIVE): 1,
    (EASTERN, BOT): 6,
    (EASTERN, OFFENSIVE): 10,
    ("smolensk", BOT): 10,
    ("smolensk", OFFENSIVE): 8,
    ("west-1940", BOT): 4,
    ("west-1940", OFFENSIVE): 1,
}
"""How long each is played in a common run; the East is large."""
LEAST = 0.95
"""The share of figures that must be reckoned at all: a reckoner that passes everything over finds nothing."""


@cache
def war(name: str, player: str) -> Journal:
    """The journal of a war, played once for all who look at it."""
    turns = int(os.environ.get("FORCEPOOL_RECKONER_TURNS", TURNS[name, player]))
    return fought(name, player, turns, MemoryJournal())


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("name", SCENARIOS)
def test_a_campaign_comes_out_the_same_when_it_is_reckoned_anew(name: str, player: str) -> None:
    tally = reckon(war(name, player))
    print(tally.report())
    assert tally.different == []
    assert tally.share() >= LEAST, tally.report()
    least = {"turn track", "prices", "arrivals"} if name == EASTERN else {"boxes", "losses", "special replacements"}
    assert least <= set(tally.reckoned)


def test_what_was_taken_back_is_left_out_and_what_was_given_again_counts() -> None:
    seat, random = sit_down("europa", scenario("compass-published")), Random(1)
    while seat.campaign.world.phase(seat.campaign.state) != "combat":
        seat.do("advance")
    for _ in range(80):
        slip(seat, random)
    journal = seat.campaign.journal
    entries = [read_entry(sealed) for sealed in journal.read(2)]
    undone = {n for entry in entries for n in entry.undo}
    again = {n for entry in entries for n in entry.redo}
    assert undone > again > set()
    counted = {step.entry.n for step in steps(journal)}
    assert counted == {entry.n for entry in entries if entry.events and entry.n not in undone - again}


def test_a_journal_that_was_written_down_is_read_back_whole(tmp_path: Path) -> None:
    written = recording.WrittenJournal(tmp_path / "war.journal")
    fought("smolensk", BOT, 2, written)
    assert recording.read(tmp_path / "war.journal").entries == written.entries


HEADINGS = {
    "ARPs lost": ("advance", Transferred),
    "ARPs received": ("advance", Transferred),
    "air boxes": ("settle-air-result", Moved),
    "air prices": ("settle-air-result", Transferred),
    "arrivals": ("replace", Moved),
    "boxes": ("lose", Moved),
    "changes of reserve": ("enter-reserve", Transferred),
    "deployment": ("roll-deployment", Transferred),
    "disrupted points": ("disrupt-points", Transferred),
    "limited allowances": ("advance", Transferred),
    "losses": ("lose", Transferred),
    "points in transit": ("advance", Transferred),
    "prices": ("replace", Transferred),
    "receipts": ("advance", Transferred),
    "reserve points halved": ("advance", Transferred),
    "reserves bring": ("advance", Transferred),
    "special replacements": ("advance", Transferred),
    "victory points": ("advance", Transferred),
    "what time brings": ("advance", Moved),
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


LUCK = (6, 7, 8, 9)
"""The seeds of the desert wars that are looked through for one in which what a heading reckons has happened."""


@cache
def desert(seed: int) -> Journal:
    """The desert with reserves, which the published rules do not have."""
    text = Path(__file__).with_name("desert-with-reserves.yaml").read_text(encoding="utf-8")
    turns = TURNS["compass-published", OFFENSIVE]
    return fought("compass-published", OFFENSIVE, turns, MemoryJournal(), seed, text=text)


def cycle_with_arps_left() -> Journal:
    """In the desert every ARP beyond the three that are kept is spent; here nobody spends any."""
    seat = sit_down("europa", TWO_FIGHTERS.format(held=8))
    while seat.campaign.world.turn_name(seat.campaign.state.clock.turn) != "Aug 1 41":
        seat.do("advance")
    return seat.campaign.journal


@pytest.mark.parametrize("heading", sorted(HEADINGS))
def test_a_figure_that_is_off_is_found(heading: str) -> None:
    wars = (cycle_with_arps_left() for _ in (1,)) if heading == "ARPs lost" else map(desert, LUCK)
    assert any(heading in each.partition(":")[0] for journal in wars for each in differences(journal, heading))


def differences(journal: Journal, heading: str) -> list[str]:
    """What the reckoner finds in a journal in which every figure of a heading is off."""
    order, kind = HEADINGS[heading]
    reckoner = Reckoner(*opened(journal))
    for step in steps(journal):
        events = [falsified(event) if isinstance(event, kind) else event for event in step.entry.events]
        reckoner.read(Step(replace(step.entry, events=events), step.order) if step.name == order else step)
    return reckoner.tally.different


def test_a_second_air_unit_beyond_half_of_the_arps_is_found() -> None:
    """The same two orders pass with eight ARPs and do not with seven: 4 of 8 is half, 4 of 7 is more (28.D.list.3)."""
    for held, found in ((8, 0), (7, 1)):
        seat = sit_down("europa", TWO_FIGHTERS.format(held=held))
        for unit in ("JG 51", "JG 52"):
            seat.give("replace-air", unit=unit, pay_from="theatre/east", override="to see whether it is noticed")
        different = reckon(seat.campaign.journal).different
        assert len([each for each in different if "ARP ceilings" in each]) == found


TWO_FIGHTERS = """
turn: Jul 1 41
phase: replacement
fronts: {{Centre: {{theatre: East}}}}
pools: {{theatre/east: {{German: {{arp: {held}}}}}}}
units:
  JG 51: {{spec: 7F8 Me109F 2/18, nation: German, at: eliminated front/centre}}
  JG 52: {{spec: 7F8 Me109F 2/18, nation: German, at: eliminated front/centre}}
"""


def test_a_rare_type_beyond_its_arps_of_a_cycle_is_found() -> None:
    """Three aborted units of codes B, V and X are three ARPs; a fourth is one too many until June (28.D.1.a)."""
    for turn, found in (("May 3 41", 1), ("Jun 1 41", 0)):
        seat = sit_down("europa", FOUR_RARE_TYPES)
        for unit in ("V", "B", "X"):
            seat.do("repair-air", unit=unit)
        while seat.campaign.world.turn_name(seat.campaign.state.clock.turn) != turn or not own_replacements(seat):
            seat.do("advance")
        seat.give("repair-air", unit="X2", override="to see whether it is noticed")
        tally = reckon(seat.campaign.journal)
        assert tally.reckoned["rare types"] == 4
        assert len([each for each in tally.different if "rare types" in each]) == found


def own_replacements(seat: Seat) -> bool:
    world, state = seat.campaign.world, seat.campaign.state
    return world.phasing(state) == "Axis" and world.phase(state) == "replacement"


FOUR_RARE_TYPES = """
turn: May 2 41
phase: replacement
fronts: {West: {theatre: West}, South: {theatre: South}}
pools: {front/west: {German: {arp: 12}}, front/south: {German: {arp: 9}}}
units:
  V: {spec: 3B4 He111H 3-6 V 28, nation: German, at: aborted front/west}
  B: {spec: 3B4 Do17 3-6 B 28, nation: German, at: aborted front/west}
  X: {spec: 3B4 Ju88 3-6 X 28, nation: German, at: aborted front/south}
  X2: {spec: 3B4 Ju88 3-6 X 28, nation: German, at: aborted front/south}
"""


def test_the_reckoner_knows_no_rule_module() -> None:
    """It would only agree with itself."""
    written = [path for path in sorted(Path(__file__).parent.glob("*.py")) if path.name != Path(__file__).name]
    for path in written:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            named = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
            assert not any(each.startswith("forcepool.games") for each in (module, *named)), path.name
