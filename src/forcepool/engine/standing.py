"""What an account is to a player: a pool to spend from, points on their way to one, an allowance, a claim, a count."""

from msgspec import Struct

POOL = "pool"
COMING = "coming"
ALLOWANCE = "allowance"
COUNT = "count"
CLAIM = "claim"
"""What somebody is still owed by the rules: points that are held and that nobody pays from as he likes."""


class Standing(Struct, frozen=True):
    """An account's pool, what it is to a player, and the turn from which its points may be spent."""

    pool: str
    what: str = POOL
    usable: int = 0
    """0 for now."""
    becomes: str = ""
    """The pool whose points these become by themselves, where they lie apart from it for a while."""
