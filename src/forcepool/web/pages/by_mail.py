"""Play by mail from the browser: a turn to send, and one that came, dropped on the page or pasted as text."""

from pathlib import Path
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from forcepool.door.mail import OURS, THEIRS, file_name, span, written
from forcepool.store.address import is_database
from forcepool.store.mail import confirmed
from forcepool.web.forms import read_form
from forcepool.web.here import Here, here, shelf_of
from forcepool.web.pages import Page, at
from forcepool.web.pages.job import jobs_of
from forcepool.web.render import page
from forcepool.web.task import Result, Task

ELSEWHERE = "On a server all play the same campaign: nothing goes by mail."
NO_TURN = "Choose the file of a turn (.fpx), or paste the mail it came in."


def _at_home(request: Request) -> Here:
    it = here(request)
    if request.app.state.public or it.in_whatif or is_database(_file(it)):
        raise HTTPException(404, ELSEWHERE)
    return it


def _file(it: Here) -> str:
    return shelf_of(it.request).stock.where(it.table.name)


async def look(request: Request) -> Response:
    """What there is to send, and a place to drop what came."""
    return _page(_at_home(request))


def _page(it: Here, status: int = 200, **shown: object) -> Response:
    players, own = it.world.sequence.players, it.seat.side
    known = confirmed(Path(_file(it)))
    return page(
        it,
        "by_mail.html",
        title="Play by mail",
        key="journal",
        status=status,
        others=[each for each in players if each != own],
        own=own,
        known={side: end.seq for side, end in known.items()},
        **({"result": None, "told": {}, "problem": "", "text": "", "turn_text": "", "turn_says": ""} | shown),
    )


def _sender(it: Here, to: str) -> str:
    """The side that a turn comes from: the one looked from, or the only other there is."""
    others = [each for each in it.world.sequence.players if each != to]
    own = it.seat.side or (others[0] if len(others) == 1 else "")
    if to not in it.world.sequence.players or not own or own == to:
        raise ValueError("Choose in the bar which side you play, and here whom the turn is for.")
    return own


async def send(request: Request) -> Response:
    """The turn for a side, as a file to attach or as text to paste into the mail."""
    it, form = _at_home(request), await read_form(request)
    try:
        sender = _sender(it, form["to"])
    except ValueError as error:
        return _page(it, 400, problem=str(error))
    turn, text = written(it.campaign, Path(_file(it)), sender, form["to"], everything=bool(form["all"]))
    if form["as"] == "text":
        return _page(it, turn_text=text, turn_says=f"For {turn.to}: {span(turn)}.")
    name = quote(file_name(it.table.name, turn))
    return Response(
        text.encode(),
        media_type="application/octet-stream",
        headers={"content-disposition": f"attachment; filename*=UTF-8''{name}"},
    )


async def receive(request: Request) -> Response:
    """Take in what came: checked and judged in a process of its own, and recorded if it follows what is here."""
    it, form = _at_home(request), await read_form(request)
    text = form["file"] if form["file"].strip() else form["text"]
    choose = form["choose"] if form["choose"] in (OURS, THEIRS) else ""
    if not text.strip():
        return _page(it, 400, problem=NO_TURN)
    name, shelf = it.table.name, shelf_of(request)
    if choose == THEIRS:
        # The file is exchanged for another of the same campaign: nobody may hold it open.
        shelf.put_away(name)
    task = Task("receive", _file(it), fields={"text": text, "choose": choose, "anyway": bool(form["anyway"])})
    result: Result = await jobs_of(request).aside(task)
    it = here(request)
    it.table.tell()
    # What a failed task tells may lack all of it.
    told = {"parted": False, "ours": (), "sender": "", "aside": "", "anyway": False} | result.found
    return _page(it, 200 if result.ok else 422, result=result, told=told, text=text if _asks_again(result) else "")


def _asks_again(result: Result) -> bool:
    """Whether the same turn is to be sent once more, with a choice or a word."""
    return not result.ok or bool(result.found.get("parted"))


PAGE = Page(
    "by-mail",
    "Play by mail",
    "/mail",
    "",
    [at("/mail", look), at("/mail/send", send, "POST"), at("/mail", receive, "POST")],
)
