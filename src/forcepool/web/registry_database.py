"""The register of seats in the database of the campaigns."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from forcepool.store.errors import CampaignFileError
from forcepool.store.pg_link import Link
from forcepool.web.registry_file import BadRegistry, RegistryBusy

VALUES = re.compile(r" values \(([^)]*)\) ")
NO_WAITING = "select set_config('synchronous_commit', 'off', true)"


class RegistryDatabase:
    """The register on the server's own link, which others close."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def rows(self, query: str, *values: object) -> list[tuple[object, ...]]:
        with self._explained():
            return self._link.rows(_theirs(query), *map(_clean, values))

    def run(self, query: str, *values: object) -> int:
        with self._explained():
            found = self._link.write(_theirs(query), tuple(map(_clean, values)))
        return int(found[0][0]) if found else 0

    @contextmanager
    def together(self) -> Iterator[None]:
        with self._explained(), self._link.transaction():
            yield

    def note(self, query: str, *values: object) -> None:
        # Part of the statement, the setting holds for it alone, and costs no more ways to the database.
        self.run(VALUES.sub(f" select \\1 from ({NO_WAITING}) as quietly ", query, count=1), *values)

    def spoilt(self, how: str) -> BadRegistry:
        return BadRegistry(f"the register of seats in the database cannot be used ({how})")

    def close(self) -> None:
        """The link is the campaigns' too, and closed with them."""

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Where the database is, is the host's affair."""
        try:
            yield
        except (BadRegistry, RegistryBusy):
            raise
        except CampaignFileError as error:
            raise RegistryBusy(str(error).replace(f" {self._link.where}", "")) from None


def _theirs(query: str) -> str:
    """A query as the database has it: other signs for values."""
    return query.replace("%", "%%").replace("?", "%s")


def _clean(value: object) -> object:
    """The database keeps no null characters in a text."""
    return value.replace("\0", "\ufffd") if isinstance(value, str) else value
