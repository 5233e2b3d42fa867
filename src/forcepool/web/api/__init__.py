"""The JSON API: the same commands and queries as everywhere else, by the same code, with the same rights."""

from functools import cache
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from forcepool.web.api import acts, hooks, jobs, messages, operator, queries, requests, shapes, whatifs
from forcepool.web.api.events import events
from forcepool.web.api.openapi import document
from forcepool.web.api.operations import FILE, Asked, Operation, Query, Refused
from forcepool.web.here import is_host, key_in, listed, session_of, shelf_of
from forcepool.web.mine import calls, newest, one_by_one
from forcepool.web.pages import brought, by_game
from forcepool.web.render import answer, json_answer
from forcepool.web.shelf import UNUSABLE

PATH = "/api/campaigns/{campaign}"
NUMBERED = (Query("limit", "at most so many", number=True),)
UNIT = {"unit": "the unit's name, such as 6 Pz XX"}

OPERATIONS = (
    Operation("status", "GET", "", "Where the campaign stands.", shapes.Standing, queries.standing),
    Operation("todo", "GET", "/todo", "The seat's checklist, with ready orders.", shapes.Todo, queries.todo),
    Operation(
        "units",
        "GET",
        "/units",
        "The units the seat sees, nation by nation.",
        shapes.Units,
        queries.units,
        query=(
            Query("nation", "only this nation's"),
            Query("front", "only those under this front, MD or theatre"),
            Query("type", "only this type, such as Inf"),
            Query("box", "only those in this kind of box, such as eliminated; hex for the map"),
            Query("step", "only those at this step: full, cadre or remnant"),
            Query("words", "only those whose name has these words"),
            Query("start", "leave out so many first", number=True),
            *NUMBERED,
        ),
    ),
    Operation(
        "options",
        "GET",
        "/options/{unit:path}",
        "What can be done with a unit: open ways with cost and arrival, closed ones with every reason.",
        shapes.Options,
        queries.unit_options,
        path_help=UNIT,
    ),
    Operation(
        "unit",
        "GET",
        "/units/{unit:path}",
        "A unit and its history.",
        shapes.UnitAnswer,
        queries.unit,
        path_help=UNIT,
    ),
    Operation(
        "ledger",
        "GET",
        "/ledger",
        "The balances the seat sees, exact.",
        shapes.Ledger,
        queries.ledger,
        query=(Query("pool", "only this pool"), Query("nation", "only this nation's")),
    ),
    Operation(
        "why",
        "GET",
        "/why",
        "The statement behind a balance.",
        shapes.StatementAnswer,
        queries.why,
        query=(Query("pool", "the pool"), Query("nation", "the nation"), Query("kind", "the kind of point")),
    ),
    Operation(
        "log",
        "GET",
        "/log",
        "The journal, newest first.",
        shapes.Log,
        queries.log,
        query=(
            Query("unit", "only entries about this unit"),
            Query("pool", "only entries about this pool"),
            Query("clause", "only entries that cite this clause or heading"),
            Query("turn", "only entries of this turn, such as Oct 3 41"),
            Query("seat", "only entries of this side"),
            Query("words", "only entries with these words"),
            Query("before", "only entries before this one", number=True),
            *NUMBERED,
        ),
    ),
    Operation(
        "commands",
        "GET",
        "/commands",
        "Every command with its fields and JSON Schema.",
        shapes.Catalogue,
        queries.commands,
    ),
    Operation(
        "rules",
        "GET",
        "/rules",
        "Clauses of the rulebook that hold some words.",
        shapes.Rules,
        queries.rules,
        query=(Query("q", "words, a clause or a heading"), *NUMBERED),
    ),
    Operation(
        "clause",
        "GET",
        "/rules/{clause:path}",
        "A clause of the rulebook.",
        shapes.ClauseLine,
        queries.clause,
        path_help={"clause": "the clause, such as 52.A.9.d/3"},
    ),
    Operation(
        "house-rules", "GET", "/house-rules", "Every ruling with its options.", shapes.HouseRules, queries.house_rules
    ),
    Operation(
        "do", "POST", "/do", "Give an order, or try it with dry_run.", shapes.Acted, acts.do, body=requests.DoRequest
    ),
    Operation(
        "losses",
        "POST",
        "/losses",
        "Take down losses, one a line.",
        shapes.LossesAnswer,
        acts.losses,
        body=requests.LossesRequest,
    ),
    Operation("undo", "POST", "/undo", "Undo.", shapes.Acted, acts.undo, body=requests.UndoRequest),
    Operation(
        "redo", "POST", "/redo", "Bring back what was undone last.", shapes.Acted, acts.redo, body=requests.RedoRequest
    ),
    Operation(
        "consent",
        "POST",
        "/consent",
        "Agree to an undo that was asked for.",
        shapes.Acted,
        acts.consent,
        body=requests.ConsentRequest,
    ),
    Operation(
        "agree",
        "POST",
        "/agree",
        "Agree to an order that waits for this seat, or decline it.",
        shapes.Acted,
        acts.agree,
        body=requests.AgreeRequest,
    ),
    Operation(
        "messages",
        "GET",
        "/messages",
        "What the seats have written to each other, as far as this one may read it, newest first.",
        shapes.Messages,
        messages.listed,
        query=(Query("before", "only messages before this entry", number=True), *NUMBERED),
    ),
    Operation(
        "say",
        "POST",
        "/messages",
        "Write to a side, to the referee or to all; it is kept in the journal and changes nothing.",
        shapes.Written,
        messages.say,
        body=requests.SayRequest,
    ),
    Operation(
        "begin-job",
        "POST",
        "/job",
        "Begin a long task: verify, rules, report, forecast, plan, export or backup; a seat has one at a time.",
        shapes.JobLine,
        jobs.begin,
        body=requests.JobRequest,
    ),
    Operation(
        "job",
        "GET",
        "/job",
        "How far the seat's long task is, and what came of it.",
        shapes.JobLine,
        jobs.look,
        query=(Query("wait", "answer when it is over, but after so many seconds at most", number=True),),
    ),
    Operation("cancel-job", "DELETE", "/job", "Cancel the seat's long task.", shapes.JobLine, jobs.cancel),
    Operation("job-file", "GET", "/job/file", "The file that the seat's long task made.", FILE, jobs.file),
    Operation(
        "whatif",
        "GET",
        "/whatif",
        "The what-if that the seat has open, and the orders tried in it.",
        shapes.WhatifAnswer,
        whatifs.look,
    ),
    Operation(
        "begin-whatif",
        "POST",
        "/whatif",
        "Open a what-if: a campaign of its own name in which orders are tried and nothing counts.",
        shapes.WhatifAnswer,
        whatifs.begin,
        body=requests.WhatifRequest,
    ),
    Operation(
        "give-whatif",
        "POST",
        "/whatif/give",
        "Give what was tried in the what-if for real, all of it or nothing, to be undone as one.",
        shapes.Acted,
        whatifs.give,
        body=requests.GiveRequest,
    ),
    Operation("drop-whatif", "DELETE", "/whatif", "Throw the what-if away.", shapes.WhatifAnswer, whatifs.drop),
    Operation(
        "standing", "GET", "/standing", "Whether the host has locked it or laid it by.", shapes.Withheld, operator.look
    ),
    Operation(
        "set-standing",
        "POST",
        "/standing",
        "Lock the campaign, lay it by, or open it again; for the host of a public server.",
        shapes.Withheld,
        operator.change,
        body=requests.StandingRequest,
    ),
    Operation("hooks", "GET", "/hooks", "The addresses told when it is the seat's turn.", shapes.Hooks, hooks.listed),
    Operation(
        "add-hook", "POST", "/hooks", "Have an address told.", shapes.HookLine, hooks.added, body=requests.HookRequest
    ),
    Operation(
        "drop-hook",
        "DELETE",
        "/hooks/{hook:number}",
        "Tell an address no longer.",
        shapes.Hooks,
        hooks.dropped,
        path_help={"hook": "the hook's number"},
    ),
)


