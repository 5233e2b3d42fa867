"""Losses: typed, pasted or picked, tried as one writes, recorded all at once and undone all at once."""

import asyncio
import sys
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from forcepool.drawing.glyphs import is_aircraft
from forcepool.engine.acts import reasons_said
from forcepool.engine.campaign import Done
from forcepool.engine.command import Command
from forcepool.engine.pasting import Line, Pasted
from forcepool.engine.places import HEX
from forcepool.engine.state import Unit
from forcepool.engine.verdicts import Refusal
from forcepool.engine.world import World
from forcepool.views.forcepool import asked_for_first, named
from forcepool.views.losses import (
    A_PIECE,
    Give,
    LossLine,
    NotRecorded,
    Recorded,
    left_over,
    lower_steps,
    read_in_pieces,
    taken,
    tried,
)
from forcepool.views.names import by_nation_and_number
from forcepool.web.acting import act
from forcepool.web.forms import Form, read_form
from forcepool.web.here import Here, here
from forcepool.web.pages import Page, at
from forcepool.web.render import json_answer, page, plural, with_session
from forcepool.web.seats import Forbidden

MOST_PICKED = 60
"""So many units are listed to pick from; typing a name narrows them."""
BETWEEN = 0.01
"""Seconds between two pieces of a long list: a page that another asks for takes several steps, not one."""
MOST_TEXT = 100_000
ISOLATED = " isolated"
AIR_RESULT = "air_result"
"""What a fight did to an air unit, in games that settle it by a rule of its own: no loss is entered for it."""


class Bring(Struct, frozen=True):
    """What losses not yet counted will bring, with the working and its clauses."""

    says: str
    clauses: tuple[str, ...]


class Trial(Struct, frozen=True):
    """What a text would come to."""

    lines: tuple[LossLine, ...]
    brings: tuple[Bring, ...]

    @property
    def good(self) -> int:
        return sum(each.accepted for each in self.lines)

    @property
    def bad(self) -> int:
        return len(self.lines) - self.good


async def read(it: Here, text: str) -> Pasted:
    """The losses in a text, as this seat may name them; others have their turn in between."""
    pasted = Pasted(())
    for so_far in read_in_pieces(it.campaign, text, it.seat.journal_name, it.sight):
        pasted = so_far
        await asyncio.sleep(BETWEEN)
    return pasted


async def trial(it: Here, text: str) -> Trial:
    """The losses in a text tried one after another, as this seat may name them."""
    pasted = await read(it, text)
    clauses = [*pasted.because, *[""] * len(pasted.brings)]
    return Trial(
        tuple(tried(it.world, if_allowed(it, line)) for line in pasted.lines),
        tuple(Bring(says, tuple(clauses[index].split())) for index, says in enumerate(pasted.brings)),
    )


def if_allowed(it: Here, line: Line) -> Line:
    """A line that the rules would take, but that is not this seat's to give, is told so before it is recorded."""
    if line.command is None or not line.taken:
        return replace(line, problem=it.sight.veiled(line.problem)) if line.problem else line
    try:
        it.sight.may_order(line.command)
        it.sight.may_bring_about(line.command, line.events)
    except Forbidden as no:
        return replace(line, problem=str(no))
    return line


# ------------------------------------------------------------------------------------------------- the page


async def losses(request: Request) -> Response:
    it = here(request)
    return await _page(it, "", find=request.query_params.get("q", "")[:80])


async def try_losses(request: Request) -> Response:
    """What the lines written so far would come to; nothing is recorded."""
    it, form = here(request), await read_form(request)
    text = with_choice(with_pick(form["text"][:MOST_TEXT], form), form["choose"][:400])
    if request.headers.get("x-part"):
        return page(it, "_tried.html", title="", trial=await trial(it, text))
    return await _page(it, text, find=form["q"][:80])


def with_pick(text: str, form: Form) -> str:
    """The text with the unit that was picked on a line of its own."""
    pick = " ".join(form["pick"].split())[:200]
    if not pick:
        return text
    line = pick + (ISOLATED if form["isolated"] else "")
    return f"{text.rstrip()}\n{line}\n".lstrip("\n")


def with_choice(text: str, choice: str) -> str:
    """The text with the unit that was chosen in place of what could be several: line, column, length, new words."""
    words = choice.split(" ", 3)
    if len(words) < 4 or not all(each.isdecimal() for each in words[:3]):
        return text
    number, column, length = (int(each) for each in words[:3])
    lines = text.splitlines()
    if not 1 <= number <= len(lines):
        return text
    line = lines[number - 1]
    lines[number - 1] = line[: column - 1] + words[3] + line[column - 1 + length :]
    return "\n".join(lines)


