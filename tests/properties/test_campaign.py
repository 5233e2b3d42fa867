"""Whatever the players do, in whatever order: points and counters are conserved, and the journal tells it all again."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec import Struct
from msgspec.structs import replace

from forcepool import games
from forcepool.engine import desk
from forcepool.engine.agenda import agenda
from forcepool.engine.bill import cost_of
from forcepool.engine.campaign import Campaign, Done, NothingToUndo
from forcepool.engine.command import BadCommand, Command
from forcepool.engine.decide import Decision
from forcepool.engine.events import Overruled, Raised, Transferred
from forcepool.engine.facts import NUMBER, WORDS, YES_NO, Fact
from forcepool.engine.journal import Conflict, Entry, MemoryJournal, check_chain
from forcepool.engine.ledger import imbalance
from forcepool.engine.options import Choice, options
from forcepool.engine.places import HEX
from forcepool.engine.state import to_bytes
from forcepool.engine.verdicts import Refusal
from forcepool.games.europa import GAME
from forcepool.orderofbattle.unit_strings import parse_unit
from tests.properties.encirclement import SEED, order, start

WORLD = start().world
FACTS = [fact for fact in GAME.facts if fact.by_hand]
POOLS = ["front/centre", "front/south", "md/iii", "md/moscow", "national/Germany", "national/Hungary", "local/vyazma"]
NATIONS = ["Germany", "Rumania", "Hungary", "Soviet Union"]
AMOUNTS = st.fractions(-5, 5, max_denominator=37)
PLACES = ["Minsk", "Vyazma", "Uman", "Moscow", "Berlin", "out of play", "eliminated front/south", "isolated Germany"]
AREAS = ["front/centre", "front/south", "md/iii", "md/moscow"]

ALARM = replace(parse_unit("1-6 Inf II").spec, nation="Germany")


class Turned(Struct, frozen=True):
    """One command that counts: its entry, the counters it raised, and the state before and after it."""

    entry: int
    raised: tuple[str, ...]
    before: bytes
    after: bytes


class Playing(RuleBasedStateMachine):
    """Players at one campaign, who may give any command at any time, lawful or not."""

    @initialize()
    def sit_down(self) -> None:
        self.journal = MemoryJournal()
        self.campaign = start(self.journal)
        self.late = Campaign(self.journal, games.build_world, SEED)
        self.ids = set(self.campaign.state.units)
        self.done: list[Turned] = []
        self.undone: list[list[Turned]] = []

    # ---------------------------------------------------------------------------------------------- helpers

    @property
    def now(self) -> bytes:
        return to_bytes(self.campaign.state)

    def units(self) -> list[str]:
        return sorted(self.campaign.state.units)

    def draw_choice(self, data: st.DataObject, *, open_: bool) -> Choice | None:
        """One of the open or closed options of a unit, if it has any."""
        unit = self.campaign.state.units[data.draw(st.sampled_from(self.units()), label="unit")]
        found = [each for each in options(self.campaign.world, self.campaign.state, unit) if each.open is open_]
        return data.draw(st.sampled_from(found), label="choice") if found else None

    def give(self, command: Command, **how: Any) -> Done | Refusal | str:
        """Judge the command, then give it: judging changes nothing, giving does what was judged, refusing nothing."""
        before, entries = self.now, len(self.journal.entries)
        judged = _attempt(self.campaign.judge, command, how)
        assert self.now == before
        outcome = _attempt(self.campaign.do, command, how)
        if isinstance(outcome, Refusal | str):
            assert outcome == judged
            assert isinstance(outcome, str) or outcome.reasons
            assert (self.now, len(self.journal.entries)) == (before, entries)
            return outcome
        assert isinstance(outcome, Done)
        assert outcome.decision == judged
        self.count(outcome.entry, before)
        return outcome

    def count(self, entry: Entry, before: bytes) -> None:
        # A command that changed nothing (a relieved pocket that held nothing) leaves nothing to undo.
        if entry.events:
            raised = tuple(event.unit for event in entry.events if isinstance(event, Raised))
            self.done.append(Turned(entry.n, raised, before, self.now))
        self.undone = []

    # ----------------------------------------------------------------------------------------- giving orders

    @rule(data=st.data())
    def give_an_open_option(self, data: st.DataObject) -> None:
        choice = self.draw_choice(data, open_=True)
        if choice is None:
            return
        outcome = self.give(choice.command)
        assert isinstance(outcome, Done)
        assert cost_of(outcome.decision.events) == choice.cost

    @rule(data=st.data())
    def give_a_closed_option(self, data: st.DataObject) -> None:
        choice = self.draw_choice(data, open_=False)
        if choice is None:
            return
        outcome = self.give(choice.command)
        if isinstance(outcome, str):
            assert [reason.says for reason in choice.reasons] == [outcome]
            return
        assert isinstance(outcome, Refusal)
        assert (outcome.reasons, outcome.final) == (choice.reasons, choice.final)

    @rule(data=st.data())
    def overrule_a_refusal(self, data: st.DataObject) -> None:
        choice = self.draw_choice(data, open_=False)
        if choice is None:
            return
        outcome = self.give(choice.command, override="we agreed on it")
        if choice.final:
            assert not isinstance(outcome, Done)
            return
        assert isinstance(outcome, Done)
        first = outcome.entry.events[0]
        assert isinstance(first, Overruled)
        assert first.clauses == [reason.clause for reason in choice.reasons]
        assert outcome.decision.overruled == choice.reasons

    @rule(data=st.data())
    def another_side_cannot_order_it(self, data: st.DataObject) -> None:
        choice = self.draw_choice(data, open_=True)
        if choice is None:
            return
        unit = self.campaign.state.units[getattr(choice.command, "unit")]  # noqa: B009
        others = [side for side in WORLD.sequence.players if side != WORLD.side_of(unit.spec.nation)]
        assert isinstance(self.give(choice.command, seat=data.draw(st.sampled_from(others)), override="please"), str)

    @rule(
        data=st.data(),
        to=st.sampled_from(["eliminated", "cadre", "remnant"]),
        isolated=st.sampled_from(["", "no", "combat", "supply", "perhaps"]),
        front=st.sampled_from(["", "", "front/south", "nowhere"]),
    )
    def lose_a_unit(self, data: st.DataObject, to: str, isolated: str, front: str) -> None:
        unit = data.draw(st.sampled_from(self.units()))
        self.give(order("lose", unit=unit, to=to, isolated=isolated, front=front))

    @rule(phases=st.integers(1, 8))
    def advance(self, phases: int) -> None:
        for _ in range(phases):
            clock = self.campaign.state.clock
            assert isinstance(self.give(desk.Advance()), Done)
            assert self.campaign.state.clock > clock

    @rule(data=st.data(), fact=st.sampled_from(FACTS), take_back=st.integers(0, 4))
    def declare_a_fact(self, data: st.DataObject, fact: Fact, take_back: int) -> None:
        kind = data.draw(st.sampled_from(fact.on))
        about = {"place": PLACES[:5], "area": AREAS, "nation": NATIONS}.get(kind, [""])
        self.give(
            desk.Declare(
                fact=fact.name,
                value=data.draw(_values(fact)) if take_back else None,
                unit=data.draw(st.sampled_from(self.units())) if kind == "unit" else "",
                about=data.draw(st.sampled_from(about)),
            )
        )

    @rule(data=st.data(), switch=st.sampled_from(GAME.switches))
    def play_another_house_rule(self, data: st.DataObject, switch: Any) -> None:
        option = data.draw(st.sampled_from([each.name for each in switch.options]))
        assert isinstance(self.give(desk.HouseRule(rule=switch.key, option=option)), Done)
        assert self.campaign.state.switches[switch.key] == option

    @rule(
        pool=st.sampled_from(POOLS),
        nation=st.sampled_from(NATIONS),
        kind=st.sampled_from(["inf", "arm", "art"]),
        amount=AMOUNTS,
    )
    def correct_points(self, pool: str, nation: str, kind: str, amount: Fraction) -> None:
        had = self.campaign.state.balance(pool, nation, kind)
        command = desk.CorrectPoints(pool=pool, nation=nation, kind=kind, amount=str(amount), note="recount")
        # To put a balance right by nothing is no order.
        assert isinstance(self.give(command), Done) == bool(amount)
        assert self.campaign.state.balance(pool, nation, kind) == had + amount

    @rule(data=st.data(), at=st.sampled_from(["", *PLACES]), step=st.sampled_from(["", "full", "cadre", "remnant"]))
    def put_a_unit_right(self, data: st.DataObject, at: str, step: str) -> None:
        self.give(desk.PutUnit(unit=data.draw(st.sampled_from(self.units())), at=at, step=step))

    @rule(at=st.sampled_from(PLACES), number=st.integers(1, 3))
    def add_a_forgotten_unit(self, at: str, number: int) -> None:
        name = f"{number} Alarm II"
        known = name in self.campaign.state.units
        outcome = self.give(desk.AddUnit(name=name, spec=ALARM, at=at))
        assert isinstance(outcome, str if known else Done)

    @rule(pool=st.sampled_from(["local/vyazma", "local/uman", "front/south"]), into=st.sampled_from(POOLS))
    def relieve_a_pocket(self, pool: str, into: str) -> None:
        self.give(order("join-local-pool", pool=pool, into=into))

    @rule(text=st.text(max_size=10))
    def write_a_note(self, text: str) -> None:
        before = self.now
        assert isinstance(self.give(desk.Note(text=text)), Done)
        assert self.now == before

    # --------------------------------------------------------------------------------------- undo and redo

    @precondition(lambda self: not self.done)
    @rule()
    def nothing_can_be_undone(self) -> None:
        entries = len(self.journal.entries)
        with pytest.raises(NothingToUndo):
            self.campaign.undo()
        assert len(self.journal.entries) == entries

    @precondition(lambda self: self.done)
    @rule()
    def undo(self) -> None:
        last = self.done.pop()
        entry = self.campaign.undo()
        assert isinstance(entry, Entry)
        assert entry.undo == [last.entry]
        assert self.now == last.before
        self.undone.append([last])

    @precondition(lambda self: self.done)
    @rule(data=st.data())
    def undo_back_to_an_entry(self, data: st.DataObject) -> None:
        start = data.draw(st.integers(0, len(self.done) - 1))
        group = self.done[start:]
        entry = self.campaign.undo(to=group[0].entry)
        assert isinstance(entry, Entry)
        assert sorted(entry.undo) == [each.entry for each in group]
        assert self.now == group[0].before
        del self.done[start:]
        self.undone.append(group)

    @precondition(lambda self: self.undone)
    @rule()
    def redo(self) -> None:
        group = self.undone.pop()
        entry = self.campaign.redo()
        assert sorted(entry.redo) == [each.entry for each in group]
        assert self.now == group[-1].after
        self.done.extend(group)

    @precondition(lambda self: not self.undone)
    @rule()
    def nothing_can_be_redone(self) -> None:
        with pytest.raises(NothingToUndo):
            self.campaign.redo()

    @precondition(lambda self: self.done)
    @rule()
    def undo_and_redo(self) -> None:
        before = self.now
        self.campaign.undo()
        self.campaign.redo()
        assert self.now == before

    # ------------------------------------------------------------------------------- the journal tells it again

    def same(self, other: Campaign) -> None:
        mine = self.campaign
        assert to_bytes(other.state) == self.now
        assert other.state == mine.state
        assert (other.seq, other.hash) == (mine.seq, mine.hash)
        assert (other.history.undone, other.history.redoable) == (mine.history.undone, mine.history.redoable)

    @rule()
    def open_it_again(self) -> None:
        other = Campaign(self.journal, games.build_world, SEED)
        self.same(other)
        self.campaign = other

    @rule()
    def open_it_without_snapshots(self) -> None:
        copy = MemoryJournal()
        copy.append(self.journal.entries)
        self.same(Campaign(copy, games.build_world, SEED))

    @rule()
    def keep_a_snapshot_and_open_it_again(self) -> None:
        self.campaign.keep_snapshot()
        self.open_it_again()

    @rule()
    def a_latecomer_catches_up(self) -> None:
        behind = self.campaign.seq - self.late.seq
        assert self.late.refresh() == behind
        self.same(self.late)

    @precondition(lambda self: self.late.seq < self.campaign.seq)
    @rule()
    def a_latecomer_cannot_write_over_the_others(self) -> None:
        before, entries = to_bytes(self.late.state), list(self.journal.entries)
        with pytest.raises(Conflict):
            self.late.do(desk.Note(text="me too"))
        assert to_bytes(self.late.state) == before
        assert self.journal.entries == entries

    @rule()
    def look_around(self) -> None:
        """Reading a list changes nothing, it comes out the same twice, and what the checklist offers is lawful."""
        world, state, before = self.campaign.world, self.campaign.state, self.now
        items = agenda(world, state)
        assert items == agenda(world, state)
        for item in items:
            if item.command is not None:
                assert isinstance(self.campaign.judge(item.command), Decision)
        for unit in state.units_in_order():
            assert options(world, state, unit) == options(world, state, unit)
        assert self.now == before

    # ------------------------------------------------------------------------------------ what always holds

    @invariant()
    def points_are_conserved(self) -> None:
        assert imbalance(self.campaign.state.balances.items()) == {}

    @invariant()
    def no_counter_vanishes_and_none_appears_that_was_not_raised(self) -> None:
        raised = {unit for each in self.done for unit in each.raised}
        assert set(self.campaign.state.units) == self.ids | raised
        assert all(unit.id == name for name, unit in self.campaign.state.units.items())

    @invariant()
    def every_unit_is_in_one_place_and_the_stacks_agree(self) -> None:
        state = self.campaign.state
        stacks: dict[str, tuple[str, ...]] = {}
        for unit in state.units_in_order():
            assert unit.spec.has(unit.step)
            if unit.place.kind == HEX:
                stacks[unit.place.of] = (*stacks.get(unit.place.of, ()), unit.id)
        assert state.stacks == stacks

    @invariant()
    def the_chain_holds(self) -> None:
        assert list(check_chain(self.journal.read())) == []

    @invariant()
    def what_is_done_is_what_the_last_command_left(self) -> None:
        if self.done:
            assert self.now == self.done[-1].after


def _attempt(act: Callable[..., Any], command: Command, how: dict[str, Any]) -> Any:
    """What comes of a command, or the sentence with which it is turned away."""
    try:
        return act(command, **how)
    except BadCommand as error:
        return str(error)


def _values(fact: Fact) -> st.SearchStrategy[Any]:
    """What a player might declare, with a slip now and then."""
    if fact.takes == YES_NO:
        return st.sampled_from([True, False, "yes", "no", "maybe"])
    if fact.takes == NUMBER:
        return st.sampled_from([0, 1, 3, "2", "two"])
    if fact.takes == WORDS:
        return st.lists(st.sampled_from(["none", "brigade", "division", "corps", "horde"]), max_size=3)
    words = {"pocket": ["Vyazma", "Uman", ""], "owner": ["Axis", "Soviet"], "zoc": ["none", "division"]}
    return st.sampled_from([*(fact.values or words.get(fact.name, ["Soviet Union"])), "whatever"])


TestPlaying = Playing.TestCase
TestPlaying.settings = settings(max_examples=40, stateful_step_count=40)


def test_points_leave_one_account_for_another_only() -> None:
    """An overruled purchase may leave a pool below nothing; the points spent are still all accounted for."""
    campaign = start()
    unit = campaign.state.units["100 Rifle XX"]
    pool = "national/Soviet Union"
    listed = (each for each in options(campaign.world, campaign.state, unit) if not each.open and not each.final)
    closed = next(each for each in listed if getattr(each.command, "pay_from", "") == pool)
    outcome = campaign.do(closed.command, override="the umpire allows it")
    assert isinstance(outcome, Done)
    assert campaign.state.balance("national/Soviet Union", "Soviet Union", "inf") == -3
    assert imbalance(campaign.state.balances.items()) == {}
    assert [event.amount for event in outcome.entry.events if isinstance(event, Transferred)] == [3]
