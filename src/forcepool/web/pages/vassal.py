"""VASSAL beside the campaign: a save dropped on the page, what changed in it as orders to tick, one undo for all."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from forcepool.engine.command import BadCommand
from forcepool.engine.whatif import Given, Tried
from forcepool.files.disk import whole_text
from forcepool.store.address import is_database
from forcepool.vassal.campaign import matchfile, seen
from forcepool.vassal.campaign.desk import Desk, Offer, taken_over
from forcepool.vassal.campaign.seen import Looks
from forcepool.web.acting import NotTaken, Stale
from forcepool.web.actions import outcome_of, told
from forcepool.web.forms import Form, order_in, read_files, read_form
from forcepool.web.here import Here, here, shelf_of
from forcepool.web.pages import Page, at
from forcepool.web.pages.job import jobs_of
from forcepool.web.pages.whatif import given, gone_to, stopped
from forcepool.web.render import page
from forcepool.web.task import Task

SAVES, MODULE, EXTENSION = (".vsav", ".vlog"), ".vmod", ".vmdx"
MOST_FILES = 12
LONGEST_MATCH = 2_000_000
NO_SAVE = "There is no save among these files; choose one that ends in .vsav or .vlog, and the module (.vmod) with it."
WITHOUT_MODULE = "Without the module its regions are not known: bring the .vmod with the save."
IN_WHATIF = "VASSAL is held against the campaign itself; leave the what-if first."
_offers = msgspec.json.Decoder(list[Offer])
_looks = msgspec.json.Decoder(Looks)


async def look(request: Request) -> Response:
    it = _seated(request)
    return _page(it, match=_kept(it)[0])


def _page(it: Here, *, part: bool = False, status: int = 200, **shown: Any) -> Response:
    template = "_vassal.html" if part else "vassal.html"
    values = {"found": None, "match": "", "looks": "{}", "wrong": "", "says": "", "beside": _is_beside(it)} | shown
    return page(it, template, title="VASSAL", key="vassal", status=status, **values)


async def read(request: Request) -> Response:
    """Hold the save that was brought against the campaign; nothing is recorded."""
    it, part = _seated(request), bool(request.headers.get("x-part"))
    with TemporaryDirectory(prefix="forcepool-", ignore_cleanup_errors=True) as folder:
        form, files = await read_files(request, Path(folder), MOST_FILES)
        kept, last = _kept(it)
        match = (form["match"][:LONGEST_MATCH] or kept).replace("\r\n", "\n")
        last = _read_looks(form["looks"]) or last
        save, module, extensions = _sorted(files)
        if save is None:
            return _page(it, part=part, status=400, match=match, wrong=NO_SAVE)
        wish = {
            "save": save,
            "module": module,
            "extensions": extensions,
            "match": match,
            "looks": msgspec.to_builtins({} if form["everything"] else last),
            "own": it.seat.side,
            "seat": it.seat.journal_name,
            "units": None if it.sight.all else [unit.id for unit in it.state.units.values() if it.sight.unit(unit)],
        }
        task = Task("vassal", _where(it), folder=folder, fields=wish, steps_back=jobs_of(request).rests)
        result = await jobs_of(request).aside(task)
    if not result.ok:
        lines = [result.says, *result.words]
        return _page(it, part=part, status=422, match=match, wrong="\n".join(lines))
    found = msgspec.convert(result.found, Desk)
    if _is_beside(it) and (found.added or match != kept):
        _write(matchfile.beside(_where(it)), found.match)
        seen.write_seen(seen.beside(_where(it)), found.looks)
    says = result.says if module else f"{result.says} {WITHOUT_MODULE}"
    offers = msgspec.json.encode(found.offers).decode()
    shown: dict[str, Any] = {"match": found.match, "looks": _text(found.looks), "offers": offers, "says": says}
    return _page(it, part=part, found=found, **shown)


def _sorted(
    files: list[tuple[str, str]],
) -> tuple[tuple[str, str] | None, tuple[str, str] | None, list[tuple[str, str]]]:
    """The save, the module and its extensions among files, by their endings."""
    by_ending = [(Path(name).suffix.casefold(), (path, name)) for path, name in files]
    save = next((file for ending, file in by_ending if ending in SAVES), None)
    module = next((file for ending, file in by_ending if ending == MODULE), None)
    return save, module, [file for ending, file in by_ending if ending == EXTENSION]


async def give(request: Request) -> Response:
    """Give the orders that were ticked, in one go; one undo takes them back."""
    it, form = _seated(request), await read_form(request)
    if not it.seat.acts:
        raise HTTPException(403, "An observer gives no orders.")
    try:
        orders = [Tried(number, order_in(it.world, text)) for number, text in enumerate(form.all("order"), 1)]
    except BadCommand as error:
        raise HTTPException(400, str(error)) from None
    if not orders:
        answer = {"accepted": False, "kind": "wrong", "seq": it.table.seq, "says": "Tick what is to be taken over."}
        return told(it, form, answer)
    outcome = given(it, orders, ())
    if isinstance(outcome, Stale | NotTaken):
        return told(it, form, outcome_of(it, outcome))
    if not isinstance(outcome, Given):
        return told(it, form, stopped(it, outcome, orders))
    it.table.tell()
    first, last = outcome.done[0].entry.n, outcome.done[-1].entry.n
    looks = _after(form, first)
    if _is_beside(it):
        seen.write_seen(seen.beside(_where(it)), looks)
    return gone_to(it, f"{it.path}/journal?from={first}&done={last}", looks=_text(looks))


def _after(form: Form, entry: int) -> Looks:
    """How the units lie in VASSAL that are the same here now."""
    try:
        offers = _offers.decode(form["offers"] or "[]")
    except msgspec.MsgspecError:
        return _read_looks(form["looks"])
    ticked = form.all("order")
    return taken_over(
        _read_looks(form["looks"]),
        [each for each in offers if each.order in ticked],
        offers,
        set(form.all("left")),
        entry,
    )


def _read_looks(text: str) -> Looks:
    try:
        return _looks.decode(text or "{}")
    except msgspec.MsgspecError:
        return {}


def _text(looks: Looks) -> str:
    return msgspec.json.encode(looks).decode()


def _seated(request: Request) -> Here:
    it = here(request)
    if it.in_whatif:
        raise HTTPException(404, IN_WHATIF)
    return it


def _is_beside(it: Here) -> bool:
    """At one's own machine the match file lies beside the campaign, as for the command line; else in the browser."""
    return not it.request.app.state.public and it.sight.all and not is_database(_where(it))


def _where(it: Here) -> str:
    """The campaign's file, or where else it is."""
    return shelf_of(it.request).stock.where(it.table.name)


def _kept(it: Here) -> tuple[str, Looks]:
    if not _is_beside(it):
        return "", {}
    path = matchfile.beside(_where(it))
    text = path.read_text("utf-8-sig", errors="replace") if path.is_file() else ""
    return text, seen.read_seen(seen.beside(_where(it)), it.campaign.history.undone)


def _write(path: Path, text: str) -> None:
    with whole_text(path) as file:
        file.write(text)


PAGE = Page(
    "vassal",
    "VASSAL",
    "/vassal",
    "",
    [at("/vassal", look), at("/vassal", read, "POST"), at("/vassal/give", give, "POST")],
)
