"""The counters of a save as a campaign looks at them: each by a name that stays the same from save to save."""

from collections import Counter as Tally
from collections.abc import Iterator

from msgspec import Struct

from forcepool.vassal.module import Module
from forcepool.vassal.pieces import Piece, Spot
from forcepool.vassal.save import Save

LONGEST_NAME = 120


class Seen(Struct, frozen=True):
    """A counter on the table."""

    piece: Piece
    """With the traits of its prototypes."""
    key: str
    """The shortest name that no other counter has."""
    keys: tuple[str, ...]
    """The names it may be matched by, the most exact first."""
    at: str
    """Where it lies, as the match file calls it; nothing off every map."""


class Table(Struct, frozen=True):
    """A save seen through its module, as one side may see it."""

    seen: tuple[Seen, ...]
    hidden: int
    """Counters that somebody else has hidden: they are passed over."""


def one_line(text: str) -> str:
    """A name of the module without what cannot be typed."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text[:LONGEST_NAME]).split())


def place_key(spot: Spot, save: Save, module: Module | None) -> str:
    """What the match file calls a spot: 'Main: Minsk', 'Charts: Eliminated', or only the map without a module."""
    if not spot.map:
        return ""
    found = module.where(spot, save.boards) if module else None
    named = [one_line(part) for part in ((found.board, found.zone, found.cell) if found else ()) if part]
    on = module.map_called(spot.map) if module else None
    return ": ".join([one_line(on.name if on else spot.map), *([" ".join(named)] if named else [])])


def look(save: Save, module: Module | None, side: str = "") -> Table:
    """All counters a side may see; one player for all sides sees what nobody has hidden."""
    wholes = [module.whole(each) if module else each for each in save.pieces.values()]
    ours = [player for player in save.players if side and player.side.casefold() == side.casefold()]
    # A module may let a counter be hidden by a whole side.
    mine = {name for player in ours for name in (player.name, player.side)}
    visible = [each for each in wholes if one_line(each.name) and (not each.hidden_by or each.hidden_by in mine)]
    hidden = sum(bool(each.hidden_by) and each.hidden_by not in mine for each in wholes)
    names = Tally(one_line(each.name) for each in visible)
    slots = Tally((one_line(each.name), each.gpid) for each in visible)
    found = []
    for piece in visible:
        keys = tuple(_keys(piece))
        name = keys[-1]
        unique = names[name] == 1
        by_slot = piece.gpid and slots[name, piece.gpid] == 1
        key = name if unique else keys[1] if by_slot else keys[0]
        found.append(Seen(piece, key, keys, place_key(piece.at, save, module)))
    return Table(tuple(found), hidden)


def _keys(piece: Piece) -> Iterator[str]:
    name = one_line(piece.name)
    yield f"{name} (piece {one_line(piece.id)})"
    if piece.gpid:
        yield f"{name} (slot {one_line(piece.gpid)})"
    yield name
