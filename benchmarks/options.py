"""What can be done, in a campaign of 3,000 units: with one, with all of them, and the checklist after an order.

The lists are looked at as a server does, which keeps answers from one look to the next; and from nothing, as the
command line does. Goals, in the processor's time: from nothing 1 s for the options of all units; the checklist 3 ms
after a declaration, 10 ms after any other order with full and with near-empty pools, 30 ms after a phase ends; the
options of one unit 0.2 ms after an order.
"""

import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from forcepool.engine.agenda import agenda
from forcepool.engine.answers import keep_answers
from forcepool.engine.command import Command, command_name
from forcepool.engine.events import Event, Transferred
from forcepool.engine.ledger import is_pool
from forcepool.engine.options import options
from forcepool.engine.state import State, evolve, restore, snapshot
from forcepool.web.sweeping import sweep, sweep_seldom
from tests.support.armies import war
from tests.support.table import Table

UNITS = 3000
LOOKS = 7
LEFT = Fraction(9, 2)
"""What a nearly empty pool holds of each kind."""


def took(work: Callable[[], Any]) -> float:
    """Milliseconds of processor time; memory is swept before, as a server does between two pages."""
    sweep()
    begun = time.process_time()
    work()
    return (time.process_time() - begun) * 1000


def to_replacements(table: Table) -> None:
    table.do("advance")
    while table.campaign.world.phase(table.campaign.state) != "replacement":
        table.do("advance")


def almost_emptied(state: State) -> Iterator[Event]:
    """All pools spent but for a little."""
    for account, held in sorted(state.balances.items()):
        if is_pool(account.pool) and held > LEFT:
            yield Transferred(
                frm=account.pool, to="sink/spent", nation=account.nation, kind=account.kind, amount=held - LEFT
            )


def declarations(table: Table) -> Iterator[Command]:
    for unit in table.campaign.state.units_in_order()[::97]:
        if unit.place.on_map:
            yield table.command("declare", fact="moved", unit=unit.id, value=True)


def listed(table: Table, name: str) -> Iterator[Command]:
    """The first order of that name on the checklist, again and again."""
    while True:
        ready = (item.command for item in agenda(table.campaign.world, table.campaign.state) if item.command)
        found = next((each for each in ready if command_name(each) == name), None)
        if found is None:
            return
        yield found


def losses(table: Table) -> Iterator[Command]:
    for unit in table.campaign.state.units_in_order()[::89]:
        if unit.place.on_map:
            yield table.command("lose", unit=unit.id)


def transfers(table: Table) -> Iterator[Command]:
    while True:
        yield table.command("transfer-points", pool="national/Germany", into="theatre/east", points="1/4 inf")


def after(table: Table, orders: Iterator[Command]) -> dict[str, float]:
    """What the checklist takes after each of some orders."""
    lists = []
    world = table.campaign.world
    for _ in range(LOOKS):
        order = next(orders, None)
        if order is None:
            break
        outcome = table.campaign.do(order)
        if not hasattr(outcome, "entry"):
            continue
        state = table.campaign.state
        lists.append(took(lambda: agenda(world, state)))  # noqa: B023 - asked at once
    return (
        {"median": round(statistics.median(lists), 2), "worst": round(max(lists), 2), "n": len(lists)} if lists else {}
    )


def one_unit(table: Table) -> dict[str, float]:
    """The options of one unit after an order about another."""
    world, found = table.campaign.world, list[float]()
    units = [unit.id for unit in table.campaign.state.units_in_order() if unit.place.on_map][5:700:60]
    for unit in units:
        options(world, table.campaign.state, table.campaign.state.units[unit])
    for order in declarations(table):
        table.campaign.do(order)
        state = table.campaign.state
        other = state.units[units[len(found) % len(units)]]
        found.append(took(lambda: options(world, state, other)))  # noqa: B023 - asked at once
        if len(found) >= 3 * LOOKS:
            break
    return {"median": round(statistics.median(found), 3), "worst": round(max(found), 3)}


def from_nothing(table: Table) -> dict[str, Any]:
    world, saved = table.campaign.world, snapshot(table.campaign.state)
    state = restore(saved)
    single, listed, opened = [], 0, 0
    begun = time.process_time()
    for unit in state.units_in_order():
        start = time.perf_counter()
        found = options(world, state, unit)
        single.append((time.perf_counter() - start) * 1000)
        listed += len(found)
        opened += sum(each.open for each in found)
    whole = time.process_time() - begun
    lists = [took(lambda: agenda(world, restored)) for restored in (restore(saved) for _ in range(LOOKS))]  # noqa: B023
    return {
        "listed": listed,
        "open": opened,
        "options_of_one_median_ms": round(statistics.median(single), 3),
        "options_of_all_cpu_s": round(whole, 3),
        "checklist_median_ms": round(statistics.median(lists), 1),
        "checklist_lines": len(agenda(world, restore(saved))),
    }


def main() -> None:
    sweep_seldom()
    table = Table(war(UNITS))
    to_replacements(table)
    print(json.dumps({"run": "options", "units": UNITS, "from_nothing": from_nothing(table)}), flush=True)
    keep_answers(table.campaign.world, table.campaign.state)
    agenda(table.campaign.world, table.campaign.state)
    kept: dict[str, Any] = {}
    kept["declare"] = after(table, declarations(table))
    kept["transfer-points"] = after(table, transfers(table))
    for name in ("rebuild-cadre", "replace"):
        kept[name] = after(table, listed(table, name))
    kept["lose"] = after(table, losses(table))
    kept["options_of_one"] = one_unit(table)
    phases: dict[str, list[float]] = {}
    for full in (True, False):
        begun = table.campaign.state.clock.turn
        while table.campaign.state.clock.turn < begun + 2:
            table.do("advance")
            spent = took(lambda: agenda(table.campaign.world, table.campaign.state))
            phases.setdefault(table.campaign.world.phase(table.campaign.state), []).append(round(spent, 1))
            if not full and table.campaign.world.phase(table.campaign.state) == "replacement":
                break
        if full:
            to_replacements(table)
    kept["advance_into"] = phases
    evolve(table.campaign.state, list(almost_emptied(table.campaign.state)))
    kept["emptied"] = round(took(lambda: agenda(table.campaign.world, table.campaign.state)), 2)
    for name in ("rebuild-cadre", "replace"):
        kept[f"{name}, pools nearly empty"] = after(table, listed(table, name))
    kept["lose, pools nearly empty"] = after(table, losses(table))
    kept["declare, pools nearly empty"] = after(table, declarations(table))
    print(json.dumps({"run": "options", "kept, ms": kept}))


if __name__ == "__main__":
    main()
