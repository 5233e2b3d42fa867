"""Ending a phase: what stays undone and unspent is shown first, and phases with nothing to do are passed over."""

from collections.abc import Container, Iterable, Iterator
from typing import Any

from msgspec import Struct

from forcepool.engine.agenda import DUE, LAPSES, OPEN, Item, agenda
from forcepool.engine.campaign import Done
from forcepool.engine.decide import Decision
from forcepool.engine.desk import Advance
from forcepool.engine.places import OUT
from forcepool.engine.state import State, Unit, evolve
from forcepool.engine.verdicts import Refusal
from forcepool.views.board import Piece, Purse
from forcepool.views.names import amounts_in_words
from forcepool.views.said import sentence_said
from forcepool.views.turn import agenda_line
from forcepool.views.unit import Reason, reason
from forcepool.web.acting import Seen, act, attempt
from forcepool.web.checklist import tick_of
from forcepool.web.here import Here
from forcepool.web.pages import brought
from forcepool.web.render import fragment

MOST_PASSED = 40
"""Phases passed over by one press of the button: more than two turns have."""
ON_THE_MAP = ("movement", "combat", "exploitation")
"""Phases that are played on the map, which those pass over who move their counters elsewhere."""
ARRIVALS = "/arrivals"
PASS, PASS_MAP = "yes", "map"
"""What a form says of phases with nothing to do: pass them over, those on the map too; anything else stays."""


class Ending(Struct, frozen=True):
    """What stays behind when a phase ends now."""

    refused: tuple[Reason, ...]
    due: tuple[Piece, ...]
    """What can no longer be done afterwards; where the phase may not end yet, all that is due."""
    lost: tuple[str, ...]
    unspent: tuple[str, ...]
    missed: int
    """How many purchases could still be made."""
    final: bool = False
    """Whether not even a note ends the phase."""

    @property
    def empty(self) -> bool:
        return not (self.refused or self.due or self.lost or self.unspent)


def ending(it: Here, end: Advance, ticked: Container[str]) -> Ending | None:
    """What ending the phase would leave undone; None where it is not the seat's to end, or a die decides."""
    from forcepool.web.pages.turn import pieces, purses_of

    decision = attempt(it.table, it.seat, end)
    if not isinstance(decision, Decision | Refusal):
        return None
    listed = pieces(it)
    mine = [each for each in listed if each.item.side in ("", it.world.phasing(it.state))]
    undone = [each for each in mine if each.item.kind == DUE and tick_of(agenda_line(each.item)) not in ticked]
    if isinstance(decision, Refusal):
        reasons = (it.sight.reason(reason(each), end) for each in decision.reasons)
        return Ending(tuple(reasons), tuple(undone), (), (), 0, decision.final)
    after = agenda(it.world, evolve(it.state.copy(), decision.events))
    later = {kind: _told(it, after, kind) for kind in (DUE, LAPSES, OPEN)}
    spent = [each for each in mine if each.item.kind == OPEN and each.cost and _key(each.item) not in later[OPEN]]
    return Ending(
        (),
        tuple(each for each in undone if _key(each.item) not in later[DUE]),
        tuple(
            each.item.sentence
            # One player for all sides is told what any of them loses with the phase.
            for each in (mine if it.seat.side else listed)
            if each.item.kind == LAPSES and each.order is not None and _key(each.item) not in later[LAPSES]
        ),
        tuple(_in_the_purse(each) for each in purses_of(it, spent)),
        len(spent),
    )


def _in_the_purse(purse: Purse) -> str:
    """What a pool holds: 'front Centre (Germany): 3⅛ arm'; a nation's own pool has its name already."""
    whose = "" if purse.nation in purse.name else f" ({purse.nation})"
    return f"{purse.name}{whose}: {amounts_in_words(purse.holds)}"


def _key(item: Item) -> tuple[str, str]:
    return item.clause, item.sentence


def _told(it: Here, items: Iterable[Item], kind: str) -> set[tuple[str, str]]:
    return {(each.clause, it.sight.veiled(each.sentence)) for each in items if each.kind == kind}


def in_words(it: Here, found: Ending, onward: str) -> dict[str, Any]:
    """The question before a phase ends, or all that keeps it from ending, in words and as a panel to act from."""
    from forcepool.web.pages.turn import words_of

    words = words_of(it)
    arrivals = any(words[each.item.clause].page == ARRIVALS for each in found.due if each.item.clause in words)
    count = len(found.due)
    says = (
        "The phase cannot end yet."
        if found.refused
        else "One thing is still due:"
        if count == 1
        else f"{count} things are still due:"
        if count
        else "Nothing is due. This stays unspent:"
        if found.unspent
        else "Nothing is due."
    )
    return {
        "accepted": False,
        "kind": "due",
        "seq": it.table.seq,
        "says": says,
        "words": [sentence_said(each.item.sentence) for each in found.due],
        "unspent": list(found.unspent),
        "panel": fragment(it, "_ending.html", ending=found, onward=onward, arrivals=arrivals and len(found.due) > 1),
    }


# --------------------------------------------------------------------------------------------- passing over


def pass_over(it: Here, first: Done, *, map_too: bool) -> list[Done]:
    """End the phases after one that was ended, as far as they are the seat's and nobody has anything to do in them."""
    done = [first]
    while len(done) < MOST_PASSED and nothing_to_do(it, map_too=map_too):
        outcome = act(it.table, it.seat, Advance(), seen=Seen(it.table.seq))
        if not isinstance(outcome, Done):
            break
        done.append(outcome)
    return done


def _in_play(state: State) -> Iterator[Unit]:
    return (unit for unit in state.units.values() if unit.place.kind != OUT)


def nothing_to_do(it: Here, *, map_too: bool) -> bool:
    """Whether the phase that has begun asks and offers nothing.

    A side with units may do more in most phases than it is asked, such as moving them, or putting them into reserve:
    those are passed over only where it has none. The game names the phases that hold nothing but the checklist.
    """
    world, state = it.world, it.state
    side = world.phasing(state)
    if it.seat.side not in ("", side):
        return False
    phase = world.phase(state)
    passes = brought("PASSED").get(world.game.name, ())
    may_pass = phase in passes or (map_too and phase.split()[-1] in ON_THE_MAP)
    if not may_pass and any(world.side_now(state, unit.spec.nation) == side for unit in _in_play(state)):
        return False
    asked = agenda(world, state)
    return not any(
        each.kind == DUE or (each.kind in (OPEN, LAPSES) and each.command is not None)
        for each in asked
        if each.side in ("", side)
    )
