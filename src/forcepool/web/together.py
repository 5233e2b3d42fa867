"""Orders given together: one after another, told as one, undone as one."""

from collections.abc import Iterable, Sequence

from starlette.responses import Response

from forcepool.engine.campaign import Done
from forcepool.engine.command import Command
from forcepool.web.acting import Outcome, Wrong, act
from forcepool.web.actions import outcome_of, seen_on, told
from forcepool.web.forms import Form
from forcepool.web.here import Here


def give_all(it: Here, form: Form, orders: Iterable[Command]) -> tuple[list[Done], list[Outcome]]:
    """Give orders one after another; what was done, and what came of those that were not."""
    done: list[Done] = []
    failed: list[Outcome] = []
    for order in orders:
        outcome = act(it.table, it.seat, order, seen=it.table.seq if done else seen_on(form))
        if isinstance(outcome, Done):
            done.append(outcome)
        else:
            failed.append(outcome)
    return done, failed


def told_as_one(
    it: Here,
    form: Form,
    done: Sequence[Done],
    failed: Sequence[Outcome],
    *,
    verb: str = "done",
    why_not: str = "",
    none: str,
) -> Response:
    """What came of orders given together, with one way back; where none was done, why the first was not."""
    if not done:
        return told(it, form, outcome_of(it, failed[0] if failed else Wrong(none)))
    left = f", {len(failed)} not{why_not}" if failed else ""
    words = [words for each in done for words in outcome_of(it, each)["words"][:1]]
    data = outcome_of(it, done[-1]) | {
        "back_to": done[0].entry.n,
        "says": f"{len(done)} {verb}{left}",
        "words": words,
    }
    return told(it, form, data)
