"""Operational and strategic reserves: what they bring, the deployment die, and what a change of status costs (49)."""

from fractions import Fraction
from math import floor

from forcepool.engine.events import Marked, Rolled
from forcepool.engine.places import Place
from forcepool.engine.state import Unit
from tests.reckoner import counters, ground, specials
from tests.reckoner.desk import NOTHING, Desk, Receipts, add
from tests.reckoner.record import Line, Step

BROUGHT, DEPLOYED, LEFT_OVER, CHANGED, BOX = (
    "reserves bring",
    "deployment",
    "reserve points halved",
    "changes of reserve",
    "reserve boxes",
)
CHANGES = ("enter-reserve", "leave-reserve", "enter-strategic-reserve", "leave-strategic-reserve")
OPERATIONAL, STRATEGIC = "operational", "strategic"
FORMING = ("forming-box", "forming")
RESERVE = ("reserve/operational", "reserve/mediterranean")
LEVELS = {"inactive": "generation_inactive", "semi-active": "generation_semi_active", "active": "generation_active"}
DEPOTS = {"inactive": "deployment_inactive", "semi-active": "deployment_semi_active", "active": "deployment_active"}
GENERAL = {"arm": "general/armour", "art": "general/artillery"}


class Depot:
    """49.A.1.a list 2: the count of a turn, and the multiplier carried from one active turn to the next."""

    def __init__(self) -> None:
        self.carried, self.used, self.base, self.last = 0, NOTHING, 1, 0

    def charge(self, res: Fraction, width: int) -> Fraction:
        if not self.used:
            self.base = self.carried + 1
        cost = NOTHING
        while res > 0:
            band = floor(self.used / width)
            take = min(res, (band + 1) * width - self.used)
            self.last = self.base + band
            cost += take * self.last
            self.used, res = self.used + take, res - take
        return cost

    def end(self, *, of_the_month: bool) -> None:
        if self.used:
            self.carried = self.last
        self.used = NOTHING
        if of_the_month:
            self.carried = 0


