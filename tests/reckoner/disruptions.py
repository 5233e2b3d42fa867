"""Disrupted strength points: a turn on the front's track, then in its pool (52.G)."""

from fractions import Fraction

from tests.reckoner import counters, ground, pockets
from tests.reckoner.desk import NOTHING, Desk
from tests.reckoner.record import NotReckoned, Step

DISRUPTED = "disrupted points"
TRACK = "disrupted/"
GENERAL = {"arm": "general/armour", "art": "general/artillery"}


class DisruptionBook:
    def __init__(self, desk: Desk) -> None:
        self.desk, self.scenario, self.table = desk, desk.scenario, desk.table

    def read(self, step: Step) -> None:
        if step.name == "disrupt-points":
            self.put_on(step)
        elif step.name == "advance":
            self.take_off(step)

    def put_on(self, step: Step) -> None:
        """52.G/4: on the track of the current turn, by the kinds the unit costs."""
        unit = self.table.units[step.order["unit"]]
        events = step.transfers(to=TRACK)
        self.desk.account_for(events)
        try:
            around = pockets.auxiliary(self.scenario, self.table, unit)
            front = step.order.get("front") or around or ground.own_chart(self.scenario, self.table, unit)
        except NotReckoned as why:
            self.desk.leave(DISRUPTED, str(why))
            return
        points = Fraction(step.order["points"])
        ours = {
            (unit.spec.nation, f"{TRACK}{self.table.clock.turn}/{front}", kind): amount
            for kind, amount in counters.split(points, counters.kinds(self.scenario, unit.spec)).items()
        }
        self.desk.compare(DISRUPTED, step, unit.id, ours, self.desk.gathered(events))

    def take_off(self, step: Step) -> None:
        """52.G/3, /5: at the end of the owner's next replacement phase, in full, into the front's pool."""
        events = step.transfers(frm=TRACK)
        self.desk.account_for(events)
        ended = self.table.clock if self.scenario.phase(self.table.clock) == "replacement" else None
        ours: dict[tuple[str, str, str, str], Fraction] = {}
        for (pool, nation, kind), held in self.table.pools.items():
            if ended is None or not pool.startswith(TRACK) or not held:
                continue
            if self.side(nation) == self.scenario.player(ended):
                front = pool.split("/", 2)[2]
                into = GENERAL.get(kind, front) if self.side(nation) == "Soviet" else front
                ours[pool, nation, kind, into] = held
        got: dict[tuple[str, str, str, str], Fraction] = {}
        for event in events:
            key = (event.frm, event.nation, event.kind, event.to)
            got[key] = got.get(key, NOTHING) + event.amount
        if ours or got:
            self.desk.compare(DISRUPTED, step, "back in the pool", ours, got)

    def side(self, nation: str) -> str:
        return str(self.table.mark(f"nation/{nation}", "sides_with") or counters.side(self.scenario, nation))