async def campaigns(request: Request) -> Response:
    """The campaigns on this machine; on a public server those the key or the session has a seat at."""
    shelf, registry = shelf_of(request), request.app.state.registry
    names = shelf.names() if is_host(request) else [n for n in registry.campaigns_of(session_of(request)) if n]
    if key := key_in(request):
        found = registry.seat_of_key(key)
        names = [name for name in shelf.names() if found and found.campaign in ("", name)]
    names = listed(request, names)
    try:
        most = Asked(request, None).number("newest", 0)
    except Refused as error:
        return json_answer(error.problem, error.status)
    names = newest(shelf, names, most) if most else names
    lines = []
    async for name in one_by_one(names):
        try:
            campaign = shelf.table(name).campaign
        except UNUSABLE:
            continue
        when, mine = campaign.world.when(campaign.state), calls(request, shelf.table(name))
        lines.append(
            shapes.CampaignLine(
                name,
                campaign.beginning.title,
                campaign.world.game.name,
                when,
                campaign.seq,
                mine.seat,
                mine.turn,
                mine.asked,
                mine.unread,
            )
        )
    return json_answer(sorted(lines, key=lambda line: (not (line.your_turn or line.asked), line.name)))


@cache
def operations() -> tuple[Operation, ...]:
    """What every game has, and what games bring, each name once."""
    theirs = [each for brings in brought("OPERATIONS").values() for each in brings]
    return tuple({each.name: each for each in (*theirs, *OPERATIONS)}.values())


@cache
def whole_document() -> dict[str, Any]:
    return document(operations(), PATH)


async def openapi(request: Request) -> Response:
    return json_answer(whole_document())


async def about(request: Request) -> Response:
    """The API in words."""
    return answer(request, "api.html", title="The API", operations=operations(), base=PATH)


def routes() -> list[BaseRoute]:
    theirs = {name: [_route(each) for each in brings] for name, brings in brought("OPERATIONS").items()}
    return [
        Route("/api", about),
        Route("/api/openapi.json", openapi),
        Route("/api/campaigns", campaigns),
        Route("/api/operator", operator.campaigns),
        Route(f"{PATH}/events", events),
        *map(_route, OPERATIONS),
        *by_game(theirs),
    ]


def _route(each: Operation) -> Route:
    return Route(PATH + each.path, each.__call__, methods=[each.method], name=each.name)
