"""What programs may ask of a campaign, each as far as the seat sees it."""

import json
from typing import Any

from forcepool.engine import codec
from forcepool.engine.calendar import BadTurn
from forcepool.engine.command import Command
from forcepool.engine.ledger import Account, is_pool
from forcepool.engine.options import options
from forcepool.engine.points import show_points
from forcepool.engine.state import Unit
from forcepool.rulebook.book import load
from forcepool.rulebook.clause import Clause
from forcepool.views.forcepool import Wanted
from forcepool.views.names import by_nation_and_number
from forcepool.views.orders import command_data, schema_of
from forcepool.views.pools import statement
from forcepool.views.turn import agenda_line
from forcepool.views.unit import option, unit_facts, unit_history
from forcepool.web.api import shapes
from forcepool.web.api.operations import Asked, Refused
from forcepool.web.here import Here
from forcepool.web.pages.journal import Hidden, entries_that_fit
from forcepool.web.pages.journal import Wanted as WantedEntries
from forcepool.web.pages.turn import items
from forcepool.web.pages.unit import its_own

A_PAGE, LARGEST_PAGE = 100, 1000


def as_data(command: Command) -> dict[str, Any]:
    """An order as programs send it back."""
    data: dict[str, Any] = json.loads(codec.encode(command))
    return data


def standing(it: Here, asked: Asked) -> shapes.Standing:
    campaign, world, state = it.campaign, it.world, it.state
    return shapes.Standing(
        name=it.table.name,
        title=campaign.beginning.title,
        game=world.game.name,
        when=world.when(state),
        turn=world.turn_name(state.clock.turn),
        player=world.phasing(state),
        phase=world.phase(state),
        seat=it.seat.title,
        sides=tuple(world.sequence.players),
        entries=campaign.seq,
        undone=tuple(sorted(campaign.history.undone)),
        asked_to_undo=tuple(campaign.history.asked),
        house_rules=dict(sorted(state.switches.items())),
        ruleset=campaign.beginning.ruleset,
        whatif=bool(campaign.beginning.tries),
    )


def todo(it: Here, asked: Asked) -> shapes.Todo:
    lines = []
    for item in items(it):
        line = agenda_line(item)
        order = as_data(item.command) if item.command is not None else None
        lines.append(shapes.TodoItem(line.kind, line.text, line.clause, line.side, line.command, order))
    return shapes.Todo(it.world.when(it.state), it.table.seq, tuple(lines))


# --------------------------------------------------------------------------------------------------- units


def units(it: Here, asked: Asked) -> shapes.Units:
    wanted = Wanted(
        nation=asked.text("nation"),
        front=asked.text("front").casefold(),
        type=asked.text("type").casefold(),
        box=asked.text("box"),
        words=tuple(asked.text("words").casefold().split()),
    )
    start, limit = asked.number("start", 0), min(asked.number("limit", A_PAGE), LARGEST_PAGE)
    step = asked.text("step")
    found = [
        unit
        for unit in sorted(it.state.units.values(), key=by_nation_and_number)
        if it.sight.unit(unit) and step in ("", unit.step) and wanted.fits(it.world, it.state, unit)
    ]
    page = tuple(unit_facts(it.world, it.state, unit) for unit in found[start : start + limit])
    return shapes.Units(len(found), page)


def unit(it: Here, asked: Asked) -> shapes.UnitAnswer:
    found = unit_called(it, asked.path("unit"))
    history = unit_history(it.campaign, found, it.sight.event)
    facts = unit_facts(it.world, it.state, found)
    return shapes.UnitAnswer(facts, tuple(it.world.areas_of(found, it.state) or ()), history.began, history.lines)


def unit_called(it: Here, name: str) -> Unit:
    """The unit of that id, if the seat sees it."""
    found = it.state.units.get(name)
    if found is None or not it.sight.unit(found):
        raise Refused(404, f"there is no unit '{name[:60]}'")
    return found


def unit_options(it: Here, asked: Asked) -> shapes.Options:
    found = unit_called(it, asked.path("unit"))
    lines = []
    for choice in options(it.world, it.state, found):
        if not its_own(it, choice.command):
            continue
        each = option(it.world, choice)
        lines.append(
            shapes.OptionLine(
                each.command,
                each.typed,
                as_data(each.fields),
                each.open,
                each.final,
                each.cost,
                each.working,
                each.arrives,
                each.die,
                each.allowed,
                tuple(map(it.sight.reason, each.reasons)),
            )
        )
    return shapes.Options(found.id, it.world.when(it.state), tuple(lines))


