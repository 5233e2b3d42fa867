"""Units of a kind: a rule that needs neither name nor hex is asked once for all of them, any other for each."""

from collections.abc import Iterator
from typing import Any

import pytest

from forcepool.engine.alike import Kind, OneOfAKind, SomeHex, kind_of
from forcepool.engine.command import Command, Question, lazy
from forcepool.engine.events import Event, Marked, Noted
from forcepool.engine.facts import SetsApart, unit_key
from forcepool.engine.options import choice
from forcepool.engine.places import OUT_OF_PLAY, at_hex
from forcepool.engine.state import evolve
from forcepool.engine.verdicts import YES, Verdict, no, yes
from forcepool.rulebook import citations
from tests.support.quiet import nobody_listens
from tests.support.ring import house_rule
from tests.support.table import Table

asked: list[str] = []


@house_rule("kind.1")
def is_infantry(q: Any) -> Verdict:
    asked.append("type")
    return YES if q.unit.spec.type == "Inf" else no("it is no infantry")


@house_rule("kind.2")
def is_not_the_24th(q: Any) -> Verdict:
    asked.append("name")
    return no("it is the 24th") if q.unit.id == "24 Inf XX" else yes("kind.2")


@house_rule("kind.3")
def stands_in_minsk(q: Any) -> Verdict:
    asked.append("place")
    return YES if q.unit.place == at_hex("Minsk") else no("it is elsewhere")


@house_rule("kind.4")
def is_a_cadre(q: Any) -> Verdict:
    asked.append("step")
    return yes("kind.4") if q.unit.step == "cadre" else no("it is no cadre")


class Marching(Question):
    """A unit, and the column it marches in."""

    @lazy
    def column(self) -> dict[str, list[Any]]:
        return {"first": [self.unit]}

    @lazy
    def pace(self) -> int:
        return len(self.column)


@house_rule("kind.5")
def has_a_column(q: Any) -> Verdict:
    return YES if q.column and q.pace else no("nobody marches")


class Column(Command, tag="column", frozen=True):
    """March in column."""

    unit: str
    question = Marching
    requires = (has_a_column,)

    def effects(self, q: Any) -> Iterator[Event]:
        yield Noted(text=q.column["first"][0].id)


class Parade(Command, tag="parade", frozen=True):
    """March past."""

    unit: str
    needs = (is_infantry,)
    requires = (is_not_the_24th, stands_in_minsk, is_a_cadre)

    def effects(self, q: Any) -> Iterator[Event]:
        yield Noted(text=q.unit.id)


TWINS = """
turn: Oct 3 41
player: Axis
fronts: {centre: {theatre: east}}
places: {Minsk: {front: centre}, Orsha: {front: centre}}
units:
  24 Inf XX: {spec: 7-6 Inf XX (3-6), at: Minsk, as: cadre, nation: German}
  25 Inf XX: {spec: 7-6 Inf XX (3-6), at: Minsk, as: cadre, nation: German}
  26 Inf XX: {spec: 7-6 Inf XX (3-6), at: Orsha, as: cadre, nation: German}
  27 Inf XX: {spec: 7-6 Inf XX (3-6), at: Minsk, nation: German}
  6 Pz XX: {spec: 12-10 Pz XX (5-8), at: Minsk, as: cadre, nation: German}
"""


@house_rule("kind.6")
def is_fresh(q: Any) -> Verdict:
    asked.append("marks")
    if q.facts.declared(unit_key(q.unit.id), "tired"):
        return no(f"{q.unit.id} is tired", remedy=f"rest {q.unit.id}")
    return no(f"{q.unit.id} was at {q.unit.place.of} all day", remedy=f"leave {q.unit.place.of}")


@house_rule("kind.7")
def is_on_the_list(q: Any) -> Verdict:
    asked.append("list")
    return no("these march", units=(q.unit.id,))


class Drill(Command, frozen=True, tag="drill"):
    """March in step, for those who are fresh."""

    unit: str
    requires = (is_fresh, is_on_the_list)

    def effects(self, q: Any) -> Iterator[Event]:
        yield Noted(text=f"{self.unit} drills")


def parade(table: Table, unit: str) -> list[str]:
    """What was asked on listing one command."""
    asked.clear()
    with nobody_listens():
        choice(table.campaign.world, table.campaign.state, Parade(unit=unit))
    return list(asked)


def test_the_second_of_a_kind_is_asked_only_what_sets_it_apart() -> None:
    table = Table(TWINS)
    assert parade(table, "24 Inf XX") == ["type", "name", "place", "step", "name", "place"]
    assert parade(table, "25 Inf XX") == ["name", "place"]
    assert parade(table, "26 Inf XX") == ["name", "place"]


def test_another_step_or_another_counter_is_another_kind() -> None:
    table = Table(TWINS)
    parade(table, "24 Inf XX")
    assert "step" in parade(table, "27 Inf XX")
    assert "type" in parade(table, "6 Pz XX")
    assert parade(table, "6 Pz XX") == []


