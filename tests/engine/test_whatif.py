"""What if: orders tried where nothing counts, then given for real, all or none."""

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from forcepool.engine import dice
from forcepool.engine.beginning import new_seed
from forcepool.engine.calendar import Calendar
from forcepool.engine.campaign import Campaign
from forcepool.engine.command import Command
from forcepool.engine.consent import promise
from forcepool.engine.events import Event, Marked, Rolled
from forcepool.engine.journal import MemoryJournal
from forcepool.engine.state import to_bytes
from forcepool.engine.verdicts import YES, Refusal, Verdict, no
from forcepool.engine.whatif import Given, Stopped, begin_whatif, give, tried
from forcepool.engine.world import World
from forcepool.store.verify import verify
from tests.support.ring import GAME, SEED, SIDES, NextPhase, RebuildUnit, Tell, Toss, begin_ring, house_rule, world_of


@house_rule("ring.9")
def is_a_cadre(q: Any) -> Verdict:
    return YES if q.unit.step == "cadre" else no("it is at full strength")


class Rest(Command, tag="rest", frozen=True):
    """A cadre rests; whether it is one, a toss decides."""

    unit: str
    requires = (is_a_cadre,)

    def effects(self, q: Any) -> Iterator[Event]:
        yield Marked(on=f"unit/{self.unit}", mark="rests", value=True)


def build(name: str, data: bytes) -> World:
    game = replace(GAME, commands=(*GAME.commands, Rest))
    return World(game, Calendar(turns_per_month=4), world_of(b"").sequence, {})


def war(*, points: int = 2, seed: bytes = SEED, seats: bool = False) -> Campaign:
    journal = MemoryJournal()
    begin_ring(journal, points=points, seed=seed, seats=seats)
    return Campaign(journal, build, seed)


def whatif_of(campaign: Campaign, seed: bytes | None = None) -> Campaign:
    journal, seed = MemoryJournal(), seed or new_seed()
    begin_whatif(campaign, journal, seed)
    return Campaign(journal, build, seed)


def test_what_is_tried_counts_for_nothing() -> None:
    campaign = war()
    campaign.do(RebuildUnit(unit="0"))
    before = to_bytes(campaign.state)
    whatif = whatif_of(campaign)
    assert to_bytes(whatif.state) == before
    assert (whatif.beginning.tries, whatif.beginning.after) == (campaign.cup.campaign, 2)
    whatif.do(RebuildUnit(unit="1"))
    whatif.do(NextPhase())
    assert (to_bytes(campaign.state), campaign.seq) == (before, 2)


def test_its_orders_are_those_that_were_not_undone() -> None:
    whatif = whatif_of(war())
    whatif.do(RebuildUnit(unit="1"))
    whatif.do(RebuildUnit(unit="2"))
    whatif.undo()
    whatif.do(RebuildUnit(unit="1", pool="B"), override="for once")
    assert [(each.number, each.command, each.override) for each in tried(whatif)] == [
        (1, RebuildUnit(unit="1"), ""),
        (2, RebuildUnit(unit="1", pool="B"), "for once"),
    ]


def test_given_for_real_one_undo_takes_all_of_it_back_and_one_redo_brings_it() -> None:
    campaign = war()
    campaign.do(Tell(unit="0", text="before"))
    before, whatif = to_bytes(campaign.state), whatif_of(campaign)
    whatif.do(RebuildUnit(unit="1"))
    whatif.do(RebuildUnit(unit="2", pool="B"))
    whatif.do(NextPhase())
    outcome = give(campaign, tried(whatif))
    assert isinstance(outcome, Given)
    assert [each.entry.n for each in outcome.done] == [3, 4, 5]
    assert to_bytes(campaign.state) == to_bytes(whatif.state)
    campaign.do(Tell(unit="0", text="after"))
    campaign.undo()
    after = campaign.undo()
    assert not isinstance(after, tuple)
    assert to_bytes(campaign.state) == before
    campaign.redo()
    assert to_bytes(campaign.state) == to_bytes(whatif.state)
    assert verify(campaign.journal, seeds={1: SEED}).sound
    # Undone to an entry in the midst of it, what is left of it is still undone in one go.
    campaign.undo(to=4)
    campaign.undo()
    assert to_bytes(campaign.state) == before


