"""The register at one's own machine: nobody is invited, so that it can be forgotten, but for the plans.

They lie beside the campaigns as text; whoever goes on in the evening finds the plan made in the morning.
"""

from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from forcepool.files.disk import whole_text
from forcepool.web.registry import IN_MEMORY, Registry

FILE = "plans.json"


class KeptPlan(Struct, frozen=True):
    """A plan in the file."""

    who: str
    campaign: str
    entry: int
    followed: bool
    plan: msgspec.Raw


class HomeRegistry(Registry):
    """A register in memory, whose plans are in a file as well."""

    def __init__(self, folder: Path) -> None:
        super().__init__(IN_MEMORY)
        self._path = folder / FILE
        # A file that cannot be read costs the plans in it, which are made again within seconds.
        with suppress(OSError, msgspec.MsgspecError):
            for each in msgspec.json.decode(self._path.read_bytes(), type=list[KeptPlan]):
                self._run(
                    "insert into plan (who, campaign, entry, body, followed) values (?, ?, ?, ?, ?)",
                    each.who,
                    each.campaign,
                    each.entry,
                    bytes(each.plan),
                    int(each.followed),
                )

    def keep_plan(self, who: str, campaign: str, entry: int, body: bytes, most: int) -> int:
        number = super().keep_plan(who, campaign, entry, body, most)
        self._write()
        return number

    def follow_plan(self, who: str, campaign: str, plan: int) -> None:
        super().follow_plan(who, campaign, plan)
        self._write()

    def drop_plan(self, who: str, campaign: str, plan: int) -> None:
        super().drop_plan(who, campaign, plan)
        self._write()

    def forget(self, campaign: str) -> None:
        super().forget(campaign)
        if self._path.exists():
            self._write()

    def _write(self) -> None:
        rows = self._rows("select who, campaign, entry, followed, body from plan order by id")
        plans = [
            KeptPlan(str(who), str(campaign), self._number(entry), bool(followed), msgspec.Raw(body))
            for who, campaign, entry, followed, body in rows
            if isinstance(body, bytes)
        ]
        # Where nothing can be written they are kept for as long as the server runs.
        with suppress(OSError), whole_text(self._path) as text:
            text.write(msgspec.json.encode(plans).decode())
