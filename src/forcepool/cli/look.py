"""Looking at a campaign: status, checklist, units, ledger and house rules."""

import re
from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from forcepool.cli import screen
from forcepool.cli.table import campaign_at, file_argument, json_option, nations_of, one_of, pools_of, seat_of

if TYPE_CHECKING:
    from forcepool.engine.agenda import Item
    from forcepool.engine.campaign import Campaign
    from forcepool.engine.state import State, Unit
    from forcepool.engine.world import Effect, World

SHOWN_PER_GROUP = 8
POOLS_SHOWN = 12
NUMBERS = re.compile(r"([0-9]+)")

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
    with campaign_at(file) as campaign:
        data = status_of(campaign)
        if as_json:
            screen.print_json(data)
            return
        screen.heading(f"{data['title']}: {data['when']}")
        screen.say_lines(_status_lines(campaign, data))


def status_of(campaign: "Campaign") -> dict[str, Any]:
    """Everything about a campaign that fits on one page."""
    world, state, history = campaign.world, campaign.state, campaign.history
    points: dict[str, dict[str, dict[str, Fraction]]] = {}
    for account, balance in sorted(state.balances.items()):
        # The kinds a chapter adds are allowances and counts; the ledger has them.
        if _held(account.pool) and balance and account.kind not in world.game.points:
            points.setdefault(account.pool, {}).setdefault(account.nation, {})[account.kind] = balance
    units: dict[str, Counter[str]] = {}
    for unit in state.units_in_order():
        side = world.side_of(unit.spec.nation) or "no side"
        units.setdefault(side, Counter())[_whereabouts(world, unit)] += 1
    return {
        "title": campaign.beginning.title,
        "game": world.game.name,
        "when": world.when(state),
        "turn": world.turn_name(state.clock.turn),
        "player": world.phasing(state),
        "phase": world.phase(state),
        "seats": list(campaign.beginning.seats),
        "dice": "program" if campaign.seed else "hand",
        "entries": campaign.seq,
        "undone": sorted(history.undone),
        "asked_to_undo": list(history.asked),
        "units": {side: dict(sorted(counts.items())) for side, counts in sorted(units.items())},
        "points": points,
        "house_rules": dict(sorted(state.switches.items())),
        "ruleset": campaign.beginning.ruleset,
    }


def _held(pool: str) -> bool:
    from forcepool.engine.ledger import is_pool

    return is_pool(pool)


def _whereabouts(world: "World", unit: "Unit") -> str:
    if unit.place.on_map:
        return "on the map"
    if unit.place.kind == "out":
        return "out of play"
    name = world.game.box_names.get(unit.place.kind, unit.place.kind)
    return f"{'on' if name.casefold().endswith('track') else 'in'} the {name}"


def _status_lines(campaign: "Campaign", data: dict[str, Any]) -> list[str]:
    from forcepool.engine.points import show_amounts
    from forcepool.engine.wording import act_in_words, numbers_in_words

    lines = []
    for side, counts in data["units"].items():
        lines.append(f"{side}: {', '.join(f'{count} {where}' for where, count in counts.items())}")
    held = [
        f"{pool}: {show_amounts(kinds)} of {nation}"
        for pool, nations in data["points"].items()
        for nation, kinds in nations.items()
    ]
    lines += held[:POOLS_SHOWN]
    if len(held) > POOLS_SHOWN:
        lines.append(f"… and {len(held) - POOLS_SHOWN} more: 'forcepool ledger' lists them")
    dice = "rolled by the program" if data["dice"] == "program" else "entered by hand"
    seats = f"seats {', '.join(data['seats'])}" if data["seats"] else "one player for all sides"
    lines.append(f"{seats}; dice {dice}; rules {data['ruleset']}")
    for key, option in data["house_rules"].items():
        lines.append(f"house rule {key}: {option}")
    if campaign.history.last > 1:
        last = next(campaign.entries(campaign.history.last, campaign.history.last + 1))
        lines.append(f"{data['entries']} entries, the last command: {last.n} {act_in_words(last)}")
    else:
        lines.append("nothing has been played yet")
    if data["asked_to_undo"]:
        lines.append(f"{campaign.history.agreed[0]} asks to undo {numbers_in_words(data['asked_to_undo'])}")
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
    from forcepool.engine.agenda import agenda

    with campaign_at(file) as campaign:
        world, state = campaign.world, campaign.state
        items = agenda(world, state, side=seat_of(campaign, seat, acting=False))
        if as_json:
            screen.print_json({"when": world.when(state), "items": [_item_data(item) for item in items]})
            return
        screen.heading(world.when(state))
        if not items:
            screen.say("Nothing is due and nothing is open. Go on with: forcepool do FILE advance")
        groups: dict[tuple[str, str], list[Item]] = {}
        for item in items:
            groups.setdefault((item.kind, item.clause), []).append(item)
        for (kind, clause), group in groups.items():
            _show_group(file, kind, clause, group, everything)


def _item_data(item: "Item") -> dict[str, Any]:
    from forcepool.engine.wording import order_in_words

    return {
        "kind": item.kind,
        "text": item.text,
        "clause": item.clause,
        "side": item.side,
        "command": order_in_words(item.command) if item.command is not None else "",
    }