# -------------------------------------------------------------------------------------------------- points


def ledger(it: Here, asked: Asked) -> shapes.Ledger:
    pool, nation = asked.text("pool"), asked.text("nation")
    return shapes.Ledger(
        tuple(
            shapes.AccountLine(account.pool, account.nation, account.kind, balance, show_points(balance))
            for account, balance in sorted(it.state.balances.items())
            if is_pool(account.pool)
            and pool in ("", account.pool)
            and nation in ("", account.nation)
            and it.sight.account(account)
        )
    )


def why(it: Here, asked: Asked) -> shapes.StatementAnswer:
    account = Account(asked.text("pool"), asked.text("nation"), asked.text("kind"))
    if account not in it.state.balances or not is_pool(account.pool) or not it.sight.account(account):
        raise Refused(404, f"there is no account {account}; 'ledger' lists them")
    found = statement(it.campaign, account)
    return shapes.StatementAnswer(account.pool, account.nation, account.kind, found.opening, found.balance, found.lines)


# ------------------------------------------------------------------------------------------------- journal


async def log(it: Here, asked: Asked) -> shapes.Log:
    wanted = WantedEntries(
        asked.text("unit"),
        asked.text("pool"),
        asked.text("clause"),
        asked.text("turn"),
        asked.text("seat"),
        asked.text("words"),
    )
    limit = min(asked.number("limit", A_PAGE), LARGEST_PAGE)
    try:
        found = await entries_that_fit(it, wanted, asked.number("before", it.table.seq + 1), limit)
    except BadTurn as error:
        raise Refused(400, str(error)) from None
    return shapes.Log(tuple(map(log_entry, found.lines)), found.before or None)


def log_entry(line: Any) -> shapes.LogEntry:
    if isinstance(line, Hidden):
        return shapes.LogEntry(line.entry, line.seat, line.when, line.undone, hidden=True)
    return shapes.LogEntry(
        line.entry,
        line.seat,
        line.when,
        line.undone,
        command=line.command,
        words=line.words,
        clauses=line.clauses,
        overruled=line.overruled,
        message=line.message,
        to=line.to,
    )


# ------------------------------------------------------------------------------------- commands and rules


def commands(it: Here, asked: Asked) -> shapes.Catalogue:
    game = it.world.game
    lines = []
    for cls in game.commands:
        data = command_data(game, cls)
        fields = tuple(shapes.FieldLine(**field) for field in data["fields"])
        added = tuple(shapes.AddedClauses(each["heading"], tuple(each["clauses"])) for each in data["added"])
        said = data["command"], game.name, data["about"], data["referee"]
        lines.append(shapes.CommandLine(*said, fields, tuple(data["clauses"]), added))
    return shapes.Catalogue(tuple(lines), schema_of(list(game.commands), alone=False))


def rules(it: Here, asked: Asked) -> shapes.Rules:
    words, limit = asked.text("q"), min(asked.number("limit", A_PAGE), LARGEST_PAGE)
    found = load().find(words) if words else tuple(load())
    return shapes.Rules(len(found), tuple(map(clause_line, found[:limit])))


def clause(it: Here, asked: Asked) -> shapes.ClauseLine:
    name = asked.path("clause")
    if name not in load():
        raise Refused(404, f"the rulebook has no clause '{name[:40]}'")
    return clause_line(load()[name])


def clause_line(found: Clause) -> shapes.ClauseLine:
    ruling = found.ruling
    return shapes.ClauseLine(
        found.id,
        found.title,
        found.kind,
        found.who,
        found.phase,
        found.statement,
        found.needs,
        tuple(shapes.ExampleLine(each.given, each.expect) for each in found.examples),
        shapes.RulingLine(ruling.question, ruling.default, ruling.alternatives) if ruling else None,
    )


def house_rules(it: Here, asked: Asked) -> shapes.HouseRules:
    chosen = it.state.switches
    return shapes.HouseRules(
        tuple(
            shapes.SwitchLine(
                each.key,
                each.clause,
                each.about,
                {option.name: option.text for option in each.options},
                each.default,
                chosen.get(each.key, each.default),
            )
            for each in it.world.game.switches
        )
    )