class ReserveBook:
    def __init__(self, desk: Desk) -> None:
        self.desk, self.scenario, self.table = desk, desk.scenario, desk.table
        self.depots: dict[str, Depot] = {}
        self.left: dict[str, int] = {}
        """The month in which a unit last left a reserve."""

    def read(self, step: Step) -> None:
        if step.name == "advance":
            self.bring(step)
            self.halve(step)
            turn = self.desk.turn_begins(step)
            if turn is not None and turn.turn != self.table.clock.turn:
                for depot in self.depots.values():
                    depot.end(of_the_month=self.scenario.last_week(self.table.clock.turn))
        elif step.name == "roll-deployment":
            self.roll(step)
        elif step.name in CHANGES:
            self.change(step, self.table.units[step.order["unit"]])
        self.follow(step)

    def follow(self, step: Step) -> None:
        """Who left a reserve this month, and has not gone back since."""
        arrives = step.name == "place" and self.table.mark(f"unit/{step.order['unit']}", "from_strategic")
        leaves = step.name in ("leave-reserve", "leave-strategic-reserve")
        # 49.A/5: what still forms is in operational reserve all the same.
        if arrives or (leaves and self.table.units[step.order["unit"]].place.kind not in FORMING):
            # Out of the box a unit may still choose a marker as it arrives (49.B.1.7/2): it has left once it does not.
            self.left[step.order["unit"]] = self.month(self.table.clock.turn)
        for event in step.entry.events:
            if isinstance(event, Marked) and event.mark == "reserve":
                unit = event.on.removeprefix("unit/")
                if event.value:
                    self.left.pop(unit, None)
                elif "49.A.2" in event.because:
                    self.left[unit] = self.month(self.table.clock.turn)

    def month(self, turn: int) -> int:
        return turn // self.scenario.calendar.turns_per_month

    # ------------------------------------------------------------------------------- what they bring

    def bring(self, step: Step) -> None:
        """49.A.3: at the start of the reinforcement phase of week 4, for turn 1 of the next month."""
        events = step.transfers(frm="source/reserves")
        began = self.desk.begins(step, "reinforcement")
        ours: Receipts = {}
        if began is not None and self.scenario.last_week(began.turn):
            for unit in self.table.units.values():
                lost = any(place.kind == "eliminated" for place in step.moves.get(unit.id, []))
                if self.side(unit.spec.nation) == self.scenario.player(began) and not lost:
                    self.bring_of(ours, unit, began.turn)
        got = self.desk.gathered(events)
        for nation in sorted({key[0] for key in (*ours, *got)}):
            mine = {key: amount for key, amount in ours.items() if key[0] == nation}
            theirs = {key: amount for key, amount in got.items() if key[0] == nation}
            self.desk.compare(BROUGHT, step, nation, mine, theirs)
        self.desk.account_for(events)

    def bring_of(self, ours: Receipts, unit: Unit, turn: int) -> None:
        if self.left.get(unit.id) == self.month(turn):
            return  # 49.A.1.e/2: it left before week 4, whatever became of it since.
        status = self.status(unit)
        area = self.generates_in(unit, status)
        if not area:
            return
        spec = unit.spec
        size = counters.res(self.scenario, spec, unit.step)
        if counters.plays_role(self.scenario, spec, "training"):
            size *= self.scenario.number("training_re_factor")
        rate = specials.rate(self.scenario, spec.nation, turn)
        amount = (size + spec.strength(unit.step).points) * rate / self.scenario.number(LEVELS[self.activity(area)])
        if status == STRATEGIC:
            amount *= self.scenario.number("strategic_rps")
        kind = self.kind(unit)
        pool = f"national/{spec.nation}"
        if self.side(spec.nation) == "Soviet":
            pool = GENERAL.get(kind, pool)
        add(ours, spec.nation, f"due/{turn + 1}/received/{pool}", kind, amount)

    def status(self, unit: Unit) -> str:
        """49.A/6, 49.A.3/7: forming units are in operational reserve, unless marked as in strategic reserve."""
        marked = str(self.table.mark(f"unit/{unit.id}", "reserve") or "")
        if not self.scenario.number("reserves_played"):
            return ""  # The published style knows no reserves.
        if unit.place.kind == "off-map":
            return ""  # 52.D.2.d.v/3
        if unit.place.kind == STRATEGIC or marked == STRATEGIC:
            return STRATEGIC
        if unit.place.kind in FORMING or marked == OPERATIONAL:
            return OPERATIONAL
        return ""

    def generates_in(self, unit: Unit, status: str) -> str:
        """The area whose activity counts; empty for a unit that brings nothing (49.A.3/2, 51.C.1)."""
        if not status or self.table.mark(f"unit/{unit.id}", "national_reserve"):
            return ""
        if unit.place.kind == "hex":
            on = f"place/{unit.place.of}"
            if not (self.table.mark(on, "town") or self.table.mark(on, "city")):
                return ""
            return ground.district(self.scenario, self.table, unit)
        if unit.place.kind == STRATEGIC:
            return str(self.table.mark(f"unit/{unit.id}", "reserve_md") or "")
        return unit.place.of if unit.place.kind in FORMING else ""

    def activity(self, area: str) -> str:
        """49.A.3/11: the level of the MD; an area that says nothing has that around it, and is active if none does.

        By its ruling what lies in a neutral country, and is not said to be otherwise itself, is inactive.
        """
        if not self.table.mark(f"area/{area}", "activity") and ground.at_peace(
            self.scenario, self.table, ground.power(self.scenario, area)
        ):
            return "inactive"
        for each in ground.upward(self.scenario, area):
            if level := self.table.mark(f"area/{each}", "activity"):
                return str(level)
        return "active"

    def kind(self, unit: Unit) -> str:
        """49.A.3/8 to /10."""
        line: Line = self.scenario.charts["armour_symbols"][0]
        if counters.fits(self.scenario, line, unit.spec):
            return "arm"
        if self.side(unit.spec.nation) == "Soviet" and counters.plays_role(self.scenario, unit.spec, "artillery"):
            return "art"
        return counters.infantry(self.scenario, unit.spec)

    def side(self, nation: str) -> str:
        return str(self.table.mark(f"nation/{nation}", "sides_with") or counters.side(self.scenario, nation))

    # ------------------------------------------------------------------------------- points of the month

    def halve(self, step: Step) -> None:
        """49.A.1.b.i: before a month's die, half of what is left goes."""
        turn = self.desk.turn_begins(step)
        ours: dict[tuple[str, str], Fraction] = {}
        if turn is not None and turn.turn != self.table.clock.turn and self.scenario.week(turn.turn) == 1:
            share = 1 - self.scenario.number("left_over_share")
            for (pool, nation, kind), held in self.table.pools.items():
                if pool in RESERVE and kind == "or" and held:
                    ours[nation, pool] = held * share
        events = [event for event in step.transfers(to="sink/lost") if event.kind == "or"]
        got = {(event.nation, event.frm): event.amount for event in events}
        if ours or got:
            self.desk.compare(LEFT_OVER, step, "half of what is left", ours, got)
        self.desk.account_for(events)

    def roll(self, step: Step) -> None:
        """49.A.1.a: the die with the Success Table's result, for each depot by the activity of its MD."""
        nation, turn = step.order["nation"], self.table.clock.turn
        dice = [event.result for event in step.entry.events if isinstance(event, Rolled)]
        events = step.transfers(frm="source/deployment")
        self.desk.account_for(events)
        if len(dice) != 2:
            self.desk.leave(DEPLOYED, "a result entered by hand")
            return
        base = max(0, dice[0] + self.success(nation, turn, dice[1]))
        ours: Receipts = {}
        for place in self.depots_of(nation):
            area = self.scenario.spots[place]["area"]
            pool = RESERVE[1] if self.is_mediterranean(nation, area) else RESERVE[0]
            add(ours, nation, pool, "or", base * self.scenario.number(DEPOTS[self.activity(area)]))
        self.desk.compare(DEPLOYED, step, nation, ours, self.desk.gathered(events))

    def success(self, nation: str, turn: int, die: int) -> int:
        for line in self.scenario.charts["deployment_modifiers"]:
            named = nation in line["nations"] if "nations" in line else not self.scenario.nations[nation].get("major")
            if (
                named
                and not ("before" in line and turn >= self.scenario.date(line["before"]))
                and not ("after" in line and turn <= self.scenario.date(line["after"]))
            ):
                die += line["modifier"]
        row = next(
            line for line in self.scenario.charts["success_table"] if not line.get("column") and die <= line["up_to"]
        )
        return int(self.scenario.charts["success_results"][row["result"]]["modifier"])

    def depots_of(self, nation: str) -> list[str]:
        """49.A.1.a/7: those its side owns that are said to be its own, or lie in its country."""
        found = []
        for place in sorted(self.scenario.spots):
            on = f"place/{place}"
            if not self.table.mark(on, "depot") or self.table.mark(on, "owner") != self.side(nation):
                continue
            country = next(
                (c for a in ground.around(self.scenario, place) if (c := self.scenario.areas[a].get("country"))), ""
            )
            of = str(self.table.mark(on, "depot_of") or self.scenario.mothers.get(country, country))
            if nation in (
                of,
                next((n for n, line in self.scenario.nations.items() if line.get("adjective") == of), of),
            ):
                found.append(place)
        return found

    def is_mediterranean(self, nation: str, area: str) -> bool:
        """49.B.2: the British keep a reserve of their own there from when Italy is at war."""
        at_war = self.table.mark("campaign", "italy_at_war") is not False
        return (
            at_war
            and nation == "Britain"
            and any(self.table.mark(f"area/{each}", "mediterranean") for each in ground.upward(self.scenario, area))
        )

    # ------------------------------------------------------------------------------- changes of status

    def change(self, step: Step, unit: Unit) -> None:
        """49.A.1.c, 49.B.1: the REs after every modifier, through the bands of the depot that is charged."""
        events = [event for event in step.transfers(to="sink/spent") if event.kind == "or"]
        self.desk.account_for(events)
        self.settle(step, unit)
        depots = [
            event.on.removeprefix("place/")
            for event in step.entry.events
            if isinstance(event, Marked) and event.mark == "or_used"
        ]
        if not events and not depots:
            self.desk.leave(CHANGED, "a change that is free")
            return
        payer = events[0].nation
        depot = self.charged_to(step, payer, depots)
        width = self.table.mark(f"nation/{payer}", "base_number")
        size = counters.res(self.scenario, unit.spec, unit.step)
        ours = depot.charge(size * self.modifier(step, unit), max(1, width if isinstance(width, int) else 1))
        paid = sum((event.amount for event in events), NOTHING)
        where = depots[0] if depots else "no depot"
        self.desk.compare(CHANGED, step, f"{step.name} {unit.id} at {where}", ours, paid)

    def charged_to(self, step: Step, payer: str, named: list[str]) -> Depot:
        """The depot's box; whoever has lost every depot has none, and counts from one for each unit."""
        if named:
            return self.depots.setdefault(named[0], Depot())
        self.desk.compare(CHANGED, step, f"depots left to {payer}", [], self.depots_of(payer))
        return Depot()

    def modifier(self, step: Step, unit: Unit) -> Fraction:
        """What multiplies its size: what is declared of it and its place; what a map alone shows is read off."""
        double, half = self.scenario.number("reserve_doubled"), self.scenario.number("reserve_halved")
        found = Fraction(1)
        if counters.fits(self.scenario, self.scenario.charts["armour_symbols"][0], unit.spec):
            found *= double  # 49.A.1.c.v
        if step.name == "leave-strategic-reserve":
            return found * self.scenario.number("strategic_leaves_at")  # 49.B.1.6
        cited = " ".join(event.because for event in step.transfers(to="sink/spent"))
        if "49.A.1.c.vii/1" in cited.split():
            found *= double
        on = f"place/{unit.place.of}"
        battle = self.table.mark(on, "battle_zone") or self.table.mark(f"unit/{unit.id}", "battle_zone")
        if step.name == "leave-reserve":
            area = ground.district(self.scenario, self.table, unit)
            return found * half if battle or self.activity(area) == "active" else found  # 49.A.1.c.i
        if unit.place.kind == "hex":
            found *= double if battle else 1  # 49.A.1.c.ii
            found *= 1 if self.table.mark(on, "town") or self.table.mark(on, "city") else double  # 49.A.1.c.iii
        return found

    def settle(self, step: Step, unit: Unit) -> None:
        """Into the STRATEGIC RESERVE BOX, or out of it onto the track of the home country for this turn."""
        went = step.moves.get(unit.id)
        if not went:
            return
        ours = [Place(STRATEGIC, f"national/{unit.spec.nation}")]
        if step.name == "leave-strategic-reserve":
            ours = [Place("track", step.order["into"], self.table.clock.turn)]
        self.desk.compare(BOX, step, f"{step.name} {unit.id}", ours, went)
        self.desk.account_for_units(step, unit.id)
