"""Why a goal cannot be met: the fewest limits that would have to give way for it, and by how much.

The same model is solved again with the goal as a must, and every limit may be lifted at a price. What is lifted then is
the reason: points that are short, an allowance, room where units arrive, or another of the player's own goals.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from forcepool.engine.ledger import Account
from forcepool.engine.places import Place
from forcepool.planner.goals import Goals, Keep, Want
from forcepool.planner.model import Cut, Model
from forcepool.planner.network import Network
from forcepool.planner.solver import run

SECONDS = 3.0
OWN, RULE, OTHER = 2, 3, 4
"""What gives way first: a limit the player set, then points and room, then another unit that is wanted as much."""


class Shortfall(Struct, frozen=True):
    """What stands in the way of a goal; all empty where nothing but time does."""

    points: Mapping[Account, Fraction] = {}
    """How many are short, pool by pool."""
    room: tuple[Place, ...] = ()
    """Where units arrive and no more fit."""
    refused: bool = False
    """Whether play refused what would be needed."""
    shares: tuple[tuple[str, Fraction], ...] = ()
    """Of which kind only a part may be spent."""
    keeps: tuple[Keep, ...] = ()
    wants: tuple[Want, ...] = ()
    """The other goals it competes with."""
    comes: int = 0
    """Where only time stands in the way, the turn it could be there at the earliest; 0 if never by the end."""


def shortfall(network: Network, goals: Goals, cuts: Iterable[Cut], want: Want, seconds: float = SECONDS) -> Shortfall:
    """What would have to give way for a unit to be full by its turn."""
    others = tuple(each for each in goals.wants if each != want)
    early = tuple(each for each in goals.earliest if each != want.unit)
    return _Loose(network, replace(goals, wants=(want, *others), earliest=early), cuts).told(want, seconds)


class _Loose(Model):
    """The same choices, in which every limit can be lifted."""

    def __init__(self, network: Network, goals: Goals, cuts: Iterable[Cut]) -> None:
        self.lifted: dict[Any, Any] = {}
        self.lent: dict[Account, list[Any]] = {}
        super().__init__(network, goals, cuts)

    def limit(self, constraint: Any, because: object) -> None:
        self.model.add(constraint).only_enforce_if(self._lift(because).negated())

    def _lift(self, because: object) -> Any:
        if because not in self.lifted:
            self.lifted[because] = self.model.new_bool_var(f"without {because}")
        return self.lifted[because]

    def stock(self, account: Account, moment: int, what: Any, owed: int = 0) -> Any:
        most = 1 + 2 * max(self.most.values())
        lent = self.model.new_int_var(0, most, f"lent {account} {moment}")
        self.model.add(lent <= most * self._lift(account))
        self.lent.setdefault(account, []).append(lent)
        return super().stock(account, moment, what + lent, owed)

    def told(self, want: Want, seconds: float) -> Shortfall:
        must, *others = self.met
        self.model.add(must == 1)
        dropped = [OTHER if isinstance(each, Want) else OWN for each in self._others()]
        given_up = self.sum(price * (1 - each) for price, each in zip(dropped, others, strict=True))
        lifted = self.sum((OWN if isinstance(each, tuple) else RULE) * var for each, var in self.lifted.items())
        lent = [each for listed in self.lent.values() for each in listed]
        dear = 1 + 2 * max(self.most.values(), default=0) * max(1, len(lent))
        self.model.minimize(dear * (lifted + given_up) + self.sum(lent))
        solver, status = run(self, seconds)
        if status not in (self.cp.OPTIMAL, self.cp.FEASIBLE):
            return Shortfall(comes=self._comes(want.unit))
        gone = [each for each, var in self.lifted.items() if solver.value(var)]
        missed = [each for each, var in zip(self._others(), others, strict=True) if not solver.value(var)]
        return Shortfall(
            {
                each: Fraction(sum(solver.value(var) for var in self.lent[each]), self.parts[each.nation, each.kind])
                for each in gone
                if isinstance(each, Account)
            },
            tuple(each for each in gone if isinstance(each, Place)),
            any(isinstance(each, Cut) for each in gone),
            tuple(each for each in gone if isinstance(each, tuple)),
            tuple(each for each in missed if isinstance(each, Keep)),
            tuple(each for each in missed if isinstance(each, Want)),
        )

    def _others(self) -> list[Want | Keep]:
        """The goals beside the one that must be, in the order in which the model has them."""
        last = int(self.network.outlook.end.clock.turn)
        return [*self.goals.wants[1:], *(Want(each, last) for each in self.goals.earliest), *self.goals.keeps]

    def _comes(self, unit: str) -> int:
        """The turn in which a unit could be full at the earliest, if nothing were short."""
        moments = self.network.outlook.moments
        turns = [
            moments[arc.moment if arc.deal.place.on_map else arc.ready].at.turn
            for arc in self.network.arcs
            if self.is_full(arc, unit) and (arc.deal.place.on_map or arc.ready < len(moments))
        ]
        return min(turns, default=0)
