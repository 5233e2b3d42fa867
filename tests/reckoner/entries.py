"""The order of battle: what it brings, on which turn, and where it first lies (51.A, 51.B, 28.C)."""

from collections import Counter
from fractions import Fraction

from forcepool.engine.events import Raised
from forcepool.engine.places import Place
from forcepool.engine.state import Unit
from forcepool.engine.units import FULL as FULL_STRENGTH
from forcepool.engine.units import UnitSpec
from tests.reckoner import counters
from tests.reckoner.desk import Desk, Receipts, add
from tests.reckoner.ground import holders_of_all_cities
from tests.reckoner.record import Line, Step

BROUGHT, POINTS, FULL, AIR = "order of battle", "points of the order of battle", "forming units full", "air arrivals"
DONE = "entries carried out"
ARRIVING = {
    "reinforce": "reinforcements",
    "mobilize": "reinforcements",
    "conditional": "reinforcements",
    "arrive": "reinforcements",
    "add to reserves": "reinforcements",
    "add to garrison": "garrison",
    "forming": "forming-box",
    "form": "form",
    "available for assembly": "breakdown",
}
"""By the word of the entry, the box its units first lie in."""


class EntryBook:
    def __init__(self, desk: Desk) -> None:
        self.desk, self.scenario, self.table = desk, desk.scenario, desk.table
        self.entries: list[Line] = self.scenario.charts.get("ob", [])
        self.met: set[str] = set()
        self.first = {name: self.table.mark(f"place/{name}", "owner") for name in self.scenario.spots}
        self.fallen: set[str] = set()
        """Places that have once fallen, whoever holds them since (51.B.2/2 as ruled)."""
        self.waiting: list[Line] = []
        """Lines of units that form in districts that were lost when they came (51.A.10/1)."""

    def read(self, step: Step) -> None:
        self.watch(step)
        if step.name in ("convert", "convert-air", "withdraw", "withdraw-air", "remove-from-pool"):
            self.carry_out(step)
        if step.name != "advance":
            return
        began = self.desk.begins(step, "reinforcement")
        self.bring(step, began.turn if began else None, self.scenario.player(began) if began else "")
        self.fly_in(step, began.turn if began else None, self.scenario.player(began) if began else "")
        self.back(step, began.turn if began else None, self.scenario.player(began) if began else "")
        self.fill(step, began.turn if began else None, self.scenario.player(began) if began else "")

    def due(self, turn: int | None, player: str) -> list[Line]:
        """The entries of this very turn for a player, and those whose conditions are first met now (51.B.2)."""
        found = [entry for entry in self.waiting if entry.get("side") == player and not self.has_no_box(entry)]
        found = found if turn is not None else []
        self.waiting = [entry for entry in self.waiting if entry not in found]
        for entry in self.entries:
            if turn is None or not entry.get("turn") or entry.get("side") != player:
                continue
            listed = self.scenario.calendar.parse(entry["turn"]).turn
            if not entry.get("conditions"):
                kept = self.waiting if self.has_no_box(entry) else found
                kept += [entry] if listed == turn else []
            elif listed <= turn and entry["key"] not in self.met and all(map(self.is_met, entry["conditions"])):
                self.met.add(entry["key"])
                found.append(entry)
        return found

    def has_no_box(self, entry: Line) -> bool:
        """51.B.7/2 as ruled: nothing begins to form in a district whose every city is lost; it waits for one."""
        place = entry.get("place") or {}
        if entry["verb"] != "forming" or place.get("kind") != "md":
            return False
        held = [holders_of_all_cities(self.scenario, self.table, f"md/{name.casefold()}") for name in place["names"]]
        return all(owners and entry.get("side") not in owners for owners in held)

    def is_met(self, condition: Line) -> bool:
        return str(condition.get("text", "")).removesuffix(" falls") in self.fallen

    def watch(self, step: Step) -> None:
        """A place falls when it is no longer its first owner's, or as a phase ends with his enemies alone in it."""
        awaited = {
            str(each.get("text", "")).removesuffix(" falls")
            for entry in self.entries
            for each in entry.get("conditions") or ()
        }
        for place in awaited & set(self.first):
            there = {
                str(self.table.mark(f"nation/{nation}", "sides_with") or counters.side(self.scenario, nation))
                for unit in self.table.units.values()
                if unit.place == Place("hex", place) and "air" not in unit.spec.traits
                for nation in (unit.spec.nation,)
            }
            alone = step.name == "advance" and len(there) == 1 and self.first[place] not in there
            if alone or self.table.mark(f"place/{place}", "owner") != self.first[place]:
                self.fallen.add(place)

    def bring(self, step: Step, turn: int | None, player: str) -> None:
        """51.A/1: on the turn listed, each counter once; points as listed."""
        ours: Counter[tuple[str, str, str]] = Counter()
        points: Receipts = {}
        for entry in self.due(turn, player):
            nation = self.nation(entry["nation"])
            for item in entry.get("items", []) if entry["verb"] in ARRIVING else []:
                ours[nation, counter(item["spec"]), ARRIVING[entry["verb"]]] += int(item.get("count", 1))
            for item in entry.get("items", []) if entry["verb"] == "resources" else []:
                for kind, amount in item["points"].items():
                    add(points, nation, self.pool(entry, nation), kind.casefold(), Fraction(amount))
        raised = [event for event in step.entry.events if isinstance(event, Raised) and "air" not in event.spec.traits]
        got = Counter((event.spec.nation, counter(event.spec), event.at.kind) for event in raised)
        if turn is not None and (ours or got):
            self.desk.compare(BROUGHT, step, player, dict(ours), dict(got))
        self.desk.account_for(raised)
        listed = step.transfers(frm="source/order of battle")
        if points or listed:
            self.desk.compare(POINTS, step, player, points, self.desk.gathered(listed))
        self.desk.account_for(listed)

    def pool(self, entry: Line, nation: str) -> str:
        """The pool of the place named, else of the section of the order of battle, else of the nation."""
        for named in (entry.get("place"), entry.get("section")):
            if named and named.get("kind") in ("md", "front", "theatre", "command") and len(named["names"]) == 1:
                return f"{named['kind']}/{named['names'][0].casefold()}"
        return f"national/{nation}"

    def fly_in(self, step: Step, turn: int | None, player: str) -> None:
        """28.C/1: air units in the theatre listed."""
        ours: Counter[tuple[str, str]] = Counter()
        for line in self.scenario.charts.get("air_ob", []):
            nation = self.nation(line["nation"])
            due = (
                turn is not None
                and line["does"] == "arrive"
                and self.scenario.calendar.parse(line["turn"]).turn == turn
            )
            if due and counters.side(self.scenario, nation) == player:
                ours[nation, f"theatre/{line['theatre'].casefold()}"] += int(line.get("count") or 1)
        raised = [event for event in step.entry.events if isinstance(event, Raised) and "air" in event.spec.traits]
        got = Counter((event.spec.nation, event.at.of) for event in raised)
        if ours or got:
            self.desk.compare(AIR, step, player, dict(ours), dict(got))
        self.desk.account_for(raised)

    def fill(self, step: Step, turn: int | None, player: str) -> None:
        """51.B.7/6: a forming unit becomes a reinforcement of its MD on the turn it is listed as full."""
        full = [
            name
            for name, places in step.moves.items()
            if name in self.table.units
            and self.table.units[name].place.kind == "forming-box"
            and places[-1].kind == "reinforcements"
        ]
        for name in full:
            unit, on = self.table.units[name], self.table.mark(f"unit/{name}", "full_on")
            ours = (
                on,
                counters.side(self.scenario, unit.spec.nation),
                [Place("reinforcements", unit.place.of, turn or 0)],
            )
            self.desk.compare(FULL, step, name, ours, (turn, player, step.moves[name]))
            self.desk.account_for_units(step, name)

    def carry_out(self, step: Step) -> None:
        """What an entry asks for: the unit is out of play, the new one stands where it stood (51.B.3/4, 28.E/4)."""
        unit = self.table.units[step.order["unit"]]
        raised = [event for event in step.entry.events if isinstance(event, Raised)]
        if step.name.startswith("convert"):
            ours = Place(unit.place.kind, unit.place.of, unit.place.due)
            if unit.place.due:
                ours = Place(ours.kind, ours.of, ours.due + self.scenario.turns("converted_on_the_track"))  # 51.B.3/7
            for event in raised:
                self.desk.compare(DONE, step, f"{step.name} {unit.id}", ours, event.at)
            self.desk.compare(DONE, step, f"{unit.id} gone", [Place("out")], step.moves.get(unit.id))
            self.desk.account_for_units(step, unit.id, *(event.unit for event in raised))
        elif step.name == "withdraw-air":
            self.desk.compare(DONE, step, unit.id, "withdrawn", step.moves[unit.id][-1].kind)
            self.desk.account_for_units(step, unit.id)
        else:
            self.give_up(step, unit)

    def give_up(self, step: Step, unit: Unit) -> None:
        """51.B.19/5: from the pool it costs what replacing it would; 51.B.20/3: from the map it brings that."""
        forfeited, brought = step.transfers(to="sink/forfeited"), step.transfers(frm="source/order of battle")
        # In a pool it is what the entry lists, whatever strength it was lost at.
        for events, strength in ((forfeited, self.listed(step)), (brought, unit.step)):
            worth = counters.split(
                counters.worth(self.scenario, unit.spec, strength), counters.kinds(self.scenario, unit.spec)
            )
            if events:
                got: dict[str, Fraction] = {}
                for event in events:
                    got[event.kind] = got.get(event.kind, Fraction(0)) + event.amount
                self.desk.compare(DONE, step, f"{step.name} {unit.id}", worth, got)
            self.desk.account_for(events)

    def listed(self, step: Step) -> str:
        """The strength an entry asks for: full, unless all its lines say that the unit goes as a cadre."""
        entry = next((each for each in self.entries if each["key"] == step.order.get("entry")), {})
        states = {item.get("state") or FULL_STRENGTH for item in entry.get("items", [])}
        return str(states.pop()) if len(states) == 1 else FULL_STRENGTH

    def back(self, step: Step, turn: int | None, player: str) -> None:
        """51.B.16, 51.B.11: what was withdrawn or garrisoned is a reinforcement again where an entry says so."""
        for name, places in step.moves.items():
            before = self.table.units[name].place if name in self.table.units else None
            if before and before.kind in ("out", "garrison") and places[-1].kind == "reinforcements":
                unit = self.table.units[name]
                words = {"out": ("return", "withdraw"), "garrison": ("release from garrison",)}[before.kind]
                nation = unit.spec.nation
                said = any(self.nation(entry["nation"]) == nation and entry["verb"] in words for entry in self.entries)
                ours = (True, counters.side(self.scenario, nation), turn)
                self.desk.compare(DONE, step, name, ours, (said, player, places[-1].due))
                if before.kind == "garrison":
                    self.desk.compare(DONE, step, f"{name} in", before.of, places[-1].of)
                self.desk.account_for_units(step, name)

    def nation(self, named: str) -> str:
        nations = self.scenario.nations
        return next((each for each in nations if named in (each, nations[each].get("adjective"))), named)


def counter(spec: Line | UnitSpec) -> str:
    """What is printed on a counter, in few words."""
    if isinstance(spec, UnitSpec):
        return f"{spec.full.attack}-{spec.full.defence} {spec.type} {spec.size}"
    full = spec["full"]
    return f"{Fraction(full['attack'])}-{Fraction(full['defence'])} {spec['type']} {spec['size']}"
