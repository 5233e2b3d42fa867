"""51.B.6  The question of forming a division: the units given up, what they are worth, and what it costs."""

from fractions import Fraction
from typing import TYPE_CHECKING

from forcepool.engine.command import lazy
from forcepool.engine.ledger import Price
from forcepool.engine.state import Unit
from forcepool.engine.switches import switch
from forcepool.engine.units import FULL
from forcepool.games.europa.ground.purchase import Purchase
from forcepool.games.europa.reinforcements.entries import entry_of
from forcepool.games.europa.reinforcements.naming import units_named
from forcepool.games.europa.reinforcements.withdrawing import cost_of
from forcepool.games.europa.unit_types import Described, fits, spelt
from forcepool.games.europa.world import NATIONAL, EuropaWorld
from forcepool.orderofbattle.words import spelt_one_way
from forcepool.rulebook.citations import computed

if TYPE_CHECKING:
    from forcepool.games.europa.reinforcements.forming import FormDivision

FORM_BOX, GARRISON_FORM = "form", "garrison-form"
UNSUPPORTED = "unsupported"
DIVISION = "XX"

COST = switch(
    "forming-cost",
    "51.B.6/9",
    "how the units given up are set against the cost of a division",
    by_type="kind by kind, and what is over is lost",
    total="in one total over all kinds",
    surplus_credited="kind by kind, and what is over is credited as RPs",
    home_discount="kind by kind, a tenth less in its home country",
)
ZOC = switch(
    "forming-in-zoc",
    "51.B.6/8",
    "forming a division in an enemy ZOC",
    banned="never",
    screened="as a cadre is rebuilt: behind a screen, or beside an HQ",
)


class Component(Described, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Which units meet which kind of RP when a division is formed."""

    kind: str
    clause: str
    types: tuple[str, ...] = ()
    """The types letter by letter, as campaigns begun earlier have them."""


class Giving(Purchase):
    """One unit that would be given up, asked what a cadre is asked."""

    @lazy
    def price(self) -> Price:
        return Price({})

    @lazy
    def payer(self) -> str:
        return NATIONAL + self.nation


class Forming(Purchase):
    """A division and the units that are to be given up for it."""

    command: "FormDivision"

    @lazy
    def given(self) -> list[Unit]:
        return units_named(self.state, self.command.units)

    @property
    def units(self) -> list[Unit]:
        """Those whose reserve status the division takes over."""
        return self.given

    @property
    def in_garrison(self) -> bool:
        return self.unit.place.kind == GARRISON_FORM

    @lazy
    def strength(self) -> str:
        return self.command.strength or FULL

    @lazy
    def cost(self) -> dict[str, Fraction]:
        """What the division costs at the strength chosen, by kind of RP."""
        spec = self.unit.spec
        entry = entry_of(self.world, self.state, self.unit)
        if entry is not None and entry.cost and self.strength == FULL:
            return dict(entry.cost)
        if self.strength == UNSUPPORTED and spec.unsupported is not None:
            cost = {kind: spec.unsupported.points * share for kind, share in self.world.shares(spec).items()}
        else:
            cost = cost_of(self.world, spec, self.strength)
        return cost

    @lazy
    def needed(self) -> dict[str, Fraction]:
        """The cost as this campaign reckons it."""
        around = self.world.spot(self.given[0].place.of).area if self.given else ""
        at_home = bool(around) and self.world.country_of(around) == self.unit.spec.nation
        less = self.world.numbers["home_reduction"] if at_home and self.switch(COST.key) == "home-discount" else 0
        return {kind: amount * (1 - less) for kind, amount in self.cost.items()}

    @lazy
    def offered(self) -> dict[str, Fraction]:
        """The replacement costs of the units given up, by the kind of RP they meet."""
        amounts: dict[str, Fraction] = {}
        for unit in self.given:
            row = component(self.world, unit)
            if row is not None:
                worth = sum(cost_of(self.world, unit.spec, unit.step).values(), Fraction(0))
                amounts[row.kind] = amounts.get(row.kind, Fraction(0)) + worth
        return amounts


@computed("51.B.6.a/1", "51.B.6.b/1")
def component(world: EuropaWorld, unit: Unit) -> Component | None:
    """Border, infantry, light, mountain and security units; artillery and mortar regiments with a strength of one."""
    for row in world.chart("forming_components"):
        if spelt_one_way(unit.spec.type) in spelt(row.types) or (fits(row, unit.spec) and not row.types):
            one = world.numbers["forming_artillery"]
            if row.kind == "inf" or one in (unit.spec.full.attack, unit.spec.full.defence):
                found: Component = row
                return found
    return None
