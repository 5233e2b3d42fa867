"""Looking at a campaign: status, checklist, units, ledger and house rules."""

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from forcepool.cli import screen
from forcepool.cli.table import campaign_at, file_argument, json_option, nations_of, one_of, pool_named, seat_of

if TYPE_CHECKING:
    from forcepool.engine.campaign import Campaign
    from forcepool.engine.state import State, Unit
    from forcepool.engine.world import World
    from forcepool.views.status import Status
    from forcepool.views.turn import AgendaGroup, AgendaLine

SHOWN_PER_GROUP = 8
CLAUSES_SHOWN = 6
POOLS_SHOWN = 12

# --------------------------------------------------------------------------------------------- status


@click.command("status")
@file_argument
@json_option
def status_command(file: str, as_json: bool) -> None:
    """Where a campaign stands: the phase, the units, the points and the last entry.

    \b
    Example:
      forcepool status east.fp
    """
    from forcepool.views.status import status

    with campaign_at(file) as campaign:
        data = status(campaign)
        if as_json:
            screen.print_json(data)
            return
        screen.heading(f"{data.title}: {data.when}")
        screen.say_lines(_status_lines(campaign, data))


def _status_lines(campaign: "Campaign", data: "Status") -> list[str]:
    from forcepool.engine.acts import act_in_words, numbers_in_words
    from forcepool.engine.points import show_amounts
    from forcepool.views.names import pool_order

    lines = []
    for side, counts in data.units.items():
        lines.append(f"{side}: {', '.join(f'{count} {where}' for where, count in counts.items())}")
    held = [
        f"{_pool_title(campaign.world, pool)}: {show_amounts(kinds)} of {nation}"
        for pool, nations in sorted(data.points.items(), key=lambda held: pool_order(held[0]))
        for nation, kinds in nations.items()
    ]
    lines += held[:POOLS_SHOWN]
    if len(held) > POOLS_SHOWN:
        lines.append(f"… and {len(held) - POOLS_SHOWN} more: 'forcepool ledger' lists them")
    dice = "rolled by the program" if data.dice == "program" else "entered by hand"
    seats = f"seats {', '.join(data.seats)}" if data.seats else "one player for all sides"
    lines.append(f"{seats}; dice {dice}; rules {data.ruleset}")
    if data.changes:
        clauses = list(dict.fromkeys(clause for each in data.changes for clause in each.clauses))
        told = f"{', '.join(clauses[:CLAUSES_SHOWN])}{' …' if clauses[CLAUSES_SHOWN:] else ''}"
        lines.append(
            f"since it was begun {len(clauses)} clauses have come to be read otherwise: {told}; "
            "'forcepool verify --rules' tells what would be decided otherwise"
        )
    lines += map(str, data.strays)
    for key, option in data.house_rules.items():
        lines.append(f"house rule {key}: {option}")
    if campaign.history.last > 1:
        last = next(campaign.entries(campaign.history.last, campaign.history.last + 1))
        lines.append(f"{data.entries} entries, the last command: {last.n} {act_in_words(last)}")
    else:
        lines.append("nothing has been played yet")
    lines.append(f"sealed {data.head[:16]}")
    for number, waits in sorted(campaign.history.waiting.items()):
        lines.append(f"entry {number}: {waits.seat or 'the host'} waits for {' and '.join(waits.seats)}: {waits.why}")
    if data.asked_to_undo:
        lines.append(f"{campaign.history.agreed[0]} asks to undo {numbers_in_words(data.asked_to_undo)}")
    return lines


# ----------------------------------------------------------------------------------------------- todo


@click.command("todo")
@file_argument
@click.option("--as", "seat", metavar="SIDE", default="", help="Only what concerns this side.")
@click.option("--all", "everything", is_flag=True, help="Every line, however many.")
@json_option
def todo_command(file: str, seat: str, everything: bool, as_json: bool) -> None:
    """The checklist: what is due, what will lapse, what is open, and what arrives, each with its clause.

    \b
    Examples:
      forcepool todo east.fp
      forcepool todo east.fp --as Axis --all
    """
    from forcepool.views.turn import agenda_lines, grouped

    with campaign_at(file) as campaign:
        world, state = campaign.world, campaign.state
        lines = agenda_lines(world, state, side=seat_of(campaign, seat, acting=False))
        if as_json:
            screen.print_json({"when": world.when(state), "items": [_line_data(line) for line in lines]})
            return
        screen.heading(world.when(state))
        phasing, seats = world.phasing(state), campaign.beginning.seats
        if not lines:
            order = f"forcepool do {screen.quoted(file)}{_as_seat(seats, phasing)} advance"
            screen.say(f"Nothing is due and nothing is open. Go on with: {order}")
        for group in grouped(lines, world.game.tasks):
            _show_group(file, group, everything, phasing if not seat else "", seats)


