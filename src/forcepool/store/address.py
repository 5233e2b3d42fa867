"""How a campaign is named: by its file, or by a database and its name there, 'postgresql://host/club#east'."""

from pathlib import Path
from urllib.parse import unquote, urlsplit, urlunsplit

from forcepool.store.errors import CampaignFileError

SCHEMES = ("postgresql://", "postgres://")


def is_database(where: Path | str) -> bool:
    """Whether a campaign, or a stock of them, lies in a database."""
    return isinstance(where, str) and where.startswith(SCHEMES)


def in_database(where: str) -> tuple[str, str]:
    """The database's own address, and the campaign's name in it; empty where none is named."""
    url, _, name = where.partition("#")
    return url, unquote(name)


def named_in_database(where: str) -> tuple[str, str]:
    """The same of an address that must name a campaign."""
    url, name = in_database(where)
    if not name:
        raise CampaignFileError(f"{shown(url)} is a whole database; name the campaign after '#': {shown(url)}#east")
    return url, name


def name_of(where: Path | str) -> str:
    """A campaign's name: 'east' of 'east.fp', and of 'postgresql://host/club#east'."""
    return in_database(where)[1] if isinstance(where, str) and is_database(where) else Path(where).stem


def shown(where: Path | str) -> str:
    """An address as it may be shown: without a password."""
    if not isinstance(where, str) or not is_database(where):
        return str(where)
    try:
        parts = urlsplit(where)
        user = f"{parts.username}@" if parts.username else ""
        port = f":{parts.port}" if parts.port else ""
        return urlunsplit((parts.scheme, f"{user}{parts.hostname or ''}{port}", parts.path, "", parts.fragment))
    except ValueError:
        return "the database"
