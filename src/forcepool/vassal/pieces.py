"""Counters and stacks as a save has them."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from forcepool.vassal.players import NOBODY, Masks
from forcepool.vassal.sequence import chain, chained, decode, encode, field, number
from forcepool.vassal.traits import (
    BASIC,
    HIDDEN,
    MASKED,
    OWNED,
    Layer,
    Trait,
    dynamics,
    is_known,
    labels,
    layers,
    markers,
    sheets,
    shown_name,
)


class Spot(NamedTuple):
    """A point of a map window, in pixels; no map: off every map."""

    map: str = ""
    x: int = 0
    y: int = 0


NOWHERE = Spot()
STACK, DECK = "stack", "deck"
LAYER_OF_STACK = "@@"
_OWNED = tuple(f"{kind};" for kind in OWNED)


@dataclass(frozen=True)
class Piece:
    """One counter."""

    id: str
    definition: str
    state: str
    """Both as the file has them, passwords apart."""
    at: Spot = NOWHERE
    """Where it really lies, be it by itself or in a stack."""
    stack: str = ""
    """The stack it lies in."""

    @cached_property
    def traits(self) -> tuple[Trait, ...]:
        """Outermost first; the last is the counter itself."""
        types = chain(self.definition, last=f"{BASIC};")
        states = chain(self.state, len(types))
        states += [""] * (len(types) - len(states))
        return tuple(map(Trait, types, states))

    @cached_property
    def _basic(self) -> list[str]:
        basic = self.traits[-1]
        return basic.fields if basic.kind == BASIC else []

    @cached_property
    def _state(self) -> list[str]:
        basic = self.traits[-1]
        return decode(basic.state, ";")

    @property
    def image(self) -> str:
        return field(self._basic, 2)

    @property
    def name(self) -> str:
        """As the module calls it, whatever side is up."""
        return field(self._basic, 3)

    @cached_property
    def shown_name(self) -> str:
        """As it is called the way it lies now."""
        return shown_name(self.traits, self.name)

    @property
    def gpid(self) -> str:
        """Which counter of the module it was made of; old saves do not tell."""
        found = field(self._state, 3)
        return "" if found == "null" else found

    @property
    def own_spot(self) -> Spot:
        """Where it believes it is: not true while it lies in a stack."""
        return spot(self._state)

    @cached_property
    def layers(self) -> tuple[Layer, ...]:
        return tuple(layers(self.traits))

    @cached_property
    def properties(self) -> dict[str, str]:
        """Markers, and what players set."""
        return markers(self.traits) | dynamics(self.traits)

    @property
    def labels(self) -> list[str]:
        return labels(self.traits)

    @property
    def sheets(self) -> list[list[str]]:
        return sheets(self.traits)

    @property
    def hidden_by(self) -> str:
        """The player who hid or masked it; nothing if everybody sees it."""
        owners = (decode(each.state, ";")[0] for each in self.traits if each.kind in (HIDDEN, MASKED))
        return next((each for each in owners if each not in NOBODY), "")

    @property
    def unknown(self) -> list[Trait]:
        """Traits of the module's own, kept as they are."""
        return [each for each in self.traits if not is_known(each)]


@dataclass(frozen=True, slots=True)
class Stack:
    """Counters on one spot, from the bottom to the top."""

    id: str
    at: Spot
    pieces: tuple[str, ...]
    deck: bool = False


def spot(fields: list[str]) -> Spot:
    """The spot at the beginning of a state."""
    name = field(fields, 0, "null")
    return NOWHERE if name in ("", "null") else Spot(name, number(field(fields, 1)), number(field(fields, 2)))


def read_piece(piece: str, definition: str, state: str, masks: Masks) -> Piece:
    """A counter. In states that tell an owner, and in traits of the module's own, names stand for passwords."""
    found = Piece(piece, definition, state)
    if not (any(each in definition for each in _OWNED) or masks.may_be_in(definition) or masks.may_be_in(state)):
        return found
    traits = [_masked(trait, masks) for trait in found.traits]
    if tuple(traits) == found.traits:
        return found
    return Piece(piece, chained([each.type for each in traits]), chained([each.state for each in traits]))


def _masked(trait: Trait, masks: Masks) -> Trait:
    if trait.kind in OWNED:
        # Only who masked a counter may be followed by more; elsewhere the whole state is the password.
        owner, *rest = decode(trait.state, ";") if trait.kind == MASKED else [trait.state]
        return Trait(trait.type, encode([masks.name(owner), *rest], ";")) if masks.name(owner) else trait
    return trait if is_known(trait) else Trait(masks.masked(trait.type), masks.masked(trait.state))


def read_stack(stack_id: str, definition: str, state: str) -> Stack:
    """A stack or a deck; what it lists may be gone."""
    fields = decode(state, ";")
    if definition.startswith(DECK):
        return Stack(stack_id, spot(fields), tuple(decode(field(fields, 4), ",") if field(fields, 4) else ()), True)
    listed = fields[1:] if field(fields, 0, "null") in ("", "null") else fields[3:]
    return Stack(stack_id, spot(fields), tuple(each for each in listed if not each.startswith(LAYER_OF_STACK)))


def is_stack(definition: str) -> bool:
    return definition in (STACK, DECK) or definition.startswith((STACK + ";", DECK + ";"))
