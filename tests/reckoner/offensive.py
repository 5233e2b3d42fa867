"""A small scripted offensive: each turn the player to move comes on, and both sides lose units as the seed has it."""

from random import Random
from typing import Any

from forcepool.engine.campaign import Campaign, Done
from forcepool.engine.command import BadCommand
from forcepool.engine.decide import Decision
from forcepool.engine.state import Unit
from forcepool.engine.units import STEPS
from tests.support.any_game import Seat

ISOLATED = ("no", "no", "no", "combat", "supply")
CAUSES = ("combat", "combat", "combat", "overrun", "isolation-roll", "other")
AIR = frozenset(("F", "HF", "NF", "D", "A", "B", "NB", "T", "HB", "HT"))


def come_on(seat: Seat, random: Random) -> None:
    """As a phase begins: in movement units go over to enemy places, in combat places fall and units are lost."""
    campaign = seat.campaign
    phase = campaign.world.phase(campaign.state)
    if phase == "movement":
        advance(seat, random)
    elif phase == "combat":
        lose(seat, random)


def advance(seat: Seat, random: Random) -> None:
    """Some units of the player go to places of the enemy, and with some of them the place changes hands."""
    campaign = seat.campaign
    side = campaign.world.phasing(campaign.state)
    enemy = [
        on.removeprefix("place/")
        for on, marks in sorted(campaign.state.marks.items())
        if on.startswith("place/") and "owner" in marks and marks["owner"].value != side
    ]
    movers = [unit for unit in ground_units(campaign) if side_of(campaign, unit) == side]
    for unit in random.sample(movers, min(3, len(movers))):
        if not enemy:
            return
        place = random.choice(enemy)
        if random.random() < 0.5:
            try_to(seat, "declare", fact="owner", about=place, value=side)
        try_to(seat, "move-units", units=[unit.id], to=place)


def lose(seat: Seat, random: Random) -> None:
    """Three to six units of either side are eliminated or reduced, isolated or not, by every cause."""
    units = ground_units(seat.campaign)
    for unit in random.sample(units, min(random.randint(3, 6), len(units))):
        weaker = [step for step in STEPS[STEPS.index(unit.step) + 1 :] if unit.spec.has(step)]
        to = random.choice(["eliminated", "eliminated", *weaker])
        fields = {"unit": unit.id, "to": to, "isolated": random.choice(ISOLATED), "cause": random.choice(CAUSES)}
        try_to(seat, "lose", **fields)


def ground_units(campaign: Campaign) -> list[Unit]:
    return [unit for unit in campaign.state.units_in_order() if unit.place.on_map and unit.spec.type not in AIR]


def side_of(campaign: Campaign, unit: Unit) -> str:
    return str(campaign.world.side_now(campaign.state, unit.spec.nation))


def try_to(seat: Seat, name: str, **fields: Any) -> bool:
    """Give an order if the rules let it pass."""
    order = seat.order(name, **fields)
    try:
        if not isinstance(seat.campaign.judge(order), Decision):
            return False
    except BadCommand:
        return False
    assert isinstance(seat.campaign.do(order), Done)
    return True
