"""The box, track or hex of every unit: where an order sends it, and what time brings about by itself."""

from forcepool.engine.calendar import Clock
from forcepool.engine.events import Moved
from forcepool.engine.places import Place
from forcepool.engine.state import Unit
from tests.reckoner import counters, ground
from tests.reckoner.desk import Desk
from tests.reckoner.record import NotReckoned, Step

BOX, PLACED, TIME = "boxes", "placed on the map", "what time brings"
OUT = Place("out")
OUT_OF_PLAY = (
    "scrap",
    "withdraw",
    "remove-from-pool",
    "withdraw-from-pool",
    "disband",
    "disband-militia",
    "disband-nkvd",
)
BY_THE_PLAYERS = ("move-units", "rebase-air", "put-unit", "add-unit", "set-up")
"""Where the players say that a counter is."""
ARRIVING = ("place", "place-air", "reinforce", "land")


class BoxBook:
    def __init__(self, desk: Desk) -> None:
        self.desk, self.scenario, self.table = desk, desk.scenario, desk.table

    def read(self, step: Step) -> None:
        unit = self.table.units.get(str(step.order.get("unit", "")))
        if step.name in BY_THE_PLAYERS:
            self.desk.account_for_units(step, *step.moves)
        elif step.name == "advance":
            self.advance(step)
        elif unit is None:
            return
        elif step.name in OUT_OF_PLAY:
            # 52.A.6/2, 51.B.19/3, 51.B.13/1, 51.B.5.b: it is out of play.
            self.compare(step, unit, [OUT], step.moves.get(unit.id, [])[-1:])
        elif step.name in ARRIVING:
            self.arrive(step, unit)
        elif step.name == "disrupt":
            self.disrupt(step, unit)
        elif step.name == "transfer-unit":
            self.transfer(step, unit)
        elif step.name == "evacuate":
            time = self.table.clock.turn + self.scenario.turns("evacuation_time")  # 52.A.12/2
            self.compare(step, unit, [Place("eliminated", step.order["into"], time)])

    def compare(self, step: Step, unit: Unit, ours: list[Place], went: list[Place] | None = None) -> None:
        went = step.moves.get(unit.id) if went is None else went
        self.desk.compare(BOX, step, f"{step.name} {unit.id}", ours, went)
        self.desk.account_for_units(step, unit.id)

    # ------------------------------------------------------------------------------------ by order

    def disrupt(self, step: Step, unit: Unit) -> None:
        """52.G: four turns on the track of the front in which it was disrupted, or that the owner names."""
        try:
            front = step.order.get("front") or ground.own_front(self.scenario, self.table, unit)
        except NotReckoned as why:
            self.desk.leave(BOX, str(why))
            self.desk.account_for_units(step, unit.id)
            return
        self.compare(
            step, unit, [Place("track", front, self.table.clock.turn + self.scenario.turns("disruption_time"))]
        )

    def transfer(self, step: Step, unit: Unit) -> None:
        """52.A.12/1: an eliminated unit lies in the other box at once; 52.A.1/9: a bought one comes a turn later."""
        due = 0
        if unit.place.kind != "eliminated":
            # One that was due already, and waited for a hex, is a turn late from now.
            due = max(unit.place.due, self.table.clock.turn) + self.scenario.turns("holding_box_delay")
        self.compare(step, unit, [Place(unit.place.kind, step.order["into"], due)])

    def arrive(self, step: Step, unit: Unit) -> None:
        """52.A/3, 51.A: when its turn has come, in its owner's phase, in a hex of its own side."""
        clock, went = self.table.clock, step.moves.get(unit.id, [])
        bought = unit.place.kind in ("track", "forming")
        returns = self.table.mark(f"unit/{unit.id}", "returns_on") is not None
        # 51.A.6: what was disrupted returns as a reinforcement; 52.A/3: what was bought in the replacement phase.
        phase = "replacement" if bought and not returns else "reinforcement"
        now = (self.scenario.player(clock), self.scenario.phase(clock))
        self.desk.compare(PLACED, step, f"{step.name} {unit.id}", (self.side(unit), phase), now)
        self.desk.compare(PLACED, step, f"{unit.id} has come", True, unit.place.due <= clock.turn)
        for place in went:
            # 28.C/6 as ruled: the exchange for a withdrawn air unit takes place at its very airbase, eligible or not.
            exchange = step.name == "place-air" and self.table.mark(f"place/{place.of}", "air_vacated")
            if place.kind == "hex" and place.of in self.scenario.spots and not exchange:
                owner = self.table.mark(f"place/{place.of}", "owner")
                self.desk.compare(PLACED, step, f"{unit.id} at {place.of}", self.side(unit), owner)
        self.desk.account_for_units(step, unit.id)

    def side(self, unit: Unit) -> str:
        nation = unit.spec.nation
        return str(self.table.mark(f"nation/{nation}", "sides_with") or counters.side(self.scenario, nation))

    # ------------------------------------------------------------------------------------- by time

    def advance(self, step: Step) -> None:
        """Units that lie in one box until a turn, and then in the same or another."""
        turn, arrives = self.desk.turn_begins(step), self.desk.begins(step, "replacement")
        ours = {
            name: place
            for name, unit in self.table.units.items()
            if (place := self.in_time(unit, turn) or self.into_the_box(unit, arrives))
        }
        first = {name: places[0] for name, places in step.moves.items()}
        known = {
            event.unit: first[event.unit]
            for event in step.entry.events
            if isinstance(event, Moved) and (event.unit in ours or self.is_a_wait(event))
        }
        if ours or known:
            self.desk.compare(TIME, step, "units", ours, known)
        self.desk.account_for_units(step, *(name for name in known if len(step.moves[name]) == 1))

    def in_time(self, unit: Unit, turn: Clock | None) -> Place | None:
        """Where it lies as a player-turn ends and the next begins, if no longer where it lay."""
        place, clock = unit.place, self.table.clock
        if turn is None or not place.due:
            return None
        set_aside = self.table.mark(f"unit/{unit.id}", "set_aside") is not None
        if place.kind == "eliminated" and set_aside:
            # 52.F.1/4: counted and put into the pool as its owner's player-turn ends.
            return Place("eliminated", place.of) if self.side(unit) == self.scenario.player(clock) else None
        if self.side(unit) != self.scenario.player(turn) or place.due > turn.turn:
            return None
        if place.kind in ("eliminated", "isolated"):
            return Place(place.kind, place.of)  # 52.A.4/3, 52.A.5/1, 52.A.12/2, 52.F.2/4
        if place.kind in ("track", "forming") and self.table.mark(f"area/{place.of}", "off_map"):
            return Place("off-map", place.of)  # 52.D.2.d.v
        return None

    def into_the_box(self, unit: Unit, arrives: Clock | None) -> Place | None:
        """49.B.1.3/3: a forming unit that is marked as in strategic reserve goes to its box when it would arrive."""
        if self.table.mark(f"unit/{unit.id}", "mediterranean_reserve"):
            return None  # 49.B.2/6: kept on the map, where it is placed like others
        marked = self.table.mark(f"unit/{unit.id}", "reserve") == "strategic" and unit.place.kind == "forming"
        if arrives is None or not marked or self.side(unit) != self.scenario.player(arrives):
            return None
        return Place("strategic", f"national/{unit.spec.nation}") if unit.place.due <= arrives.turn else None

    def is_a_wait(self, event: Moved) -> bool:
        """Whether it only stopped waiting: the same box, or that of an MD off the map."""
        same = (event.frm.kind, event.frm.of) == (event.to.kind, event.to.of)
        return (same and event.to.kind in ("eliminated", "isolated")) or event.to.kind == "off-map"
