"""The long task of VASSAL's page: a save is read, matched, and what changed in it judged, in a process of its own."""

import msgspec

from forcepool import games
from forcepool.store.open import campaign_file
from forcepool.vassal import BadVassal, read_module, read_save
from forcepool.vassal.campaign.desk import desk
from forcepool.vassal.campaign.seen import Looks
from forcepool.web.task import Result, Task
from forcepool.web.worker import without_folders

MATCH = "match file"
"""What the text is called that says which counter is which unit."""


def work(task: Task) -> Result:
    """What a save of VASSAL's comes to in the campaign, for one seat."""
    wish = task.fields
    sees = None if wish["units"] is None else frozenset(wish["units"])
    try:
        save = read_save(wish["save"][0], name=wish["save"][1])
        extensions = [path for path, _ in wish["extensions"]]
        module = (
            read_module(wish["module"][0], name=wish["module"][1], extensions=extensions) if wish["module"] else None
        )
    except BadVassal as error:
        return Result(False, without_folders(str(error), task))
    with campaign_file(task.file, games.build_world) as campaign:
        found = desk(
            campaign,
            save,
            module,
            match=wish["match"],
            file=MATCH,
            last=msgspec.convert(wish["looks"], Looks),
            side=wish["own"],
            seat=wish["seat"],
            sees=None if sees is None else lambda unit: unit.id in sees,
        )
    told = save.metadata
    says = " ".join(filter(None, (told.module or "A module it does not name", told.module_version)))
    return Result(True, f"{says}: {len(save.pieces):,} counters.", found=msgspec.to_builtins(found))
