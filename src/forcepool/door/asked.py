"""What one may ask of a campaign: where it is, what can be done, what is due, and why things are as they are."""

from collections.abc import Iterator

from forcepool.door.said import Option, Task, option, task
from forcepool.door.shown import Plan, Pool, Unit, shown_campaign, shown_plan, shown_pool, shown_unit
from forcepool.door.tabled import Tabled
from forcepool.engine.acts import act_in_words
from forcepool.engine.agenda import agenda
from forcepool.engine.options import options, options_of_side
from forcepool.engine.sentence import Told
from forcepool.engine.state import State
from forcepool.engine.world import find_unit
from forcepool.views.lookup import accounts_called
from forcepool.views.near import did_you_mean
from forcepool.views.pools import Statement, statement
from forcepool.views.unit import UnitHistory, unit_history


class Asked(Tabled):
    """A campaign to look at. In the examples `campaign` is `forcepool.new("smolensk")`."""

    side: str

    def _side(self, name: str) -> str:
        players = self.record.world.sequence.players
        found = [each for each in players if each.casefold() == name.casefold()]
        if not found:
            raise Told(f"there is no side '{name}'; {did_you_mean(name, players)}")
        return found[0]

    # ------------------------------------------------------------------------------------------- where it is

    @property
    def title(self) -> str:
        """What the campaign is called.

        >>> campaign.title
        'Smolensk and Vyazma, October 1941'
        """
        return self.record.beginning.title

    @property
    def state(self) -> State:
        """The state itself, for whoever reads it exactly; change nothing in it.

        >>> campaign.state.balance("front/centre", "Germany", "inf")
        Fraction(33, 4)
        """
        return self.record.state

    @property
    def turn(self) -> str:
        """The turn, as players write it.

        >>> campaign.turn
        'Oct 3 41'
        """
        return self.record.world.turn_name(self.state.clock.turn)

    @property
    def phase(self) -> str:
        """The phase of the player turn.

        >>> campaign.phase
        'replacement'
        """
        return self.record.world.phase(self.state)

    @property
    def player(self) -> str:
        """The side whose player turn it is.

        >>> campaign.player
        'Axis'
        """
        return self.record.world.phasing(self.state)

    @property
    def when(self) -> str:
        """The moment in words.

        >>> campaign.when
        'Oct 3 41, Axis replacement phase'
        """
        return self.record.world.when(self.state)

    @property
    def sides(self) -> tuple[str, ...]:
        """Who plays, in the order of a turn.

        >>> campaign.sides
        ('Axis', 'Soviet')
        """
        return tuple(self.record.world.sequence.players)

    def __len__(self) -> int:
        """How many entries the journal has."""
        return self.record.seq

    def __str__(self) -> str:
        return f"{self.title}: {self.when}, entry {len(self)}"

    def __repr__(self) -> str:
        return f"<Campaign {self}>"

    def _repr_html_(self) -> str:
        return shown_campaign(self.record, [str(each) for each in self.todo() if each.kind == "due"])

    # ---------------------------------------------------------------------------------------------- asking

    def options(self, unit: str = "", *, closed: bool = True) -> list[Option]:
        """What can be done with a unit, the open ways first; without one, what the phasing side can do besides.

        >>> unit = str(campaign.units()["unit"][0])
        >>> all(each.open for each in campaign.options(unit, closed=False))
        True
        """
        world, state = self.record.world, self.state
        if unit:
            found = options(world, state, find_unit(state, unit), only_open=not closed)
        else:
            found = options_of_side(world, state, self.player)
        return [option(world, each) for each in found if closed or each.open]

    def todo(self, side: str = "") -> list[Task]:
        """The checklist: what is due, what lapses, what is open, what is new.

        >>> sorted({each.kind for each in campaign.todo()})
        ['news', 'open']
        """
        wanted = self._side(side) if side else self.side
        return [task(each) for each in agenda(self.record.world, self.state, side=wanted)]

    def why(self, subject: str) -> UnitHistory | list[Statement]:
        """The history of a unit, or the statements behind the accounts some words fit: 'front/centre Germany inf'.

        >>> [statement] = campaign.why("front/centre Germany inf")
        >>> statement.balance
        Fraction(33, 4)
        """
        if subject.casefold() in self.state.ids:
            return unit_history(self.record, find_unit(self.state, subject))
        accounts = accounts_called(self.state, subject)
        if not accounts:
            known = [*self.state.units, *map(str, self.state.balances)]
            raise Told(f"'{subject}' is neither a unit nor an account; {did_you_mean(subject, known)}")
        return [statement(self.record, each) for each in accounts]

    def unit(self, name: str) -> Unit:
        """A unit: its counter, where it is and at which step.

        >>> campaign.unit("6 Pz XX").step
        'cadre'
        """
        return shown_unit(self.record, find_unit(self.state, name))

    def pool(self, name: str) -> Pool:
        """A pool: what it holds, and what it held as each turn ended.

        >>> str(campaign.pool("local/vyazma"))
        'local Vyazma: Soviet Union 2¼ inf'
        """
        return shown_pool(self.record, name)

    def plan(self, side: str = "", *, turns: int = 12, seconds: float = 10) -> Plan:
        """The orders that bring most back onto the map in so many turns, for the side to play or for another.

        >>> now = [each.order for each in campaign.plan(turns=1) if each.when == campaign.when]
        >>> all(campaign.judge(each) for each in now)
        True
        """
        return shown_plan(self.record, self._side(side) if side else self.side or self.player, turns, seconds)

    def entries(self, start: int = 2) -> Iterator[str]:
        """What was done, entry by entry, in words.

        >>> list(campaign.entries())
        []
        """
        return (f"{each.n} {act_in_words(each)}" for each in self.record.entries(start))

    def __iter__(self) -> Iterator[str]:
        return self.entries()

    @property
    def turns(self) -> list[str]:
        """The turns played so far, the present one last.

        >>> campaign.turns
        ['Oct 3 41']
        """
        clock, name = self.record.beginning.state.clock, self.record.world.turn_name
        return [name(each) for each in range(clock.turn, self.state.clock.turn + 1)]
