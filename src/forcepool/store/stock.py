"""Where campaigns lie, each under its name: the files of a folder, or a database."""

import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

from msgspec import Struct

from forcepool.engine.campaign import Campaign, WorldBuilder
from forcepool.store.errors import CampaignFileError
from forcepool.store.open import open_campaign, open_journal
from forcepool.store.scratch import ENDING as SCRATCH
from forcepool.store.scratch import lay_out, throw_away

ENDING = ".fp"
PATIENCE = 0.25
"""Seconds that a writer waits for another program: meanwhile all others wait too."""
APART = "~"
"""In the name of a what-if, between the campaign's and its own."""


class Whatif(Struct, frozen=True):
    """A what-if that someone tries orders in: of which campaign, and whose."""

    campaign: str
    who: str


class Stock(Protocol):
    """Where campaigns lie, and the what-ifs that are tried beside them."""

    ending: str
    """What follows a campaign's name where one looks for it: that of a file, or nothing in a database."""

    def names(self) -> list[str]:
        """The campaigns, in order; what-ifs are none."""
        ...

    def has(self, name: str) -> bool:
        """Whether there is such a campaign or what-if."""
        ...

    def check(self) -> None:
        """CampaignFileError where the campaigns cannot be reached; the sentence says why."""
        ...

    def touched(self, name: str) -> float:
        """When a campaign was last written to, in seconds; of what is gone by now, never."""
        ...

    def size(self, name: str) -> int:
        """The bytes that a campaign takes; of what is gone by now, none."""
        ...

    def total(self) -> int:
        """The bytes that all campaigns take together."""
        ...

    def entries(self, name: str) -> int:
        """The number of a campaign's last entry, without opening all of it."""
        ...

    def where(self, name: str) -> str:
        """By what address a process of its own opens the campaign, or begins one."""
        ...

    def open(self, name: str, build: WorldBuilder) -> Campaign:
        """The campaign of that name; it is closed with its journal."""
        ...

    def untold(self, says: str) -> str:
        """A sentence without the place where the campaigns lie, which is the host's affair."""
        ...

    def try_out(self, campaign: Campaign, name: str, who: str) -> str:
        """The name of the what-if in which someone tries orders of a campaign; each has one at a time."""
        ...

    def whatif(self, name: str) -> Whatif | None:
        """Whose what-if of which campaign lies under a name; None where there is none."""
        ...

    def whatif_of(self, campaign: str, who: str) -> str:
        """The name of the what-if that someone has open; empty without one."""
        ...

    def drop(self, name: str) -> None:
        """Throw a what-if away; it was closed before."""
        ...

    def sweep(self) -> None:
        """Throw away what nobody needs any more."""
        ...

    def sole(self, task: str) -> bool:
        """Whether this process is the one that does a thing which must be done once, such as sending mail."""
        ...

    @property
    def hears(self) -> bool:
        """Whether what other processes write is told by itself just now; else one looks."""
        ...

    def listen(self, heard: Callable[[str], None]) -> None:
        """Be told from now on, on another thread, of what other processes do."""
        ...

    def announce(self, word: str) -> None:
        """Tell the other processes of this server something, if it can be told now."""
        ...

    def close(self) -> None: ...


class Folder:
    """The campaigns of a folder, a file each; what-ifs last as long as the program."""

    ending = ENDING

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._whatifs: dict[str, Whatif] = {}
        self._apart = TemporaryDirectory(prefix="forcepool-", ignore_cleanup_errors=True)

    def names(self) -> list[str]:
        return sorted(path.name.removesuffix(ENDING) for path in self.folder.glob(f"*{ENDING}"))

    def has(self, name: str) -> bool:
        # Only names that are on the shelf, so that no name reaches out of the folder.
        return name in self._whatifs or name in self.names()

    def check(self) -> None:
        if not self.folder.is_dir():
            raise CampaignFileError("the folder of the campaigns is not there; bring it back, or start the server anew")

    def path(self, name: str) -> Path:
        """The campaign's file."""
        if name in self._whatifs:
            return Path(self._apart.name) / f"{name}{SCRATCH}"
        return self.folder / f"{name}{ENDING}"

    def where(self, name: str) -> str:
        return str(self.path(name))

    def touched(self, name: str) -> float:
        return max((found.st_mtime for found in self._files(name)), default=0.0)

    def _files(self, name: str) -> Iterator[os.stat_result]:
        path = self.path(name)
        for file in (path, path.with_name(f"{path.name}-wal")):
            with suppress(FileNotFoundError):
                yield file.stat()

    def size(self, name: str) -> int:
        return sum(found.st_size for found in self._files(name))

    def total(self) -> int:
        return sum(map(self.size, self.names()))

    def entries(self, name: str) -> int:
        with open_journal(self.path(name), wait=PATIENCE) as journal:
            return journal.head()[0]

    def open(self, name: str, build: WorldBuilder) -> Campaign:
        return open_campaign(self.path(name), build, wait=PATIENCE)

    def untold(self, says: str) -> str:
        for folder in (self._apart.name, str(self.folder)):
            says = says.replace(f"{folder}{os.sep}", "")
        return says

    def try_out(self, campaign: Campaign, name: str, who: str) -> str:
        def lay(new: str) -> None:
            lay_out(campaign, Path(self._apart.name) / f"{new}{SCRATCH}")
            self._whatifs[new] = Whatif(name, who)

        return self.whatif_of(name, who) or laid_out(name, lay)

    def whatif(self, name: str) -> Whatif | None:
        return self._whatifs.get(name)

    def whatif_of(self, campaign: str, who: str) -> str:
        return next((name for name, each in self._whatifs.items() if each == Whatif(campaign, who)), "")

    def drop(self, name: str) -> None:
        path = self.path(name)
        del self._whatifs[name]
        throw_away(path)

    def sweep(self) -> None:
        """What-ifs go with the program."""

    def sole(self, task: str) -> bool:
        return True

    @property
    def hears(self) -> bool:
        return False

    def listen(self, heard: Callable[[str], None]) -> None:
        """A file tells nothing by itself."""

    def announce(self, word: str) -> None:
        """A folder has one server."""

    def close(self) -> None:
        self._apart.cleanup()


def laid_out(campaign: str, lay: Callable[[str], None]) -> str:
    """Lay a what-if of a campaign out under a name of its own, which is returned."""
    name = f"{campaign}{APART}{secrets.token_hex(4)}"
    lay(name)
    return name
