"""What can be wrong with a database, in one sentence with the remedy. No sentence holds a password."""

import re
from typing import TYPE_CHECKING

from forcepool.store.errors import CampaignBusy, CampaignFileError, DiskFailed

if TYPE_CHECKING:
    from psycopg import Error

EXTRA = 'pip install "forcepool[postgres]"'
FULL = ("53100", "53200")
"""Its disk or its memory."""
STARTING = ("57P03", "57P01", "57P02", "53300")
NOTHING = "nothing of yours was recorded"


class DatabaseFailed(DiskFailed):
    """The database cannot be used just now, which says nothing against the campaigns in it."""


class DatabaseLost(DatabaseFailed):
    """The connection is gone; whoever was about to record something must find out what became of it."""


class NoDriver(CampaignFileError):
    """The package that speaks to the database is not installed."""

    def __init__(self) -> None:
        super().__init__(f"campaigns in a database need a package that is not installed: {EXTRA}")


def is_lost(error: "Error") -> bool:
    """Whether the connection itself is gone, so that nobody knows what became of the last statement."""
    from psycopg import InterfaceError, OperationalError

    code = error.sqlstate or ""
    if code.startswith(("08", "57P")):
        return True
    return not code and isinstance(error, OperationalError | InterfaceError)


def unreachable(where: str, error: "Error") -> CampaignFileError:
    """Why no connection could be had."""
    code, text = error.sqlstate or "", str(error)
    if code in ("28P01", "28000") or "password authentication failed" in text or "no password supplied" in text:
        return DatabaseFailed(f"the database {where} does not let this name in; check the name and its password")
    if code == "3D000" or re.search(r'database "[^"]*" does not exist', text):
        return DatabaseFailed(f"there is no such database as {where}; make it first: createdb")
    if code in STARTING or "starting up" in text or "shutting down" in text or "recovery mode" in text:
        return DatabaseLost(f"the database {where} is just starting or ending; {NOTHING}, try again in a moment")
    # The last part alone: what stands before it tells where the database is.
    _, failed, why = (text.splitlines() or [""])[0].rpartition("failed: ")
    why = f" ({why.removeprefix('FATAL:').strip().casefold()})" if failed and "password" not in why else ""
    return DatabaseLost(
        f"the database {where} cannot be reached{why}; {NOTHING}: check that it runs and that its address is right"
    )


def told(where: str, error: "Error") -> CampaignFileError:
    """What a database complains of."""
    code = error.sqlstate or ""
    if code in FULL:
        return DatabaseFailed(
            f"the disk of the database {where} is full and {NOTHING}; the campaign is as it was: free some space there"
        )
    if code == "25006":
        return DatabaseFailed(f"the database {where} can only be read just now and {NOTHING}; is it a copy of another?")
    if code == "42501":
        return DatabaseFailed(f"the database {where} does not let this name write ({_first(error)}); {NOTHING}")
    if code in ("55P03", "40001", "40P01", "57014"):
        return CampaignBusy(f"another has held the campaign in the database for too long; {NOTHING}, try again")
    if is_lost(error):
        return lost(where)
    return DatabaseFailed(f"the database {where} could not do it ({_first(error)}); {NOTHING}")


def lost(where: str) -> DatabaseLost:
    return DatabaseLost(f"the connection to the database {where} is lost and {NOTHING}; try again in a moment")


def unsure(where: str) -> DatabaseFailed:
    """Lost in the moment in which it was recorded, and nobody can look."""
    return DatabaseFailed(
        f"the connection to the database {where} was lost just while this was being recorded, so it may be there or "
        "not: once the database is back, look at the campaign before you repeat it"
    )


def _first(error: "Error") -> str:
    return str(error).splitlines()[0][:200] if str(error) else type(error).__name__
