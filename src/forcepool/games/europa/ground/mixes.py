"""52.C, 52.D and 52.E  Payments in other points than a unit's own: how they are written, and where they would help."""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from forcepool.engine.command import BadCommand
from forcepool.engine.decide import permits
from forcepool.engine.points import show_points, store_points
from forcepool.engine.sentence import Told, the_field
from forcepool.engine.verdicts import Remedy, Way
from forcepool.games.europa.chapter import Part
from forcepool.games.europa.point_words import amount_in, kind_called, pieces_of
from forcepool.games.europa.world import EuropaWorld

if TYPE_CHECKING:
    from forcepool.games.europa.ground.purchase import Purchase


def read_mix(world: EuropaWorld, nation: str, text: str) -> Iterator[Part]:
    """'1 inf of Britain, 1/2 arm for inf' as parts of a payment."""
    for piece in pieces_of(text):
        own, _, instead = piece.partition(" for ")
        own, _, of = own.partition(" of ")
        try:
            points, kind = amount_in(own, world.kinds_of_point)
            instead_of = kind_called(instead.strip(), world.kinds_of_point) if instead else kind
        except BadCommand as error:
            hint = str(error).rpartition("; ")[2]
            meant = f"; {hint}" if hint.startswith("did you mean") else ""
            said = f"'{piece}' is no part of a payment; write for example '1 inf of Britain'"
            raise BadCommand(said + meant) from None
        if points <= 0:
            raise BadCommand(f"'{piece}' pays nothing; give an amount above nothing")
        yield Part(points, kind, world.nation_named(of.strip()) if of else nation, instead_of)


def words_of_mix(q: "Purchase", parts: Iterable[Part]) -> str:
    """Parts as a player writes them: '1 inf of Britain, 1 art for inf'."""
    return ", ".join(
        f"{store_points(part.amount)} {part.kind}"
        + (f" of {part.nation}" if part.nation != q.nation else "")
        + (f" for {part.instead_of}" if part.instead_of != part.kind else "")
        for part in parts
    )


def together(parts: Iterable[Part], missing: Mapping[str, Fraction]) -> list[Part]:
    """What is missing of each kind, filled up from one part after the other."""
    left, found = dict(missing), []
    for part in parts:
        amount = min(part.amount, left.get(part.instead_of, Fraction(0)))
        if amount > 0:
            left[part.instead_of] -= amount
            found.append(replace(part, amount=amount))
    return found


def is_lawful(q: "Purchase", order: Any) -> bool:
    """Whether an order for the same unit would be accepted."""
    other = order.question(q.world, q.state, order)
    try:
        return permits(other, order.needs, order.guards(other))
    except Told:
        return False


# --------------------------------------------------------------------------------------- in a refusal


def other_points(q: "Purchase", missing: Mapping[str, Fraction]) -> str:
    """', and 3 mil that may stand for inf': what lies there besides and could pay some of what is missing."""
    parts = [part for part in _mixable(q) if part.instead_of in missing]
    held = " and ".join(f"{_shown(q, part)} that may stand for {part.instead_of}" for part in parts)
    return f", and {held}" if held else ""


def _shown(q: "Purchase", part: Part) -> str:
    whose = f" of {part.nation}" if part.nation != q.nation else ""
    return f"{show_points(part.amount)} {part.kind}{whose}"


def in_other_points(q: "Purchase", missing: Mapping[str, Fraction]) -> Iterator[Remedy]:
    """To pay what is missing in other points, where there are enough of them and the rules let it."""
    parts = together(_mixable(q), missing)
    if not parts:
        return
    words = words_of_mix(q, parts)
    order = replace(q.command, mix=words)
    if is_lawful(q, order):
        yield Remedy(f"pay the rest with {the_field('mix', words)}", Way(instead=order))


def _mixable(q: "Purchase") -> tuple[Part, ...]:
    """The parts of a price that other points could pay; none where a mix is named or the order takes none."""
    if q.asked_in_passing or q.parts or "mix" not in q.command.__struct_fields__:
        return ()
    try:
        return q.mixable
    except Told:
        return ()