def _show_group(file: str, kind: str, clause: str, group: list["Item"], everything: bool) -> None:
    from forcepool.engine.wording import order_in_words

    title = f"  {clause} {_title_of(clause)}" if clause else ""
    screen.say()
    screen.say(screen.strong(kind) + screen.faint(title))
    shown = group if everything else group[:SHOWN_PER_GROUP]
    for item in shown:
        screen.say(f"  {item.text}")
        if item.command is not None:
            screen.say(screen.faint(f"    forcepool do {_quoted(file)} {order_in_words(item.command)}"))
    if len(shown) < len(group):
        screen.say(f"  … and {len(group) - len(shown)} more: --all lists them")


def _title_of(clause: str) -> str:
    from forcepool.rulebook.book import load

    book = load()
    return book[clause].title if clause in book else ""


def _quoted(text: str) -> str:
    return f'"{text}"' if " " in text else text


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

    with campaign_at(file) as campaign:
        world, state = campaign.world, campaign.state
        wanted = _Wanted(
            words=[word.casefold() for word in words],
            nation=one_of(nation, nations_of(world), "nation") if nation else "",
            where=where.casefold(),
            type_=type_.casefold(),
            step=one_of(step, STEPS, "step") if step else "",
        )
        found = sorted(filter(lambda unit: wanted.fits(world, unit), state.units.values()), key=by_nation_and_number)
        if as_json:
            screen.print_json([unit_data(world, state, unit) for unit in found])
            return
        _show_units(world, state, found)


def by_nation_and_number(unit: "Unit") -> tuple[str, list[tuple[int, str]]]:
    """Nation by nation, 2 before 10 before 101."""
    return unit.spec.nation, [(int(part), "") if part.isdecimal() else (-1, part) for part in NUMBERS.split(unit.id)]


class _Wanted:
    """What the units listed must have in common."""

    def __init__(self, *, words: list[str], nation: str, where: str, type_: str, step: str) -> None:
        self.words, self.nation, self.where, self.type_, self.step = words, nation, where, type_, step

    def fits(self, world: "World", unit: "Unit") -> bool:
        names = unit.id.casefold().split()
        return (
            all(word in names or (len(word) > 2 and word in unit.id.casefold()) for word in self.words)
            and self.nation in ("", unit.spec.nation)
            and self.where in world.show_place(unit.place).casefold()
            and self.type_ in ("", unit.spec.type.casefold())
            and self.step in ("", unit.step)
        )


def unit_data(world: "World", state: "State", unit: "Unit") -> dict[str, Any]:
    """A unit for programs."""
    from forcepool.engine.facts import unit_key
    from forcepool.engine.wording import counter_in_words, marks_in_words

    return {
        "unit": unit.id,
        "counter": counter_in_words(unit.spec),
        "nation": unit.spec.nation,
        "side": world.side_of(unit.spec.nation),
        "type": unit.spec.type,
        "size": unit.spec.size,
        "step": unit.step,
        "strength": str(unit.spec.strength(unit.step)),
        "place": {"kind": unit.place.kind, "of": unit.place.of},
        "where": world.show_place(unit.place),
        "due": world.turn_name(unit.place.due) if unit.place.due else "",
        "marks": marks_in_words(world, state, unit_key(unit.id)),
        "effects": [{"text": each.text, "clause": each.clause} for each in effects_on(world, state, unit)],
    }


def effects_on(world: "World", state: "State", unit: "Unit") -> list["Effect"]:
    """What holds for a unit on the map by clauses of our subject, such as 'may not fire AA'."""
    return [effect for shows in world.game.shows for effect in shows(world, state, unit)]


def _show_units(world: "World", state: "State", found: list["Unit"]) -> None:
    if not found:
        screen.say("No unit fits. Ask for less, or list them all: forcepool units FILE")
        return
    rows = []
    for unit in found:
        data = unit_data(world, state, unit)
        rows.append([unit.id, data["counter"], data["nation"], data["step"], data["where"], ", ".join(data["marks"])])
    screen.table(("unit", "counter", "nation", "step", "where", "marks"), rows)
    screen.say(f"{len(found)} unit{'s' if len(found) != 1 else ''}")


# --------------------------------------------------------------------------------------------- ledger


@click.command("ledger")
@file_argument
@click.option("--pool", default="", help="Only this pool: front/centre, or centre if only one is called so.")
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

    with campaign_at(file) as campaign:
        world, state = campaign.world, campaign.state
        wanted_pool = one_of(pool, pools_of(state), "pool") if pool else ""
        wanted_nation = one_of(nation, nations_of(world), "nation") if nation else ""
        found = [
            (account, balance)
            for account, balance in sorted(state.balances.items())
            if (everything or wanted_pool or is_pool(account.pool))
            and wanted_pool in ("", account.pool)
            and wanted_nation in ("", account.nation)
        ]
        if as_json:
            fields = [{"pool": a.pool, "nation": a.nation, "kind": a.kind, "balance": b} for a, b in found]
            screen.print_json(fields)
            return
        _show_ledger([(account.pool, account.nation, account.kind, balance) for account, balance in found])


def _show_ledger(lines: list[tuple[str, str, str, Fraction]]) -> None:
    from forcepool.engine.points import show_points

    if not lines:
        screen.say("No pool holds any points.")
        return
    held: dict[tuple[str, str], list[str]] = {}
    for pool, nation, kind, balance in lines:
        held.setdefault((pool, nation), []).append(f"{show_points(balance)} {kind}")
    rows = [[pool, nation, ", ".join(amounts)] for (pool, nation), amounts in held.items()]
    screen.table(("pool", "nation", "holds"), rows)


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
        switches, chosen = campaign.world.game.switches, campaign.state.switches
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
