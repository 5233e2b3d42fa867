"""Pools that are cut off, and boxes whose cities are lost (52.A.12, 52.A.10.a/4, 51.B.7/8)."""

from forcepool.engine.places import Place
from forcepool.engine.state import Unit
from tests.reckoner import counters, ground
from tests.reckoner.desk import Desk
from tests.reckoner.record import Step

CUT, LOST = "cut off", "boxes lost"


class CutOffBook:
    def __init__(self, desk: Desk) -> None:
        self.desk, self.scenario, self.table = desk, desk.scenario, desk.table

    def read(self, step: Step) -> None:
        if step.name != "advance":
            return
        turn = self.desk.turn_begins(step)
        player = self.scenario.player(turn) if turn else ""
        for unit in list(self.table.units.values()):
            went = step.moves.get(unit.id, [])
            if unit.place.kind == "eliminated":
                self.sweep(step, unit, player, went)
            elif unit.place.kind in ("forming", "forming-box") and went and went[-1].kind == "eliminated":
                self.lose(step, unit, went)

    def sweep(self, step: Step, unit: Unit, player: str, went: list[Place]) -> None:
        """52.A.12/2, /3: as the owner's turn begins, out of a box whose area has no unisolated city of his."""
        moved = bool(went) and (went[-1].kind, went[-1].of) != ("eliminated", unit.place.of)
        if unit.place.of not in self.scenario.areas or self.side(unit) != player or self.is_in_no_pool(unit):
            return
        open_cities = self.cities(unit.place.of, player)
        if not moved and (open_cities or not self.cities(unit.place.of)):
            return
        if open_cities and self.scenario.map:
            self.desk.leave(CUT, "cities that the map alone shows to be isolated")
        elif self.scenario.map and not ground.beside(self.scenario, self.table, unit.place.of):
            self.desk.leave(CUT, "neighbours that the map alone shows")
        else:
            self.goes_to_a_refuge(step, unit, went[-1] if moved else None, open_cities)
        self.desk.account_for_units(step, unit.id)

    def goes_to_a_refuge(self, step: Step, unit: Unit, went: Place | None, open_cities: list[str]) -> None:
        """52.A.12/2, /3: to the first neighbour; a later one, or none, where the map alone cuts off those before it."""
        refuges = self.refuges(unit, step.began[-1].turn) if not open_cities else [None]
        if self.scenario.map and went in refuges[1:]:
            self.desk.leave(CUT, "neighbours that the map alone shows to be cut off")
        else:
            self.desk.compare(CUT, step, unit.id, refuges[0], went)

    def is_in_no_pool(self, unit: Unit) -> bool:
        """Air units lie on their AIR CHART (28.B), those that are set aside in no pool yet (52.F.1/1)."""
        return "air" in unit.spec.traits or self.table.mark(f"unit/{unit.id}", "set_aside") is not None

    def cities(self, area: str, player: str = "") -> list[str]:
        """The cities of an area: all of them, or a player's own that are not declared to be isolated."""
        return [
            name
            for name, spot in self.scenario.spots.items()
            if area in ground.upward(self.scenario, spot["area"])
            and self.is_city(name)
            and (not player or self.is_open(name, player))
        ]

    def is_city(self, name: str) -> bool:
        on = f"place/{name}"
        return bool(self.table.mark(on, "city")) or self.table.mark(on, "city_size") not in (None, "town")

    def is_open(self, name: str, player: str) -> bool:
        on = f"place/{name}"
        return self.table.mark(on, "owner") == player and self.table.mark(on, "isolated") in (None, "no")

    def refuges(self, unit: Unit, turn: int) -> list[Place | None]:
        """The adjacent areas that are not cut off themselves, in four turns; last the isolated box, at once."""
        own, due = self.side(unit), turn + self.scenario.turns("evacuation_time")
        found: list[Place | None] = []
        for area in ground.beside(self.scenario, self.table, unit.place.of):
            lost = self.cities(area) and not self.cities(area, own)
            if not lost and own in ground.sides_of(self.scenario, self.table, area):
                found.append(Place("eliminated", area, due))
        return [*found, Place("isolated", f"national/{unit.spec.nation}")]

    def lose(self, step: Step, unit: Unit, went: list[Place]) -> None:
        """51.B.7/8: with the last city of its area a forming unit is eliminated, into the box above."""
        held = [
            name
            for name, spot in self.scenario.spots.items()
            if unit.place.of in ground.upward(self.scenario, spot["area"])
            and self.is_city(name)
            and self.table.mark(f"place/{name}", "owner") == self.side(unit)
        ]
        self.desk.compare(LOST, step, f"{unit.id}: cities of {unit.place.of}", [], held)
        chain = list(ground.upward(self.scenario, unit.place.of))
        chart = ground.chart_in(self.scenario, self.table, chain, unit.spec.nation)
        self.desk.compare(LOST, step, unit.id, Place("eliminated", chart), went[-1])
        self.desk.account_for_units(step, unit.id)

    def side(self, unit: Unit) -> str:
        nation = unit.spec.nation
        return str(self.table.mark(f"nation/{nation}", "sides_with") or counters.side(self.scenario, nation))
