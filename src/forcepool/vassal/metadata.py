"""What a file says it is: module, versions, date and comment; told without reading the game itself."""

from dataclasses import dataclass
from datetime import UTC, datetime

from forcepool.vassal.container import LIMITS, Container, Limits
from forcepool.vassal.markup import Element, read_markup

MODULE, SAVE, EXTENSION = "moduledata", "savedata", "extensiondata"
LAST_DATE = 253_402_300_799_999
"""Milliseconds to the end of the year 9999."""


@dataclass(frozen=True, slots=True)
class Metadata:
    """As far as the file tells; very old saves tell nothing."""

    module: str = ""
    module_version: str = ""
    vassal_version: str = ""
    saved: str = ""
    """The day and time in UTC."""
    comment: str = ""


def read_metadata(container: Container, own: str = SAVE, limits: Limits = LIMITS) -> Metadata:
    """Of the module from `moduledata`, of the file itself from its own entry."""
    module = _data(container, MODULE, limits)
    itself = _data(container, own, limits) if own != MODULE else module
    return Metadata(
        module=_text(module, "name"),
        module_version=_text(module, "version"),
        vassal_version=_text(itself, "VassalVersion") or _text(module, "VassalVersion"),
        saved=_day(_text(itself, "dateSaved")),
        comment=_text(itself, "description"),
    )


def _data(container: Container, entry: str, limits: Limits) -> Element | None:
    if entry not in container.names:
        return None
    return read_markup(container.read(entry, limits.data), container.file, entry)


def _text(data: Element | None, name: str) -> str:
    found = data.child(name) if data else None
    return found.text.strip() if found else ""


def _day(milliseconds: str) -> str:
    if not (milliseconds.isascii() and milliseconds.isdigit()) or len(milliseconds) > 15:
        return ""
    if int(milliseconds) > LAST_DATE:
        return ""
    return datetime.fromtimestamp(int(milliseconds) // 1000, UTC).strftime("%Y-%m-%d %H:%M")
