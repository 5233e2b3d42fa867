"""A year of air cycles and reserves: played by the bot, replayed, and every point accounted for."""

from collections import Counter, defaultdict
from fractions import Fraction
from random import Random

import pytest

from forcepool import games
from forcepool.engine.campaign import Campaign
from forcepool.engine.command import command_name
from forcepool.engine.journal import MemoryJournal, check_chain
from forcepool.engine.ledger import SINK, SOURCE, imbalance
from forcepool.engine.state import Unit, to_bytes
from forcepool.games.europa.air.question import is_air
from forcepool.games.europa.facts import OPERATIONAL, STRATEGIC
from forcepool.games.europa.replacements.general.placement import PlaceUnit
from forcepool.games.europa.reserves.changes import reserve_of
from forcepool.games.europa.reserves.status import GONE
from forcepool.games.europa.world import EuropaWorld
from forcepool.planner.bot import play
from tests.support.armies import air_and_reserves
from tests.support.table import Table

TURNS, GROUND, AIR = 48, 80, 20
CYCLES = TURNS // 4
SEED = bytes(range(32))
BASES = {"Axis": ("Orsha", "Polotsk"), "Soviet": ("Kubinka", "Tula")}
RESULTS = ("damaged", "ineffective", "aborted", "eliminated")
INTO_THE_BOX = "place reserve=strategic"
FLYING_RESERVES, STRAY_MARKERS = "air units in reserve", "reserve markers on units that are gone"
Year = tuple[Table, Counter[str]]
Totals = defaultdict[tuple[str, str], Fraction]


@pytest.fixture(scope="module")
def year() -> Year:
    table = Table(air_and_reserves(GROUND, AIR), seed=SEED)
    given: Counter[str] = Counter()
    sky = Random(5)
    for act in play(table.campaign, turns=TURNS, seed=7):
        given[command_name(act.command)] += 1
        given[INTO_THE_BOX] += isinstance(act.command, PlaceUnit) and act.command.reserve == STRATEGIC
        if command_name(act.command) == "advance":
            fly(table, sky)
            given[FLYING_RESERVES] += sum(is_air(world_of(table), unit) for unit in in_reserve(table))
            given[STRAY_MARKERS] += sum(unit.place.kind in GONE for unit in in_reserve(table))
    return table, given


def world_of(table: Table) -> EuropaWorld:
    assert isinstance(table.campaign.world, EuropaWorld)
    return table.campaign.world


def in_reserve(table: Table, *kinds: str) -> list[Unit]:
    """The units in operational or strategic reserve, or in one of them."""
    facts = world_of(table).facts(table.campaign.state)
    wanted = kinds or (OPERATIONAL, STRATEGIC)
    return [unit for unit in table.campaign.state.units_in_order() if reserve_of(facts, unit) in wanted]


def fly(table: Table, sky: Random) -> None:
    """In each combat phase two air units of the player come home hit."""
    world, state = table.campaign.world, table.campaign.state
    if world.phase(state) != "combat":
        return
    based = on_bases(table, BASES.get(world.phasing(state), ()))
    for unit in sky.sample(based, min(2, len(based))):
        table.do("declare", fact="air_result", unit=unit.id, value=sky.choice(RESULTS))


def on_bases(table: Table, bases: tuple[str, ...]) -> list[Unit]:
    return [unit for unit in table.campaign.state.units_in_order() if unit.place.on_map and unit.place.of in bases]


def test_the_year_was_really_played(year: Year) -> None:
    table, given = year
    assert table.campaign.world.when(table.campaign.state) == "Jul 1 42, Axis initial phase"
    assert given["advance"] == TURNS * 3 * 6
    for name in ("settle-air-result", "repair-air", "replace-air", "raise-air-status", "regroup-air", "place-air"):
        assert given[name] >= 3, name
    reserves = ("enter-reserve", "leave-reserve", "enter-strategic-reserve", "leave-strategic-reserve")
    for name in reserves:
        assert given[name] >= 2, name
    assert sum(given[name] for name in reserves) >= 20
    assert given["withdraw-air"] == given["convert-air"] == 1


def test_air_units_stayed_out_of_the_reserves(year: Year) -> None:
    table, given = year
    assert any(is_air(world_of(table), unit) for unit in table.campaign.state.units.values())
    assert in_reserve(table)
    assert given[FLYING_RESERVES] == 0


def test_units_that_were_lost_left_their_reserve(year: Year) -> None:
    table, given = year
    assert any(unit.place.kind in GONE for unit in table.campaign.state.units.values())
    assert given[STRAY_MARKERS] == 0


def test_what_left_strategic_reserve_had_entered_it_or_was_placed_there_when_rebuilt(year: Year) -> None:
    table, given = year
    came, left = given["enter-strategic-reserve"] + given[INTO_THE_BOX], given["leave-strategic-reserve"]
    assert left > 0
    assert given[INTO_THE_BOX] > 0
    assert came - left == len(in_reserve(table, STRATEGIC))


def test_both_countries_rolled_for_their_reserves_every_month(year: Year) -> None:
    _, given = year
    assert given["roll-deployment"] == 2 * CYCLES


def test_the_arps_of_twelve_air_cycles_were_received(year: Year) -> None:
    table, _ = year
    for nation, monthly in (("Germany", Fraction(9)), ("Soviet Union", Fraction(15, 2))):
        assert -table.holds(f"{SOURCE}air order of battle", "arp", nation) == CYCLES * monthly


def test_it_replays_to_the_same_state(year: Year) -> None:
    table, _ = year
    assert isinstance(table.journal, MemoryJournal)
    table.journal.snapshots.clear()
    again = Campaign(table.journal, games.build_world, SEED)
    assert to_bytes(again.state) == to_bytes(table.campaign.state)
    assert list(check_chain(table.journal.read())) == []


def test_received_is_spent_and_held_and_lost_by_nation_and_kind(year: Year) -> None:
    table, _ = year
    assert imbalance(table.campaign.state.balances.items()) == {}
    received, gone, held = totals(table)
    assert received
    for key in {*received, *gone, *held}:
        assert received[key] == gone[key] + held[key], key
    for nation in ("Germany", "Soviet Union"):
        assert gone[nation, "arp"] > 0
        assert gone[nation, "or"] > 0


def totals(table: Table) -> tuple[Totals, Totals, Totals]:
    """The points received, gone and held, by nation and kind."""
    received: Totals = defaultdict(Fraction)
    gone: Totals = defaultdict(Fraction)
    held: Totals = defaultdict(Fraction)
    for account, balance in table.campaign.state.balances.items():
        key = (account.nation, account.kind)
        if account.pool.startswith(SOURCE):
            received[key] -= balance
        else:
            into = gone if account.pool.startswith(SINK) else held
            into[key] += balance
    return received, gone, held
