"""State: a unit is in one place, a point in one account, a snapshot is the same bytes whatever the order."""

import ast
from fractions import Fraction
from pathlib import Path

import pytest

import forcepool
from forcepool.engine.calendar import Clock, Turn
from forcepool.engine.events import Became, Marked, Moved, Noted, PhaseBegan, Raised, SwitchSet, Transferred
from forcepool.engine.ledger import Account, imbalance, is_pool, lines
from forcepool.engine.places import OUT_OF_PLAY, Place, at_hex, on_track
from forcepool.engine.state import State, Unit, add_unit, evolve, from_bytes, to_bytes
from forcepool.engine.units import Strength, UnitSpec

SPEC = UnitSpec(full=Strength(7, 7, 6), cadre=Strength(3, 3, 6), type="Inf", size="XX", nation="Germany")
START = Clock(Turn(93168), 0, 0)


def state_with(*units: str, at: str = "Minsk") -> State:
    state = State(clock=START)
    for name in units:
        add_unit(state, Unit(name, SPEC, at_hex(at)))
    return state


def test_a_unit_that_moves_leaves_its_stack_and_joins_another() -> None:
    state = state_with("b", "a")
    assert state.stacks == {"Minsk": ("a", "b")}
    evolve(state, [Moved(unit="a", frm=at_hex("Minsk"), to=at_hex("Orsha"))])
    assert state.stacks == {"Minsk": ("b",), "Orsha": ("a",)}
    evolve(state, [Moved(unit="b", frm=at_hex("Minsk"), to=on_track("front/centre", 93172))])
    assert state.stacks == {"Orsha": ("a",)}
    assert [unit.id for unit in state.stack("Orsha")] == ["a"]
    assert state.units["b"].place.due == 93172


def test_points_leave_one_account_for_another_exactly() -> None:
    state = state_with()
    third = Fraction(1, 3)
    evolve(state, [Transferred(amount=third, kind="inf", nation="Germany", frm="source/x", to="front/a")] * 3)
    assert state.balance("front/a", "Germany", "inf") == 1
    assert state.balance("source/x", "Germany", "inf") == -1
    assert state.balance("front/a", "Germany", "arm") == 0
    assert imbalance(state.balances.items()) == {}
    state.balances[Account("front/a", "Germany", "inf")] += third
    assert imbalance(state.balances.items()) == {("Germany", "inf"): third}


def test_a_mark_remembers_when_it_was_set_and_goes_when_taken_off() -> None:
    state = state_with("a")
    evolve(state, [PhaseBegan(clock=Clock(Turn(93168), 1, 2)), Marked(on="unit/a", mark="mp", value=2, by="Axis")])
    mark = state.mark("unit/a", "mp")
    assert mark is not None
    assert (mark.value, mark.since, mark.by) == (2, 93168 * 8 + 1, "Axis")
    evolve(state, [Marked(on="unit/a", mark="mp"), Marked(on="unit/a", mark="never")])
    assert state.marks == {}


def test_a_step_a_switch_a_new_counter_and_a_note() -> None:
    state = state_with("a")
    evolve(state, [Became(unit="a", was="full", step="cadre"), SwitchSet(switch="x", option="y"), Noted(text="hm")])
    evolve(state, [Raised(unit="c", spec=SPEC, at=OUT_OF_PLAY)])
    assert state.units["a"].step == "cadre"
    assert state.switches == {"x": "y"}
    assert state.units["c"].place == Place("out")


def test_a_copy_is_ones_own() -> None:
    state = state_with("a")
    evolve(state, [Marked(on="unit/a", mark="mp", value=1)])
    before = to_bytes(state)
    mine = state.copy()
    evolve(mine, [Marked(on="unit/a", mark="mp", value=2), Moved(unit="a", frm=at_hex("Minsk"), to=OUT_OF_PLAY)])
    assert to_bytes(state) == before
    assert to_bytes(mine) != before


def test_a_snapshot_gives_the_same_bytes_whatever_came_first() -> None:
    one, two = state_with("a", "b"), state_with("b", "a")
    for state, pools in ((one, ("x", "y")), (two, ("y", "x"))):
        for pool in pools:
            event = Transferred(amount=Fraction(7, 2), kind="inf", nation="Germany", frm="source/s", to=pool)
            evolve(state, [event, Marked(on=f"place/{pool}", mark="town", value=True)])
    assert to_bytes(one) == to_bytes(two)
    assert to_bytes(from_bytes(to_bytes(one))) == to_bytes(one)
    assert from_bytes(to_bytes(one)).stacks == one.stacks


CLOCK = b'{"turn":1,"player":0,"phase":0}'


@pytest.mark.parametrize("damage", [b"", b"{}", b"[1]", b"[" + CLOCK + b',[],[[["a","b","c"],"1/0"]],[],[]]'])
def test_what_is_no_snapshot_is_refused(damage: bytes) -> None:
    with pytest.raises(ValueError, match="not a snapshot"):
        from_bytes(damage)


def test_the_ledger_lists_pools_in_order_and_leaves_sources_and_sinks_out() -> None:
    balances = [
        (Account("sink/spent", "Germany", "inf"), Fraction(1)),
        (Account("front/b", "Germany", "inf"), Fraction(2)),
        (Account("front/a", "Italy", "arm"), Fraction(3)),
    ]
    assert [str(line.account) for line in lines(balances)] == ["front/a Italy arm", "front/b Germany inf"]
    assert [line.balance for line in lines(balances, nation="Italy")] == [3]
    assert [line.balance for line in lines(balances, pool="sink/spent")] == [1]
    assert not is_pool("source/set-up")


PARTS = ("clock", "units", "balances", "marks", "switches", "stacks", "marked")
SETS_UP = ("engine/state.py", "games/europa/scenario.py", "scenarios/reading.py", "views/scenarios.py")


def _changes_a_state(node: ast.AST) -> bool:
    """Whether a line writes to a part of a state: `state.clock = …`, `state.units[…] = …`, `state.marks.pop(…)`."""

    def is_part(each: ast.expr) -> bool:
        each = each.value if isinstance(each, ast.Subscript) else each
        if not isinstance(each, ast.Attribute) or each.attr not in PARTS:
            return False
        holder = each.value
        return (holder.attr if isinstance(holder, ast.Attribute) else getattr(holder, "id", "")).endswith("state")

    match node:
        case ast.Assign(targets=targets) | ast.Delete(targets=targets):
            return any(map(is_part, targets))
        case ast.AugAssign(target=target):
            return is_part(target)
        case ast.Call(func=ast.Attribute(value=value, attr="pop" | "update" | "setdefault" | "clear" | "popitem")):
            return is_part(value)
    return False


def test_a_state_in_play_changes_by_events_alone_so_that_no_kept_answer_can_be_out_of_date() -> None:
    root = Path(forcepool.__file__).parent
    changed = [
        f"{file.relative_to(root)}:{getattr(node, 'lineno', 0)}"
        for file in sorted(root.rglob("*.py"))
        if file.relative_to(root).as_posix() not in SETS_UP
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if _changes_a_state(node)
    ]
    assert changed == []


def test_every_event_that_changes_something_makes_a_new_version_and_equal_states_stay_equal() -> None:
    one, other = State(clock=START), State(clock=START)
    evolve(one, [Marked(on="place/Minsk", mark="town", value=True), Marked(on="place/Minsk", mark="town")])
    assert (one.version, other.version) == (2, 0)
    assert one == other
    evolve(one, [Noted(text="nothing changes")])
    assert one.version == 2
    assert one.copy() == one
    assert from_bytes(to_bytes(one)).version == 1
