"""A tally: how much of something was done this month, turn or player-turn, where rules allow so much and no more."""

from fractions import Fraction

from msgspec import Struct

from forcepool.engine.events import Event, Marked
from forcepool.engine.facts import ANY, POINTS, Fact, Facts
from forcepool.engine.points import store_points


class Tally(Struct, frozen=True):
    """What is counted, of whom, and for how long: 'the REs a nation has scrapped this month'."""

    name: str
    on: str
    """The kind of thing it is kept for: 'nation', 'place', 'area'."""
    about: str
    lasts: str
    """After which period it begins again at nothing; what was not used is not saved."""
    by_hand: bool = False
    """Whether players may put it right."""
    said: str = ""
    """How players say it, where 'what it is: so much' will not do: '{} REs scrapped this month'."""

    @property
    def fact(self) -> Fact:
        said = {ANY: self.said} if self.said else {}
        return Fact(self.name, (self.on,), self.about, "0", POINTS, lasts=self.lasts, by_hand=self.by_hand, said=said)

    def so_far(self, facts: Facts, on: str) -> Fraction:
        return facts.points(on, self.name)

    def left(self, facts: Facts, on: str, limit: Fraction) -> Fraction:
        """What a limit still leaves; less than nothing where it was overruled."""
        return limit - self.so_far(facts, on)

    def counts(self, facts: Facts, on: str, amount: Fraction, because: str) -> Event:
        """The event by which so much more is counted."""
        total = store_points(self.so_far(facts, on) + amount)
        return Marked(on=on, mark=self.name, value=total, because=because)
