"""What a plan is to achieve: most strength by a date, certain units, points kept back, a share, units left alone."""

from fractions import Fraction

from msgspec import Struct

from forcepool.engine.ledger import Account


class Keep(Struct, frozen=True):
    """Points to have in hand when the plan ends."""

    account: Account
    amount: Fraction


class Want(Struct, frozen=True):
    """A unit that is to be on the map at full strength by a turn."""

    unit: str
    by: int


class Weight(Struct, frozen=True):
    """What counts more, or less: armour twice, a front three times."""

    times: Fraction
    type: str = ""
    nation: str = ""
    area: str = ""
    unit: str = ""


class Goals(Struct, frozen=True):
    """What is asked of a plan; with nothing said, the most strength on the map as it ends."""

    weights: tuple[Weight, ...] = ()
    wants: tuple[Want, ...] = ()
    keeps: tuple[Keep, ...] = ()
    shares: tuple[tuple[str, Fraction], ...] = ()
    """Of a kind of point, the part of all that comes which may be spent; '' for every kind."""
    leave: tuple[str, ...] = ()
    """Units that are not to be touched."""
