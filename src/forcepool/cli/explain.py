"""Why, and what may be done: the statement behind a balance, a unit's history, its options."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from forcepool.cli import screen
from forcepool.cli.problems import BadInput
from forcepool.cli.table import campaign_at, file_argument, json_option, unit_named, units_called
from forcepool.views.near import did_you_mean

if TYPE_CHECKING:
    from forcepool.engine.campaign import Campaign
    from forcepool.engine.options import Choice
    from forcepool.engine.state import State
    from forcepool.engine.world import World
    from forcepool.views.pools import Statement, StatementLine
    from forcepool.views.unit import Happening, UnitHistory

CLOSED_SHOWN = 5
OPEN_SHOWN = 8
"""Open ways of one order that are shown unless all are asked for."""

# -------------------------------------------------------------------------------------------- options


@click.command("options")
@file_argument
@click.argument("unit", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Every closed way, however many there are.")
@json_option
def options_command(file: str, unit: tuple[str, ...], everything: bool, as_json: bool) -> None:
    """What can be done with a unit: open ways with cost, working and arrival, closed ones with every reason.

    Without a unit: what the side whose turn it is can do besides, such as moving points; with a pool, what it can do
    with what lies there.

    \b
    Examples:
      forcepool options east.fp 10 Pz XX
      forcepool options east.fp 10 Pz XX --all
      forcepool options east.fp
      forcepool options east.fp front/centre
    """
    from forcepool.engine.options import options
    from forcepool.engine.wording import unit_in_words
    from forcepool.views.names import in_words
    from forcepool.views.unit import effects_on, option

    with campaign_at(file) as campaign:
        world, state = campaign.world, campaign.state
        pool = _pool_meant(campaign, " ".join(unit))
        if not unit or pool:
            _side_options(campaign, pool, everything, as_json)
            return
        found = unit_named(state, " ".join(unit))
        choices = options(world, state, found)
        if as_json:
            data = [option(world, each) for each in choices]
            screen.print_json({"unit": found.id, "when": world.when(state), "options": data})
            return
        screen.heading(in_words(unit_in_words(world, found)))
        screen.say(world.when(state))
        screen.tell(f"{effect.clause}  {effect.text}" for effect in effects_on(world, state, found))
        _show_all(world, choices, everything)


def _pool_meant(campaign: "Campaign", text: str) -> str:
    """The pool a player means, where the words name no unit; empty for anything else."""
    from forcepool.engine.command import BadCommand

    if not text or units_called(campaign.state, text):
        return ""
    try:
        pool = campaign.world.pool_named(text)
    except BadCommand:
        return ""
    return pool if any(account.pool == pool for account in campaign.state.balances) else ""


def _side_options(campaign: "Campaign", pool: str, everything: bool, as_json: bool) -> None:
    """What the side whose turn it is can do besides the orders about one unit, or with one pool."""
    from forcepool.engine.options import options_of_side
    from forcepool.views.unit import option

    world, state = campaign.world, campaign.state
    side = world.phasing(state)
    choices = [
        each
        for each in options_of_side(world, state, side)
        if not pool or pool in (getattr(each.command, "pool", ""), getattr(each.command, "pay_from", ""))
    ]
    if as_json:
        data = [option(world, each) for each in choices]
        screen.print_json({"side": side, "pool": pool, "when": world.when(state), "options": data})
        return
    screen.heading(pool or side)
    screen.say(world.when(state))
    _show_all(world, choices, everything)


def _show_all(world: "World", choices: "list[Choice]", everything: bool) -> None:
    _show_open(world, [each for each in choices if each.open], everything)
    closed = [_way(world, each) for each in choices if not each.open]
    _show_choices("closed", closed if everything else closed[:CLOSED_SHOWN])
    if not everything and len(closed) > CLOSED_SHOWN:
        screen.say(f"  … and {len(closed) - CLOSED_SHOWN} more closed ways: --all lists them")


def _show_open(world: "World", choices: "list[Choice]", everything: bool) -> None:
    """The open ways, order by order; those with very many ways come last, and of each only the first are shown."""
    from forcepool.engine.command import command_name

    orders: dict[str, list[Choice]] = {}
    for each in choices:
        orders.setdefault(command_name(each.command), []).append(each)
    if everything or not choices:
        _show_choices("open", [_way(world, each) for each in choices])
        return
    for name, ways in sorted(orders.items(), key=lambda order: max(len(order[1]), OPEN_SHOWN)):
        _show_choices("open", [_way(world, each) for each in ways[:OPEN_SHOWN]])
        if len(ways) > OPEN_SHOWN:
            screen.say(f"  … and {len(ways) - OPEN_SHOWN} more open ways to {name}: --all lists them")


def _way(world: "World", choice: "Choice") -> list[str]:
    """A way to give an order, in words; what is lost does not arrive but comes to lie in its box."""
    from forcepool.engine.acts import choice_in_words
    from forcepool.engine.command import command_name

    first, *rest = choice_in_words(world, choice)
    if command_name(choice.command) == "lose":
        rest = [line.replace(" arrives ", " in its box on ") for line in rest]
    return [first, *rest]


def _show_choices(title: str, choices: list[list[str]]) -> None:
    if not choices:
        screen.say(f"nothing is {title}")
        return
    for first, *rest in choices:
        mark = screen.good(title) if title == "open" else screen.bad(title)
        screen.say(f"{mark}  {first}")
        screen.tell(f"  {line}" for line in rest)


# ------------------------------------------------------------------------------------------------ why


@click.command("why")
@file_argument
@click.argument("subject", nargs=-1, required=True)
@json_option
def why_command(file: str, subject: tuple[str, ...], as_json: bool) -> None:
    """The statement behind a balance, or the history of a unit: every entry that touched it, with its clauses.

    An account is a pool, a nation and a kind of point; leave out what you do not mind. A pool is written as it is
    shown, front Centre, or as it is typed elsewhere, front/centre.

    \b
    Examples:
      forcepool why east.fp front Centre Germany inf
      forcepool why east.fp centre
      forcepool why east.fp 10 Pz XX
    """
    from forcepool.views.lookup import accounts_called
    from forcepool.views.pools import statement
    from forcepool.views.unit import unit_history

    text = " ".join(subject)
    with campaign_at(file) as campaign:
        state = campaign.state
        units = units_called(state, text)
        accounts = [] if units else accounts_called(state, text)
        if not units and not accounts:
            raise BadInput(f"'{text}' is neither a unit nor an account; {_nearest(state, text)}")
        if units:
            data = unit_history(campaign, unit_named(state, text))
            screen.print_json(data) if as_json else _show_history(data)
            return
        statements = [statement(campaign, account) for account in accounts]
        if as_json:
            screen.print_json([_statement_data(each) for each in statements])
            return
        for each in statements:
            _show_statement(each)


def _nearest(state: "State", text: str) -> str:
    from forcepool.views.names import pool_in_words

    pools = {account.pool for account in state.balances}
    hint = did_you_mean(text, [*state.units, *map(pool_in_words, pools), *map(str, state.balances)])
    return hint if "?" in hint else "'forcepool units' and 'forcepool ledger' list what there is"


def _statement_data(data: "Statement") -> dict[str, Any]:
    account = data.account
    return {
        "account": {"pool": account.pool, "nation": account.nation, "kind": account.kind},
        "opening": data.opening,
        "lines": data.lines,
        "balance": data.balance,
    }


def _show_statement(data: "Statement") -> None:
    from forcepool.engine.points import show_points
    from forcepool.views.names import in_words, pool_in_words

    account = data.account
    screen.heading(f"{pool_in_words(account.pool)}: {account.kind} of {account.nation}")
    rows = [["", "", "", show_points(data.opening), "at the start"]]
    for line in data.lines:
        sign = "+" if line.amount > 0 else ""
        preposition = "from" if line.amount > 0 else "to"
        why = in_words(f"{preposition} {line.other}{': ' + line.says if line.says else ''}")
        rows.append([str(line.entry), line.when, sign + show_points(line.amount), show_points(line.balance), why])
    screen.table(("entry", "when", "amount", "balance", "why"), rows, right=(0, 2, 3))
    _show_titles(data.lines)


def _show_titles(lines: Iterable["StatementLine | Happening"]) -> None:
    titles: dict[str, str] = {}
    for line in lines:
        titles |= line.clauses
    for clause, title in titles.items():
        screen.say(screen.faint(f"  {clause}  {title}"))


def _show_history(data: "UnitHistory") -> None:
    screen.tell([screen.strong(data.now), f"began: {data.began or 'not in the scenario'}"])
    for line in data.lines:
        screen.say(f"{line.entry}  {line.when}: {line.command}")
        screen.tell(f"  {words}" for words in line.words)
    _show_titles(data.lines)
