"""From a template to an answer: the filters pages share, and what stands on every page."""

import re
import secrets
from collections.abc import Callable, Hashable
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any
from urllib.parse import quote

from jinja2 import BaseLoader, ChoiceLoader, Environment, PackageLoader, PrefixLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from forcepool import __version__, games
from forcepool.engine import codec
from forcepool.engine.command import Command
from forcepool.engine.consent import waiting_for
from forcepool.engine.points import show_points
from forcepool.engine.sentence import PLACE, POOL, UNIT, WORDS, plain_json
from forcepool.engine.whatif import tried
from forcepool.rulebook.book import load
from forcepool.store.errors import CampaignFileError
from forcepool.views.names import amounts_in_words, kind_in_words
from forcepool.views.said import Said, order_said, parts_said, sentence_said
from forcepool.views.status import changes
from forcepool.web.chair import REFEREE, SEES_ALL
from forcepool.web.here import Here, is_host, session_of, signer_of
from forcepool.web.keeping import Standing
from forcepool.web.messages import unread
from forcepool.web.security import COOKIE, YEAR

PAGES_OF_PARTS = {UNIT: "/unit/", PLACE: "/map?at=", POOL: "/pools?pool="}
"""Where a unit, a place and a pool of a sentence are shown."""
AWKWARD = re.compile(r"(?<![\w/⁄])(?:(?P<whole>[0-9]+) )?(?P<over>[0-9]+)/(?P<under>[0-9]+)(?![\w/⁄])")
"""A fraction that has no sign of its own: 6 7/50."""
FACT = re.compile(r"[a-z]+(?:_[a-z]+)+")
NARROW = "\u202f"
UNSIGNED = secrets.token_hex(16)
"""Stands for the token in what is drawn once for many sessions, until it goes out to one of them."""
UNSEEN = secrets.token_hex(16)
"""Stands for the last entry one has seen, in what is drawn once for as long as it shows the same."""