def test_each_unit_gets_its_own_answer_in_the_order_of_the_rules() -> None:
    table = Table(TWINS)
    parade(table, "24 Inf XX")
    parade(table, "25 Inf XX")
    world, state = table.campaign.world, table.campaign.state
    with nobody_listens():
        found = {unit: choice(world, state, Parade(unit=unit)) for unit in ("24 Inf XX", "25 Inf XX", "26 Inf XX")}
    assert [reason.says for reason in found["24 Inf XX"].reasons] == ["it is the 24th"]
    assert [each.because for each in found["25 Inf XX"].allowed] == ["kind.2", "kind.4"]
    assert [reason.says for reason in found["26 Inf XX"].reasons] == ["it is elsewhere"]


def test_once_something_happens_everything_is_asked_again() -> None:
    table = Table(TWINS)
    parade(table, "24 Inf XX")
    table.do("note", text="nothing has changed")
    assert parade(table, "26 Inf XX") == ["name", "place"]
    table.do("put-unit", unit="27 Inf XX", at="Orsha")
    assert parade(table, "26 Inf XX") == ["type", "name", "place", "step", "name", "place"]


def test_whoever_listens_hears_of_a_rule_that_all_of_a_kind_pass() -> None:
    table, found = Table(TWINS), set[tuple[str, str]]()
    listener = citations.observer
    citations.observe(lambda clause, outcome: found.add((clause, outcome)))
    try:
        choice(table.campaign.world, table.campaign.state, Parade(unit="25 Inf XX"))
    finally:
        citations.observe(listener)
    assert {("kind.1", "yes"), ("kind.2", "yes"), ("kind.3", "yes"), ("kind.4", "yes")} <= found


def test_a_command_for_nobody_has_no_kind() -> None:
    table = Table(TWINS)
    with nobody_listens():
        assert kind_of(table.campaign.world, table.campaign.state, Parade(unit="Nobody")) is None
        assert isinstance(kind_of(table.campaign.world, table.campaign.state, Parade(unit="25 Inf XX")), Kind)


def test_neither_name_nor_hex_of_one_of_a_kind_can_be_had() -> None:
    table = Table(TWINS)
    some = OneOfAKind(table.unit("24 Inf XX").spec, "cadre", SomeHex())
    assert some.place.kind == "hex"
    looks: list[Any] = [
        lambda: some.id,
        lambda: some.place.of,
        lambda: some == table.unit("24 Inf XX"),
        lambda: table.unit("24 Inf XX") == some,
        lambda: some.place == at_hex("Minsk"),
        lambda: at_hex("Minsk") == some.place,
        lambda: some.place != OUT_OF_PLAY,
        lambda: f"{some}",
        lambda: f"{some.place}",
        lambda: {some},
        lambda: {some.place},
    ]
    for look in looks:
        with pytest.raises(SetsApart):
            look()


def test_what_holds_the_unit_itself_is_not_taken_over_from_its_kind() -> None:
    table = Table(TWINS)
    world, state = table.campaign.world, table.campaign.state
    with nobody_listens():
        for unit in ("24 Inf XX", "25 Inf XX"):
            kind = kind_of(world, state, Column(unit=unit))
            assert isinstance(kind, Kind)
            q: Any = kind.question(world, state, Column(unit=unit))
            assert q.column == {"first": [table.unit(unit)]}
            assert q.pace == 1
            assert choice(world, state, Column(unit=unit)).open


def test_units_of_which_nothing_was_declared_share_an_answer_and_each_reads_its_own_name_in_it() -> None:
    table = Table(TWINS)
    world, state = table.campaign.world, table.campaign.state
    evolve(state, [Marked(on=unit_key("25 Inf XX"), mark="tired", value=True)])
    asked.clear()
    with nobody_listens():
        found = {
            unit: choice(world, state, Drill(unit=unit)).reasons for unit in ("24 Inf XX", "26 Inf XX", "25 Inf XX")
        }
    assert [str(reasons[0]) for reasons in found.values()] == [
        "24 Inf XX was at Minsk all day. Leave Minsk",
        "26 Inf XX was at Orsha all day. Leave Orsha",
        "25 Inf XX is tired. Rest 25 Inf XX",
    ]
    # Once for the two fresh ones, and for the tired one both as one of its kind and by itself.
    assert asked.count("marks") == 3


def test_a_name_that_is_no_part_of_a_sentence_is_each_units_own() -> None:
    table = Table(TWINS)
    world, state = table.campaign.world, table.campaign.state
    with nobody_listens():
        for unit in ("24 Inf XX", "26 Inf XX"):
            assert [each.units for each in choice(world, state, Drill(unit=unit)).reasons] == [(), (unit,)]


def test_a_name_nobody_knows_can_be_written_down_and_told_from_no_other() -> None:
    table = Table(TWINS)
    some = OneOfAKind(table.unit("24 Inf XX").spec, "cadre", SomeHex(declared=False), declared=False)
    assert unit_key(f"{some.id}") != unit_key(f"{some.place.of}")
    looks: list[Any] = [
        lambda: some.id == "24 Inf XX",
        lambda: table.unit("24 Inf XX").id != some.id,
        lambda: table.campaign.state.units.get(some.id),  # type: ignore[call-overload]
        lambda: sorted([some.id, some.id]),
        lambda: some.place.of in ("Minsk",),
        lambda: list(table.campaign.state.stack(some.place.of)),  # type: ignore[arg-type]
        lambda: some.id.startswith("24"),  # type: ignore[attr-defined]
        lambda: some.id[0],
        lambda: some.id + " and others",
    ]
    for look in looks:
        with pytest.raises(SetsApart):
            look()
