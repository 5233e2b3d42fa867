"""What a bot of habit never does: rare orders from the lists of offers, air units hit, pockets, slips of the pen."""

from random import Random

from forcepool.engine.campaign import Done
from forcepool.engine.command import command_name
from forcepool.engine.options import options, options_of_side
from forcepool.engine.state import Unit
from tests.reckoner.offensive import AIR, ground_units, side_of, try_to
from tests.support.any_game import Seat

RARE = frozenset(
    (
        "activate-early",
        "break-down",
        "convert",
        "disband",
        "disband-militia",
        "disband-nkvd",
        "disrupt",
        "disrupt-points",
        "evacuate",
        "form-division",
        "leave-isolated-box",
        "pay-casualties",
        "rebuild-cadre",
        "rebuild-contingent",
        "rebuild-remnant",
        "rebuild-substitute",
        "recall-scrapped",
        "refit",
        "reorganise",
        "replace",
        "replace-contingent",
        "settle-air-result",
        "train-cadre",
        "transfer-unit",
        "upgrade-division",
    )
)
OF_A_SIDE = frozenset(("allot", "draft", "give-aid", "send-special", "transfer-arps", "transfer-points"))
OFTEN_OPEN = frozenset(("transfer-unit",))
"""What would crowd out all the rest."""
HOW_OFTEN = 0.4
"""In how many of the phases the lists of offers are looked through, which takes its time."""
AIR_RESULTS = ("damaged", "ineffective", "aborted", "eliminated")


def besides(seat: Seat, random: Random) -> None:
    """As a phase begins."""
    if seat.campaign.world.phase(seat.campaign.state) == "combat":
        hit(seat, random)
    if random.random() < HOW_OFTEN:
        take_up(seat, random)
    slip(seat, random)


def of_the_player(seat: Seat) -> list[Unit]:
    campaign = seat.campaign
    side = campaign.world.phasing(campaign.state)
    return [unit for unit in campaign.state.units_in_order() if side_of(campaign, unit) == side]


def hit(seat: Seat, random: Random) -> None:
    """A few air units of the player come home hit."""
    flew = [unit for unit in of_the_player(seat) if unit.place.on_map and unit.spec.type in AIR]
    for unit in random.sample(flew, min(random.randint(0, 2), len(flew))):
        try_to(seat, "declare", fact="air_result", unit=unit.id, value=random.choice(AIR_RESULTS))


def take_up(seat: Seat, random: Random) -> None:
    """Of what is offered for a handful of units, and to the side as a whole, something rare is done."""
    campaign = seat.campaign
    units = of_the_player(seat)
    rarer = [unit for unit in units if unit.step != "full" or not unit.place.on_map or "foreign" in unit.spec.traits]
    for unit in [*random.sample(units, min(2, len(units))), *random.sample(rarer, min(4, len(rarer)))]:
        now = campaign.state.units[unit.id]
        wanted = RARE if random.random() < 0.1 else RARE - OFTEN_OPEN
        listed = options(campaign.world, campaign.state, now, names=wanted, only_open=True)
        if opened := [each for each in listed if each.open and not each.die]:
            name = random.choice(sorted({command_name(each.command) for each in opened}))
            named = [each.command for each in opened if command_name(each.command) == name]
            assert isinstance(campaign.do(random.choice(named)), Done)
    if random.random() < 0.3:
        side = campaign.world.phasing(campaign.state)
        listed = options_of_side(campaign.world, campaign.state, side, names=OF_A_SIDE)
        if opened := [each for each in listed if each.open and not each.die]:
            assert isinstance(campaign.do(random.choice(opened).command), Done)


def slip(seat: Seat, random: Random) -> None:
    """Now and then a loss is entered and taken back, or taken back and given again after all."""
    roll = random.random()
    units = ground_units(seat.campaign)
    if roll < 0.1 and units and try_to(seat, "lose", unit=random.choice(units).id, to="eliminated"):
        seat.campaign.undo()
        if roll < 0.05:
            seat.campaign.redo()
