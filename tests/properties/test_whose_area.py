"""Units are lost on every kind of ground, a month goes by: nobody's units or points lie in an area of the enemy's.

Whose an area is, is worked out here anew from the words of the scenario, by the sides of its countries.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from forcepool.engine.options import options
from forcepool.engine.state import Unit
from forcepool.files.yamltext import read_yaml
from forcepool.games.europa.air.question import is_air
from forcepool.games.europa.world import EuropaWorld
from tests.campaigns.wars import scenario
from tests.support.any_game import Seat, sit_down

SIDES = {
    "Axis": ("Germany", "Italy", "Rumania", "Hungary", "Slovakia", "Finland", "Libya", "Cyrenaica", "Tripolitania"),
    "Soviet": ("Soviet Union",),
    "Allied": ("Britain", "France", "Belgium", "Egypt", "Palestine", "Algeria", "Morocco", "Tunisia", "Luxembourg"),
}
COUNTRIES = {country: side for side, countries in SIDES.items() for country in countries}
RUN_BY_MDS = ("Soviet Union", "Poland", "Czechoslovakia")
A_NATION = 12
"""Units lost by each nation."""
HOW = (("no", "eliminated"), ("combat", "eliminated"), ("no", "cadre"), ("supply", "eliminated"))
"""How units are isolated as they are lost, and what becomes of them."""
SEED = bytes(range(32))


class Table:
    """A shipped scenario, and whose its areas are."""

    def __init__(self, name: str) -> None:
        self.seat: Seat = sit_down("europa", scenario(name), seed=SEED)
        world = self.seat.campaign.world
        assert isinstance(world, EuropaWorld)
        self.world = world
        given: Any = read_yaml(scenario(name), f"{name}.yaml").data
        self.areas: dict[str, dict[str, str]] = {
            f"{kind}/{each.casefold()}": dict(words)
            for kind in ("theatre", "front", "md")
            for each, words in given.get(f"{kind}s", {}).items()
        }
        self.owners = {each: words.get("owner", "") for each, words in given["places"].items()}
        self.around = {each: self.at(words) for each, words in given["places"].items()}

    @staticmethod
    def at(words: dict[str, str]) -> str:
        md, front = words.get("md", ""), words.get("front", "")
        return f"md/{md.casefold()}" if md else front if "/" in front else f"front/{front.casefold()}" if front else ""

    def above(self, area: str) -> str:
        words = self.areas.get(area, {})
        front, theatre = words.get("front", ""), words.get("theatre", "")
        return f"front/{front.casefold()}" if front else f"theatre/{theatre.casefold()}" if theatre else ""

    def said(self, area: str, word: str) -> str:
        return self.areas.get(area, {}).get(word, "")

    def line(self, area: str) -> Iterator[str]:
        while area:
            yield area
            area = self.above(area)

    def sides_of(self, area: str) -> set[str]:
        """Who controls an area, else the sides of countries around it, else within, else of its theatre or owners."""
        if said := next((word for each in self.line(area) if (word := self.said(each, "controlled_by"))), ""):
            return {said}
        around = [self.said(each, "country") for each in self.line(area)]
        if country := next((each for each in around if each), ""):
            return {COUNTRIES[country]}
        within = [each for each in self.areas if each != area and area in self.line(each)]
        inside = {self.said(each, "controlled_by") or COUNTRIES.get(self.said(each, "country"), "") for each in within}
        if inside - {""}:
            return inside - {""}
        if above := self.above(area):
            return self.sides_of(above)
        return {self.owners[each] for each, where in self.around.items() if where and area in self.line(where)} - {""}

    def is_anothers(self, area: str, nation: str) -> bool:
        side = self.world.side_of(nation)
        return area in self.areas and bool(whose := self.sides_of(area)) and side not in whose

    # ---------------------------------------------------------------------------------------------- playing

    def units_of(self, nation: str, *, flying: bool) -> list[Unit]:
        units = (each for each in self.seat.campaign.state.units_in_order() if each.spec.nation == nation)
        return [each for each in units if each.place.on_map and is_air(self.world, each) is flying][:A_NATION]

    def lose(self) -> None:
        """Each nation loses units on grounds of its own, of its friends and of its enemies, in each way."""
        places, state = sorted(self.world.spots), self.seat.campaign.state
        step = max(1, len(places) // A_NATION - 1)
        for start, nation in enumerate(sorted({unit.spec.nation for unit in state.units.values()})):
            for number, unit in enumerate(self.units_of(nation, flying=False)):
                self.seat.do("put-unit", unit=unit.id, at=places[(start + number * step) % len(places)])
                if number % 5 == 4:
                    self.seat.give("disrupt", unit=unit.id)
                else:
                    isolated, to = HOW[number % len(HOW)]
                    self.seat.give("lose", unit=unit.id, isolated=isolated, to=to)
            for number, unit in enumerate(self.units_of(nation, flying=True)[:4]):
                self.seat.do("put-unit", unit=unit.id, at=places[(start + number * step) % len(places)])
                self.seat.do("declare", unit=unit.id, fact="air_result", value=("aborted", "eliminated")[number % 2])
                self.seat.give("settle-air-result", unit=unit.id, to=("aborted", "eliminated")[number % 2])

    def a_month(self) -> None:
        clock = self.seat.campaign.state.clock
        while self.seat.campaign.state.clock.turn <= clock.turn + self.world.calendar.turns_per_month:
            self.seat.give("advance", override="the month goes by")

    # --------------------------------------------------------------------------------------------- what must hold

    def units_astray(self) -> list[str]:
        state = self.seat.campaign.state
        return [
            f"{unit.id} of {unit.spec.nation}: {self.world.show_place(unit.place)}"
            for unit in state.units_in_order()
            if not unit.place.on_map and self.is_anothers(unit.place.of, unit.spec.nation)
        ]

    def points_astray(self) -> list[str]:
        """Points, losses and debts in areas of others; in MDs of anybody's but the Soviets'."""
        found = []
        for account, held in sorted(self.seat.campaign.state.balances.items()):
            area = next((each for each in self.areas if held and account.pool.endswith(each)), "")
            by_mds = account.nation in RUN_BY_MDS or not area.startswith("md/")
            if area and (not by_mds or self.is_anothers(area, account.nation)):
                found.append(f"{held} {account.kind} of {account.nation}: {account.pool}")
        return found

    def offers_astray(self) -> list[str]:
        """What is offered for units in boxes and on the map, open or closed, that would use an area of others."""
        found, state = [], self.seat.campaign.state
        for unit in list(state.units_in_order())[::7]:
            for each in options(self.world, state, unit):
                named = [getattr(each.command, field, "") for field in ("into", "track", "pay_from", "front")]
                if any(self.is_anothers(area, unit.spec.nation) for area in named):
                    found.append(f"{unit.id} of {unit.spec.nation}: {each.command}")
        return found


@pytest.mark.parametrize("name", ["east-1941", "west-1940", "smolensk", "compass-published"])
def test_nothing_of_a_side_lies_in_an_area_of_another(name: str) -> None:
    table = Table(name)
    assert (table.units_astray(), table.points_astray()) == ([], [])
    table.lose()
    assert (table.units_astray(), table.points_astray()) == ([], [])
    table.a_month()
    assert (table.units_astray(), table.points_astray()) == ([], [])
    assert table.offers_astray() == []
    lost = [unit for unit in table.seat.campaign.state.units.values() if not unit.place.on_map]
    assert len(lost) > A_NATION