def _line_data(line: "AgendaLine") -> dict[str, Any]:
    return {
        "kind": line.kind,
        "text": line.text,
        "clause": line.clause,
        "side": line.side,
        "command": line.command,
    }


def _as_seat(seats: Sequence[str], side: str) -> str:
    """What an order needs besides where each side has a seat."""
    return f" --as {side}" if side in seats else ""


def _show_group(file: str, group: "AgendaGroup", everything: bool, phasing: str, seats: Sequence[str]) -> None:
    """The lines under one clause; where both sides' stand together, those of the side not phasing are named as its."""
    from forcepool.views.said import told

    title = f"  {group.clause} {group.title}" if group.clause else ""
    screen.say()
    screen.say(screen.strong(group.kind) + screen.faint(title))
    shown = group.lines if everything else group.lines[:SHOWN_PER_GROUP]
    for line in shown:
        whose = f"{line.side}: " if phasing and line.side not in ("", phasing) else ""
        screen.say(f"  {whose}{told(line.text)}")
        if line.command:
            order = f"forcepool do {screen.quoted(file)}{_as_seat(seats, line.side)} {line.command}"
            screen.say(screen.faint(f"    {order}"))
    if len(shown) < len(group.lines):
        screen.say(f"  … and {len(group.lines) - len(shown)} more: --all lists them")


# ---------------------------------------------------------------------------------------------- units


@click.command("units")
@file_argument
@click.argument("words", nargs=-1)
@click.option("--nation", default="", help="Only units of this nation.")
@click.option("--at", "where", default="", help="Only units in this hex or box, or on this track.")
@click.option("--type", "type_", default="", help="Only units of this type, such as Inf or Pz.")
@click.option("--step", default="", help="Only units at this step: full, cadre or remnant.")
@json_option
def units_command(
    file: str, words: tuple[str, ...], nation: str, where: str, type_: str, step: str, as_json: bool
) -> None:
    """List the units: where they are, at which step, and what is marked on them. Words narrow the list by name.

    \b
    Examples:
      forcepool units east.fp --step cadre
      forcepool units east.fp 10 Pz
      forcepool units east.fp --at eliminated --nation Germany
    """
    from forcepool.engine.units import STEPS
    from forcepool.views.names import by_nation_and_number
    from forcepool.views.unit import unit_facts

    with campaign_at(file) as campaign:
        world, state = campaign.world, campaign.state
        types = {unit.spec.type for unit in state.units.values() if unit.spec.type}
        wanted = _Wanted(
            words=[word.casefold() for word in words],
            nation=one_of(nation, nations_of(world), "nation") if nation else "",
            where=where.casefold(),
            type_=one_of(type_, types, "type").casefold() if type_ else "",
            step=one_of(step, STEPS, "step") if step else "",
        )
        found = sorted(filter(lambda unit: wanted.fits(world, unit), state.units.values()), key=by_nation_and_number)
        if as_json:
            screen.print_json([unit_facts(world, state, unit) for unit in found])
            return
        _show_units(world, state, found)


class _Wanted:
    """What the units listed must have in common."""

    def __init__(self, *, words: list[str], nation: str, where: str, type_: str, step: str) -> None:
        self.words, self.nation, self.where, self.type_, self.step = words, nation, where, type_, step

    def fits(self, world: "World", unit: "Unit") -> bool:
        from forcepool.views.forcepool import named
        from forcepool.views.names import in_words

        where = world.show_place(unit.place)
        return (
            named(unit, self.words)
            and self.nation in ("", unit.spec.nation)
            and any(self.where in each.casefold() for each in (where, in_words(where)))
            and self.type_ in ("", unit.spec.type.casefold())
            and self.step in ("", unit.step)
        )


