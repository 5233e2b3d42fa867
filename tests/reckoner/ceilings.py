"""What may not be exceeded and what is charged for falling short.

ARPs of a phase (28.D.list.3), ARPs of a cycle for rare types (28.D.1.a), the Mediterranean reserve (49.B.2).
"""

from fractions import Fraction

from forcepool.engine.state import Unit
from tests.reckoner import counters
from tests.reckoner.desk import NOTHING, Desk
from tests.reckoner.record import Step

CEILING, RARE, SHORT = "ARP ceilings", "rare types", "victory points"
FROM_THE_BOXES = ("repair-air", "replace-air")
BETTER = (*FROM_THE_BOXES, "raise-air-status", "settle-air-result")
"""28.D.1.a/2: what brings a unit back or makes its status better, repaired combat results among it."""
CODE = "code "
ARP, VICTORY = "arp", "victory/points"
EMPIRE = ("Britain", "Australia", "Canada", "India", "New Zealand", "South Africa")
"""49.B.2/8: British and Commonwealth."""
Purse = tuple[str, str]
"""A nation's ARPs in a theatre."""


class CeilingBook:
    def __init__(self, desk: Desk) -> None:
        self.desk, self.scenario, self.table = desk, desk.scenario, desk.table
        self.left_the_purse: dict[Purse, Fraction] = {}
        """What a purse has paid out this phase, for whatever purpose, less what came in."""
        self.on_units: dict[Purse, list[Fraction]] = {}
        """What it has paid this phase for units from the boxes."""
        self.on_codes: dict[tuple[str, str], Fraction] = {}
        """By nation and group of codes, what it has paid this air cycle."""

    def read(self, step: Step) -> None:
        if step.name in FROM_THE_BOXES:
            self.within_half(step)
        if step.name in BETTER:
            self.within_the_codes(step)
        self.follow(step)
        if step.name == "advance":
            self.begin_a_cycle(step)
            self.left_the_purse.clear()
            self.on_units.clear()
            self.fall_short(step)

    # ------------------------------------------------------------------------------- half the ARPs of a phase

    def within_half(self, step: Step) -> None:
        """28.D.list.3: units from the boxes take half (or a part the group agreed on) of what the phase began with."""
        clock = self.table.clock
        unit = self.table.units[step.order["unit"]]
        if self.scenario.phase(clock) != "replacement" or self.scenario.player(clock) != self.side(unit.spec.nation):
            return  # 28.D.list.5/2: as his cycle ends he spends as he likes.
        for event in step.transfers(to="sink/spent"):
            if event.kind == ARP:
                purse = (event.nation, event.frm)
                begun = self.table.held(event.frm, event.nation, ARP) + self.left_the_purse.get(purse, NOTHING)
                spent = [*self.on_units.get(purse, []), event.amount]
                self.on_units[purse] = spent
                lawful = len(spent) == 1 or sum(spent) <= begun * self.scenario.number("arps_share")
                what = f"{sum(spent)} of {begun} for {len(spent)} units from {event.frm}"
                self.desk.compare(CEILING, step, what, True, lawful)

    def follow(self, step: Step) -> None:
        for event in step.transfers():
            if event.kind == ARP:
                for pool, amount in ((event.frm, event.amount), (event.to, -event.amount)):
                    purse = (event.nation, pool)
                    self.left_the_purse[purse] = self.left_the_purse.get(purse, NOTHING) + amount

    # ------------------------------------------------------------------------------- rare types

    def within_the_codes(self, step: Step) -> None:
        """28.D.1.a: in one air cycle so many ARPs go to units of certain codes, over all fronts of a force."""
        unit = self.table.units[step.order["unit"]]
        codes = {trait.removeprefix(CODE) for trait in unit.spec.traits if trait.startswith(CODE)}
        spent = sum((event.amount for event in step.transfers(to="sink/spent") if event.kind == ARP), NOTHING)
        for line in self.scenario.charts["rare_codes"]:
            if spent and codes & set(line["codes"]):
                count = (unit.spec.nation, line["clause"])
                self.on_codes[count] = self.on_codes.get(count, NOTHING) + spent
                lawful = self.on_codes[count] <= Fraction(line["arps"])
                what = f"{self.on_codes[count]} ARPs for codes {' '.join(line['codes'])} with {unit.id}"
                self.desk.compare(RARE, step, what, True, lawful)

    def begin_a_cycle(self, step: Step) -> None:
        """28.D.list.5: a cycle lasts until its player's first turn of the next month begins."""
        turn = self.desk.turn_begins(step)
        if turn is not None and self.scenario.week(turn.turn) == 1:
            for nation, clause in list(self.on_codes):
                if self.side(nation) == self.scenario.player(turn):
                    del self.on_codes[nation, clause]

    def side(self, nation: str) -> str:
        return str(self.table.mark(f"nation/{nation}", "sides_with") or counters.side(self.scenario, nation))

    # ------------------------------------------------------------------------------- the Mediterranean reserve

    def fall_short(self, step: Step) -> None:
        """49.B.2/9: as turn 4 ends, a victory point for each RE short of six, less what was shipped to Greece."""
        events = step.transfers(frm=VICTORY)
        turn = self.desk.turn_begins(step)
        ends = turn is not None and turn.turn != self.table.clock.turn
        ours = NOTHING
        if ends and self.scenario.last_week(self.table.clock.turn) and self.table.mark("campaign", "italians_entered"):
            shipped = Fraction(str(self.table.mark("campaign", "shipped_res") or 0))
            least = max(NOTHING, self.scenario.number("mediterranean_res") - shipped)
            there = sum((self.counted(unit) for unit in self.table.units.values()), NOTHING)
            ours = max(NOTHING, least - there)
        got = sum((event.amount for event in events), NOTHING)
        if ours or got:
            self.desk.compare(SHORT, step, "REs short in the Mediterranean reserve", ours, got)
        self.desk.account_for(events)

    def counted(self, unit: Unit) -> Fraction:
        """49.B.2/7, /8: garrison-capable units of the Empire; HQs are counted apart."""
        on, spec = f"unit/{unit.id}", unit.spec
        in_it = unit.place.on_map and self.table.mark(on, "mediterranean_reserve") is True and spec.nation in EMPIRE
        if not in_it or self.table.mark(on, "garrison_capable") is False or counters.says(spec.type, "HQ"):
            return NOTHING
        return counters.res(self.scenario, spec, unit.step)