async def _page(
    it: Here, text: str, *, find: str = "", recorded: tuple[LossLine, ...] = (), status: int = 200
) -> Response:
    units, has_results = on_the_map(it, find), AIR_RESULT in it.world.facts_by_name
    on_the_ground = [each for each in units if not (has_results and is_aircraft(each.spec))]
    return page(
        it,
        "losses.html",
        title="Losses",
        key="losses",
        status=status,
        text=text,
        trial=await trial(it, text),
        recorded=recorded,
        how=how_to_write(it.world),
        example=for_example(on_the_ground),
        units=units[:MOST_PICKED],
        more=len(units) - MOST_PICKED,
        searched=find,
        flying={each.id for each in units[:MOST_PICKED] if has_results and is_aircraft(each.spec)},
        air_result=AIR_RESULT,
        steps=lower_steps,
    )


def on_the_map(it: Here, find: str) -> list[Unit]:
    """The seat's units on the map that answer to these words."""
    everyone: list[Unit] = it.kept(
        "on the map",
        lambda: sorted(
            (each for each in it.state.units.values() if each.place.kind == HEX and it.sight.unit(each)),
            key=by_nation_and_number,
        ),
    )
    words = find.casefold().split()
    return sorted((each for each in everyone if named(each, words)), key=asked_for_first(words)) if words else everyone


def for_example(units: list[Unit]) -> list[str]:
    """Lines as one might write them, of units that are there."""
    reduced = ((each.id, step) for each in units for step in lower_steps(each))
    found = [units[0].id, " ".join(next(reduced, ())), f"{units[-1].id}{ISOLATED}"] if units else []
    return list(filter(None, found))


def how_to_write(world: World) -> str:
    """How the game's own reader says that losses are written."""
    doc = sys.modules[world.game.pastes.__module__].__doc__ if world.game.pastes else ""
    return (doc or "").partition("\n\n")[2].strip()


# ------------------------------------------------------------------------------------------------ recording


async def record(request: Request) -> Response:
    """Record every line that is understood, an entry each; the others stay with their reasons."""
    it, form = here(request), await read_form(request)
    text = form["text"][:MOST_TEXT]
    lines = await recorded_one_by_one(it, await read(it, text), lambda command: _give(it, command))
    if "application/json" in request.headers.get("accept", ""):
        data = _told(it, lines)
        return json_answer(data, 200 if data["accepted"] else 422)
    left = left_over(lines)
    if lines and not left:
        last = max(each.entry or 0 for each in lines)
        return with_session(request, RedirectResponse(f"{it.path}/losses?done={last}", 303))
    return await _page(
        it, left, recorded=tuple(each for each in lines if each.accepted), status=200 if not left else 422
    )


async def recorded_one_by_one(it: Here, pasted: Pasted, give: Give) -> tuple[LossLine, ...]:
    """Every line that is understood given as an order, with the orders of others in between."""
    lines = []
    for line in pasted.lines:
        lines.append(taken(it.world, line, give))
        await asyncio.sleep(0 if len(lines) % A_PIECE else BETWEEN)
    return tuple(lines)


def _give(it: Here, command: Command) -> Recorded | NotRecorded:
    outcome = act(it.table, it.seat, command)
    if isinstance(outcome, Done):
        return Recorded(outcome.entry.n, outcome.decision.events)
    if isinstance(outcome, Refusal):
        return NotRecorded(it.sight.veiled("; ".join(reasons_said(outcome.reasons))), outcome.clauses)
    return NotRecorded(getattr(outcome, "says", "somebody else was faster; try it again"))


def _told(it: Here, lines: tuple[LossLine, ...]) -> dict[str, Any]:
    good = [each for each in lines if each.accepted]
    bad = len(lines) - len(good)
    if not good:
        says = f"{plural(bad, 'line')} not taken; the reasons stand below" if bad else "there is no loss to record yet"
        return {"accepted": False, "kind": "wrong", "seq": it.table.seq, "says": says, "left": left_over(lines)}
    return {
        "accepted": True,
        "entry": max(each.entry or 0 for each in good),
        "back_to": min(each.entry or 0 for each in good),
        "seq": it.table.seq,
        "says": f"{plural(len(good), 'loss', 'losses')} recorded{f', {bad} left to be put right' if bad else ''}",
        "words": [words for each in good for words in each.words[:1]],
        "left": left_over(lines),
        "lines": lines,
    }


PAGE = Page(
    "losses",
    "Losses",
    "/losses",
    "l",
    [at("/losses", losses), at("/losses", record, "POST"), at("/losses/try", try_losses, "POST")],
    concerns=lambda world: world.game.pastes is not None,
)
