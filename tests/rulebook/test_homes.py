"""Whose an area is, and which areas a unit is under."""

import pytest

from forcepool.engine.command import BadCommand
from forcepool.engine.sentence import plain
from forcepool.games.europa import homes
from forcepool.games.europa.profile import shipped
from forcepool.games.europa.world import EuropaWorld
from forcepool.web.chair import FRONT, Seat
from forcepool.web.seats import Sight
from tests.support.table import Table

WEST = """
turn: May 1 40
theatres: {reich: {country: Germany}, west: {}, middle east: {}, libya: {}}
fronts:
  ardennes: {theatre: reich, adjacent: [front/north-east]}
  rhine: {theatre: reich}
  north-east: {theatre: west}
  desert: {theatre: middle east}
mds:
  paris: {theatre: west, country: France}
  egypt: {theatre: middle east, country: egypt}
  tripoli: {theatre: libya, country: Libya}
  nowhere: {country: Atlantis}
places:
  Sedan: {front: north-east, town: yes, owner: Allied}
  Reims: {front: north-east, city: yes, owner: Allied}
  Trier: {front: ardennes, town: yes, owner: Axis}
  Freiburg: {front: rhine, town: yes, owner: Axis}
  Cairo: {md: egypt, city: yes, owner: Allied}
units:
  5 Inf XX: {spec: 8-6 Inf XX (3-6), at: Sedan, nation: German}
  6 Inf XX: {spec: 8-6 Inf XX (3-6), at: Trier, nation: German}
  7 Inf XX: {spec: 8-6 Inf XX (3-6), at: Freiburg, nation: German}
  1 Inf X: {spec: 4-8 Inf X, at: Cairo, nation: British}
"""


@pytest.fixture
def west() -> Table:
    return Table(WEST)


def holders(table: Table, area: str) -> tuple[str, ...]:
    world = table.campaign.world
    assert isinstance(world, EuropaWorld)
    return homes.holders(world, world.facts(table.campaign.state), area)


@pytest.mark.parametrize(
    ("area", "sides"),
    [
        ("theatre/reich", ("Axis",)),
        ("front/rhine", ("Axis",)),
        ("theatre/west", ("Allied",)),
        ("front/north-east", ("Allied",)),
        ("md/egypt", ("Allied",)),
        ("front/desert", ("Allied",)),
        ("theatre/libya", ("Axis",)),
        ("md/nowhere", ()),
    ],
)
def test_an_area_is_its_countrys_or_that_of_what_it_lies_in(west: Table, area: str, sides: tuple[str, ...]) -> None:
    assert holders(west, area) == sides


def test_whoever_takes_all_the_cities_of_an_area_shares_it_with_its_country(west: Table) -> None:
    west.do("declare", fact="owner", about="Sedan", value="Axis")
    assert holders(west, "front/north-east") == ("Allied",)
    west.do("declare", fact="owner", about="Reims", value="Axis")
    assert holders(west, "front/north-east") == ("Allied", "Axis")


def test_every_mother_country_of_the_shipped_profile_is_a_nation() -> None:
    profile = shipped()
    assert set(profile.mother_countries.values()) <= set(profile.nations)
    assert not set(profile.mother_countries) & set(profile.nations)


def test_a_unit_on_enemy_ground_stays_with_the_commander_of_its_front(west: Table) -> None:
    campaign = west.campaign
    unit = west.unit("5 Inf XX")
    assert campaign.world.areas_of(unit, campaign.state) == (
        *("front/ardennes", "theatre/reich"),
        *("front/north-east", "theatre/west"),
    )
    seen = {
        front: Sight(Seat(FRONT, "Axis", front), campaign.world, campaign.state).unit(unit)
        for front in ("front/ardennes", "front/rhine")
    }
    assert seen == {"front/ardennes": True, "front/rhine": False}


@pytest.mark.parametrize(
    ("pool", "areas"),
    [
        ("front/north-east", ("front/north-east", "theatre/west")),
        ("due/1612/front/north-east", ("front/north-east", "theatre/west")),
        ("losses/md/paris", ("md/paris", "theatre/west")),
        ("national/France", ("national/France",)),
        ("source/chart", None),
        ("sink/spent", None),
    ],
)
def test_an_account_belongs_to_the_areas_named_at_its_end(
    west: Table, pool: str, areas: tuple[str, ...] | None
) -> None:
    assert west.campaign.world.areas_of_pool(pool) == areas


def test_a_place_belongs_to_the_areas_around_it_and_an_area_to_itself_and_those_around(west: Table) -> None:
    world = west.campaign.world
    assert world.areas_of_subject("place/Sedan") == ("front/north-east", "theatre/west")
    assert world.areas_of_subject("area/md/paris") == ("md/paris", "theatre/west")


def test_a_kind_of_point_misspelt_is_told_with_the_one_it_is_like(west: Table) -> None:
    with pytest.raises(BadCommand, match=r"no 'armm' points; did you mean arm\?$"):
        west.campaign.world.kind_named("armm")
    with pytest.raises(BadCommand, match="no 'gold' points; kinds are inf, arm"):
        west.campaign.world.kind_named("gold")


@pytest.mark.clause("52.A/3")
def test_a_unit_lost_as_it_was_held_back_tells_of_the_places_of_its_own_front() -> None:
    table = Table(
        """
        turn: Jul 1 40
        player: Allied
        phase: replacement
        players: [Axis, Allied]
        theatres: {West: {country: France}}
        fronts:
          North-East: {theatre: West, country: France, adjacent: [front/ardennes]}
          Ardennes: {country: Germany}
        places:
          Reims: {front: North-East, city: yes, owner: Allied}
          Trier: {front: Ardennes, town: yes, owner: Axis}
        units: {1 Tk X: {spec: 4-6 Tk X, nation: British, at: track front/north-east Jul 1 40}}
        """
    )
    table.do("advance")
    table.do("declare", about="Reims", fact="owner", value="Axis")
    entry = table.do("advance").entry
    (said,) = [event.says for event in entry.events if getattr(event, "unit", "") == "1 Tk X" and event.says]
    assert plain(said) == "held back, and the enemy holds Reims"