def test_a_refusal_gives_nothing_and_says_which_order_it_is() -> None:
    campaign = war(points=1)
    whatif = whatif_of(campaign)
    for unit in ("1", "3"):
        assert not isinstance(whatif.do(RebuildUnit(unit=unit)), Refusal)
    campaign.do(RebuildUnit(unit="0"))
    before = to_bytes(campaign.state)
    outcome = give(campaign, tried(whatif))
    assert isinstance(outcome, Stopped)
    assert isinstance(outcome.why, Refusal)
    assert (outcome.order.number, outcome.why.clauses, outcome.done) == (2, ("ring.2",), ())
    assert (to_bytes(campaign.state), campaign.seq) == (before, 2)


# ---------------------------------------------------------------------------------------------------------- dice


def fell(campaign: Campaign) -> list[int]:
    return [event.result for entry in campaign.entries() for event in entry.events if isinstance(event, Rolled)]


def test_dice_of_a_what_if_are_its_own_and_tell_nothing_of_the_campaigns() -> None:
    campaign = war()
    assert campaign.beginning.dice == dice.commitment(SEED)
    whatifs = [whatif_of(campaign) for _ in range(3)]
    for each in whatifs:
        each.do(Toss(unit="1", dice=40))
    campaign.do(Toss(unit="1", dice=40))
    assert len({tuple(fell(each)) for each in (*whatifs, campaign)}) == 4
    assert SEED not in b"".join(sealed.body for each in whatifs for sealed in each.journal.read())


def test_an_order_that_rolls_is_rolled_anew() -> None:
    campaign = war()
    alone = war()
    alone.do(Toss(unit="1", dice=40))
    whatif = whatif_of(campaign)
    whatif.do(Toss(unit="1", dice=40))
    assert isinstance(give(campaign, tried(whatif)), Given)
    assert fell(campaign) == fell(alone) != fell(whatif)
    assert verify(campaign.journal, seeds={1: SEED}).sound


def toss(rolls: Toss) -> Campaign:
    """The same campaign with nothing done but a toss."""
    campaign = war()
    campaign.do(rolls)
    return campaign


def test_a_die_that_falls_otherwise_stays_where_it_fell() -> None:
    """Else one would learn how the campaign's dice fall by trying an order that only a good one lets pass."""
    campaign = war()
    rolls = next(each for each in map(Toss, "01234567") if toss(each).state.units[each.unit].step == "full")
    whatif = whatif_of(campaign)
    whatif.do(rolls)
    while whatif.state.units[rolls.unit].step != "cadre":
        whatif = whatif_of(campaign)
        whatif.do(rolls)
    whatif.do(Rest(unit=rolls.unit))
    whatif.do(RebuildUnit(unit="2"))
    outcome = give(campaign, tried(whatif))
    assert isinstance(outcome, Stopped)
    assert (outcome.order.number, len(outcome.done)) == (2, 1)
    assert fell(campaign) == fell(toss(rolls))
    # A list that cannot pass however the dice fall does not roll at all.
    campaign.undo()
    whatif = whatif_of(campaign)
    whatif.do(rolls)
    whatif.do(RebuildUnit(unit="2"))
    campaign.do(RebuildUnit(unit="2"))
    outcome = give(campaign, tried(whatif))
    assert isinstance(outcome, Stopped)
    assert outcome.done == ()


@pytest.mark.parametrize(
    ("rolled", "said"),
    [((), "it rolls 2 dice: say what they show"), ((3,), "it rolls 2 dice"), ((3, 4, 5), "asked for: 2")],
)
def test_dice_of_the_table_are_entered_when_it_is_given(rolled: tuple[int, ...], said: str) -> None:
    campaign = war(seed=b"")
    whatif = whatif_of(campaign)
    whatif.do(Toss(unit="1", dice=2))
    outcome = give(campaign, tried(whatif), dice=rolled)
    assert isinstance(outcome, Stopped)
    assert said in str(outcome.why)
    assert isinstance(give(campaign, tried(whatif), dice=(6, 2)), Given)
    assert fell(campaign) == [6, 2]


def test_what_others_must_agree_to_is_not_given_in_a_bundle() -> None:
    campaign = war(seats=True)
    whatif = whatif_of(campaign)
    whatif.do(Toss(unit="1"))
    outcome = give(campaign, tried(whatif), seat="Axis", seats=SIDES)
    assert isinstance(outcome, Given)
    assert outcome.done[0].entry.seat == "Axis"
    # The other side keeps its part in the dice elsewhere.
    promise(campaign, {"Soviet": new_seed()}, seat="Soviet")
    campaign = Campaign(campaign.journal, build, SEED)
    outcome = give(campaign, tried(whatif), seat="Axis", seats=SIDES)
    assert isinstance(outcome, Stopped)
    assert "share of Soviet" in str(outcome.why)
    assert outcome.done == ()