def _show_units(world: "World", state: "State", found: list["Unit"]) -> None:
    from forcepool.views.names import in_words
    from forcepool.views.unit import unit_facts

    if not found:
        screen.say("No unit fits. Ask for less, or list them all: forcepool units FILE")
        return
    rows = []
    for unit in found:
        facts = unit_facts(world, state, unit)
        where, marks = in_words(facts.where), ", ".join(facts.marks_said)
        rows.append([unit.id, facts.counter, facts.nation, facts.step, where, marks])
    screen.table(("unit", "counter", "nation", "step", "where", "marks"), rows)
    screen.say(f"{len(found)} unit{'s' if len(found) != 1 else ''}")


# --------------------------------------------------------------------------------------------- ledger


@click.command("ledger")
@file_argument
@click.option(
    "--pool", default="", help="Only this pool: 'front Centre', front/centre, or centre if only one is called so."
)
@click.option("--nation", default="", help="Only this nation's points.")
@click.option("--all", "everything", is_flag=True, help="Sources and sinks too: where points came from and went.")
@json_option
def ledger_command(file: str, pool: str, nation: str, everything: bool, as_json: bool) -> None:
    """The balance of every pool, exact to the fraction. 'forcepool why' shows what is behind one.

    \b
    Examples:
      forcepool ledger east.fp
      forcepool ledger east.fp --pool centre --nation Germany
    """
    from forcepool.engine.ledger import is_pool
    from forcepool.engine.standing import Standing

    with campaign_at(file) as campaign:
        world, state = campaign.world, campaign.state
        wanted_pool = pool_named(state, pool) if pool else ""
        wanted_nation = one_of(nation, nations_of(world), "nation") if nation else ""
        found = [
            (account, balance)
            for account, balance in sorted(state.balances.items())
            if (everything or wanted_pool or is_pool(account.pool))
            # A tally that was counted up is no news, nor a receipt that has been allotted; an empty pool is.
            and (balance or everything or wanted_pool or world.standing(account.pool) == Standing(account.pool))
            and wanted_pool in ("", account.pool)
            and wanted_nation in ("", account.nation)
        ]
        if as_json:
            fields = [{"pool": a.pool, "nation": a.nation, "kind": a.kind, "balance": b} for a, b in found]
            screen.print_json(fields)
            return
        _show_ledger(world, [(account.pool, account.nation, account.kind, balance) for account, balance in found])


def _show_ledger(world: "World", lines: list[tuple[str, str, str, Fraction]]) -> None:
    from forcepool.engine.points import show_points
    from forcepool.views.names import pool_order

    if not lines:
        screen.say("No pool holds any points.")
        return
    held: dict[tuple[str, str], list[str]] = {}
    for pool, nation, kind, balance in sorted(lines, key=lambda line: (pool_order(line[0]), line[1])):
        held.setdefault((pool, nation), []).append(f"{show_points(balance)} {kind}")
    rows = [[_pool_title(world, pool), nation, ", ".join(amounts)] for (pool, nation), amounts in held.items()]
    screen.table(("pool", "nation", "holds"), rows)


def _pool_title(world: "World", pool: str) -> str:
    """What a pool is called; of points on their way also from when on they can be used."""
    from forcepool.views.names import in_words, pool_in_words

    shown = world.show_account(pool)
    return pool_in_words(pool) if pool.endswith(shown) else in_words(shown)


# ---------------------------------------------------------------------------------------- house rules


@click.command("house-rules")
@file_argument
@json_option
def house_rules_command(file: str, as_json: bool) -> None:
    """The rulings a group may play its own way: each switch with its clause, its options and the one in force.

    \b
    Examples:
      forcepool house-rules east.fp
      forcepool do east.fp house-rule rule=reduced-time option=plus-four
    """
    with campaign_at(file) as campaign:
        switches, chosen = campaign.world.game.house_rules, campaign.state.switches
        if as_json:
            screen.print_json(
                [
                    {
                        "key": each.key,
                        "clause": each.clause,
                        "about": each.about,
                        "options": {option.name: option.text for option in each.options},
                        "default": each.default,
                        "chosen": chosen.get(each.key, each.default),
                    }
                    for each in switches
                ]
            )
            return
        for each in switches:
            screen.say(f"{screen.strong(each.key)}  {each.clause}  {each.about}")
            for option in each.options:
                in_force = option.name == chosen.get(each.key, each.default)
                default = " (default)" if option.name == each.default else ""
                line = f"  {'*' if in_force else ' '} {option.name}: {option.text}{default}"
                screen.say(screen.good(line) if in_force else line)
        screen.say("* in force; change one with: forcepool do FILE house-rule rule=KEY option=OPTION")
