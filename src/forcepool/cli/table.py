"""Sitting down at a campaign: opening its file, choosing a seat, naming pools, nations and units."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, TypeVar

import click

from forcepool.cli.problems import BadInput
from forcepool.store.address import is_database, shown
from forcepool.views.near import did_you_mean

if TYPE_CHECKING:
    from forcepool.engine.campaign import Campaign
    from forcepool.engine.state import State, Unit
    from forcepool.engine.world import World

F = TypeVar("F", bound=Callable[..., Any])

file_argument = click.argument("file", type=click.Path(dir_okay=False))
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
seat_option = click.option(
    "--as", "seat", metavar="SIDE", default="", help="The side you play; needed in a campaign with seats."
)


def must_be_a_file(file: str, what: str) -> None:
    """Turn away a campaign in a database where only a file serves."""
    if is_database(file):
        raise BadInput(f"{shown(file)} is in a database; {what}")


@contextmanager
def campaign_at(file: str) -> Iterator["Campaign"]:
    """The campaign in a file, closed again afterwards; of a what-if it is said each time that it is one."""
    from forcepool import games
    from forcepool.cli import screen
    from forcepool.store.open import campaign_file

    with campaign_file(file, games.build_world) as campaign:
        if campaign.beginning.tries:
            screen.warn("nothing here counts: this is a what-if. 'forcepool whatif' gives its orders, or drops it")
        yield campaign


def seat_of(campaign: "Campaign", name: str, *, acting: bool = True) -> str:
    """The side someone plays; a campaign with seats does not let nobody act."""
    seats = campaign.beginning.seats
    if not name:
        if seats and acting:
            phasing = campaign.world.phasing(campaign.state)
            side = phasing if phasing in seats else seats[0]
            raise BadInput(f"this campaign has seats ({', '.join(seats)}); say which is yours with --as {side}")
        return ""
    side = one_of(name, campaign.world.sequence.players, "side")
    if seats and side not in seats:
        raise BadInput(f"nobody plays {side} in this campaign; its seats are {', '.join(seats)}")
    return side


def one_of(name: str, known: Iterable[str], noun: str) -> str:
    """The known name that was meant: in any letters, by its last part, or by a beginning that only one has."""
    names = sorted(set(known))
    folded = name.strip().casefold()
    exact = [each for each in names if each.casefold() == folded]
    ends = [each for each in names if "/" in each and each.casefold().partition("/")[2] == folded]
    starts = [each for each in names if folded and _begins(each.casefold(), folded)]
    for found in (exact, ends, starts):
        if len(found) == 1:
            return found[0]
        if found:
            raise BadInput(f"'{name}' could be {' or '.join(found)}; write it in full")
    raise BadInput(f"there is no {noun} '{name}'; {did_you_mean(name, names)}")


def _begins(name: str, typed: str) -> bool:
    return name.startswith(typed) or name.partition("/")[2].startswith(typed)


def unit_named(state: "State", name: str) -> "Unit":
    """The unit meant: its id in any letters, or a beginning that only one unit has."""
    found = units_called(state, name)
    if len(found) == 1:
        return found[0]
    if found:
        raise BadInput(f"'{name}' could be {' or '.join(each.id for each in found[:4])}; write it in full")
    raise BadInput(f"there is no unit '{name}'; {unit_hint(state, name)}")


def units_called(state: "State", name: str) -> list["Unit"]:
    """The unit of that id, with or without its blanks; else all whose id begins with these words."""
    unit = state.units.get(name)
    if unit is not None:
        return [unit]
    folded = " ".join(name.casefold().split())
    if not folded:
        return []
    ids = sorted(state.units)
    exact = [each for each in ids if each.casefold() == folded]
    exact = exact or [each for each in ids if each.casefold().replace(" ", "") == folded.replace(" ", "")]
    return [state.units[each] for each in exact or [each for each in ids if each.casefold().startswith(folded + " ")]]


def unit_hint(state: "State", name: str) -> str:
    folded = {each.casefold(): each for each in state.units}
    near = [folded[each] for each in get_close_matches(name.casefold(), sorted(folded), 3)]
    return f"did you mean {' or '.join(near)}?" if near else "'forcepool units' lists them"


def nations_of(world: "World") -> list[str]:
    return sorted(world.sides)


def pool_named(state: "State", text: str) -> str:
    """The pool meant: as pages show it ('front Centre'), as one types it (front/centre), or by a part (centre)."""
    from forcepool.views.names import pool_in_words

    pools = sorted({account.pool for account in state.balances})
    folded = " ".join(text.casefold().split())
    shown = [pool for pool in pools if pool_in_words(pool).casefold() == folded]
    return shown[0] if len(shown) == 1 else one_of(text, pools, "pool")