@cache
def environment() -> Environment:
    """The templates with their filters; every value is escaped unless it is markup already."""
    env = Environment(
        loader=ChoiceLoader([PackageLoader("forcepool.web"), PrefixLoader(_of_games())]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    env.filters |= {
        "points": points,
        "readable": readable,
        "amounts": amounts_in_words,
        "kind": kind_in_words,
        "order": order_text,
        "path": lambda text: quote(str(text), safe="/"),
        "plural": plural,
        "capital": lambda text: f"{text[:1].upper()}{text[1:]}",
        "said": sentence_said,
        "order_said": order_said,
    }
    env.globals |= {"version": __version__}
    return env


def _of_games() -> dict[str, BaseLoader]:
    """The templates that games bring, each under its game's name: 'chess/board.html'."""
    brings = {name: games.game(name).pages for name in games.names()}
    return {name: PackageLoader(module) for name, module in brings.items() if module}


def points(value: Fraction | int) -> str:
    return show_points(Fraction(value))


def readable(shown: str) -> Markup:
    """Amounts as shown, with the fractions that have no sign of their own set like one: 7 over 50, not 6 7/50."""
    return Markup(AWKWARD.sub(_fraction, str(escape(shown))))


def _fraction(found: re.Match[str]) -> str:
    whole, over, under = found["whole"] or "", found["over"], found["under"]
    hundredths = round(Fraction(int(over), int(under)) * 100)
    near = f"{int(whole or 0) + hundredths // 100}.{hundredths % 100:02}"
    return (
        f'<span class="frac" title="{whole}{" " if whole else ""}{over}/{under}, about {near}">'
        f"{whole}{NARROW if whole else ''}<sup>{over}</sup>⁄<sub>{under}</sub></span>"
    )


def plural(count: int, noun: str, many: str = "") -> str:
    """'1 unit', '3 units'."""
    return f"{count:,} {noun if count == 1 else many or noun + 's'}"


def order_text(command: Command) -> str:
    """A command as a form carries it."""
    return codec.encode(command).decode()


@lru_cache(maxsize=16384)
def linked(sentence: str, path: str) -> Markup:
    """A sentence as a player says it: its units, places and pools lead to their pages, its clauses to the rulebook."""
    return Markup("").join(_linked(part, path) for part in parts_said(sentence))


def _linked(part: Said, path: str) -> Markup:
    if part.kind == WORDS:
        return _with_clauses(part.words, path)
    page = PAGES_OF_PARTS.get(part.kind)
    if page is None:
        return escape(part.words)
    return Markup('<a class="part" href="{}{}{}">{}</a>').format(path, page, quote(part.name, safe=""), part.words)


def _with_clauses(text: str, path: str) -> Markup:
    book = load()
    words = []
    for word in text.split(" "):
        bare = word.strip("[](),;:.")
        if bare in book:
            at = word.index(bare)
            link = Markup('<a class="clause" href="{}/rules/{}">{}</a>').format(path, quote(bare), bare)
            words.append(escape(word[:at]) + link + escape(word[at + len(bare) :]))
        else:
            # A fact is read as words, though it is typed as one.
            words.append(escape(word.replace("_", " ") if FACT.fullmatch(bare) else word))
    return Markup(" ").join(words)


def page(here: Here, template: str, *, title: str, key: str = "", status: int = 200, **values: Any) -> Response:
    """A page of a campaign."""
    from forcepool.web.pages import pages_of

    state, world = here.state, here.world
    context = {
        "here": here,
        "path": here.path,
        "title": title,
        "key": key,
        "pages": pages_of(here),
        "turn": world.turn_name(state.clock.turn),
        "player": world.phasing(state),
        "phase": world.sequence.phase_name(world.phase(state)),
        "seq": here.table.seq,
        "campaign_title": here.campaign.beginning.title,
        "seat": here.seat,
        "players": world.sequence.players,
        "link": lambda text: linked(here.sight.veiled(str(text)), here.path),
        "sees_all": here.sight.all,
        "at_home": not here.request.app.state.public,
        "can_end_phase": may_end_phase(here),
        "can_redo": bool(here.campaign.history.redoable),
        "asked": here.campaign.history.asked,
        "asked_by": here.campaign.history.agreed[:1],
        "waiting": waiting_on(here),
        "unread": unread(here),
        "seal": here.campaign.hash,
        "read_otherwise": changes(here.campaign),
        "whatif": whatif_on(here),
        "withheld": "" if here.in_whatif else Standing(*here.habits.standing).says,
        "own_whatif": f"/c/{quote(here.own_whatif)}" if here.own_whatif and not here.in_whatif else "",
    }
    return answer(here.request, template, status, **(context | values))


def whatif_on(here: Here) -> dict[str, Any] | None:
    """Of a what-if: where its campaign's pages are, and how many orders were tried."""
    if not here.in_whatif:
        return None
    orders = here.table.kept("tried", lambda: tried(here.campaign))
    return {"path": f"/c/{quote(here.of)}", "orders": len(orders)}


def waiting_on(here: Here) -> list[tuple[int, str, str, str, bool]]:
    """Orders that wait for someone: the entry, who asks, why, with which note, and whether this seat is asked.

    What the order itself is stays its seat's own, as all orders do.
    """
    seat = REFEREE if here.seat.role in SEES_ALL else here.seat.journal_name
    asked = waiting_for(here.campaign, seat) if here.seat.acts and not here.seat.front else {}
    return [
        (number, each.seat, each.why, here.sight.veiled_note(each.override), number in asked)
        for number, each in sorted(here.campaign.history.waiting.items())
    ]


def may_end_phase(here: Here) -> bool:
    return here.seat.acts and not here.seat.front and here.seat.side in ("", here.world.phasing(here.state))


def drawn_once(here: Here, template: str, showing: Hashable, values: Callable[[], dict[str, Any]]) -> Markup:
    """A part of a page, drawn once for all who look at the campaign as it stands from the same chair.

    `showing` is what the part shows beyond that, such as the filters in its address; the values follow from it.
    """

    def draw() -> Markup:
        more = {
            "seq": here.table.seq,
            "player": here.world.phasing(here.state),
            "can_end_phase": may_end_phase(here),
        }
        html = environment().get_template(template).render(drawing(here) | more | values())
        return Markup(html.replace(UNSEEN, str(here.table.seq)))

    found: Markup = here.kept(("drawn", template, showing), draw)
    return found


def drawing(here: Here) -> dict[str, Any]:
    """What stands in all that is drawn once for many: who looks it is told when it goes out."""
    return {
        "path": here.path,
        "seq": UNSEEN,
        "seat": here.seat.chair,
        "link": lambda text: linked(here.sight.veiled(str(text)), here.path),
        "token": UNSIGNED,
    }


def fragment(here: Here, template: str, **values: Any) -> str:
    """A piece of a page that its script puts in place, or that stands on a page of its own."""
    context = {
        "path": here.path,
        "seq": here.table.seq,
        "seat": here.seat,
        "link": lambda text: linked(here.sight.veiled(str(text)), here.path),
        "token": signer_of(here.request).token(session_of(here.request)),
    }
    return environment().get_template(template).render(context | values)


def _is_host(request: Request) -> bool:
    """Whether the host looks; a register that cannot be asked must not spoil the page that tells so."""
    try:
        return is_host(request)
    except CampaignFileError:
        return False


def answer(request: Request, template: str, status: int = 200, **values: Any) -> Response:
    """A page with or without a campaign, with the session's cookie and the token its forms bring back."""
    token = signer_of(request).token(session_of(request))
    common = {
        "token": token,
        "public": request.app.state.public,
        "host": _is_host(request),
        "passing": request.app.state.passing,
        "settings": settings_of(request),
    }
    html = environment().get_template(template).render(common | values).replace(UNSIGNED, token)
    return with_session(request, HTMLResponse(html, status))


def with_session(request: Request, response: Response) -> Response:
    """The answer with the session's cookie, for those who came without one."""
    session = session_of(request)
    if request.state.new_session:
        response.set_cookie(
            COOKIE,
            signer_of(request).cookie(session),
            max_age=YEAR,
            httponly=True,
            # A link in a letter, read in the browser, is to find the seat; what changes anything asks for the token.
            samesite="lax",
            secure=request.app.state.https,
        )
    return response


def settings_of(request: Request) -> dict[str, str]:
    """Large type, dark paper, phases to pass over, as this browser last chose; anything else there is not heeded."""
    chosen = dict(part.split("=", 1) for part in request.cookies.get("look", "").split("&") if "=" in part)
    kinds = {
        "type": ("normal", "large", "larger"),
        "paper": ("auto", "light", "dark"),
        "onward": ("yes", "map", "no"),
    }
    return {name: chosen[name] if chosen.get(name) in allowed else allowed[0] for name, allowed in kinds.items()}


def json_answer(data: Any, status: int = 200) -> Response:
    """Data for programs: exact points as text such as 7/2, names as one types them."""
    return Response(plain_json(codec.encode(data)), status, media_type="application/json")
