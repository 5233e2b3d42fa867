"""The disk: what it refuses in a player's words, and files that appear under their name only once they are whole."""

import errno
import io
import os
import re
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, BinaryIO

FULL = (errno.ENOSPC, errno.EDQUOT)
FAILED = (errno.EIO, errno.ENXIO, errno.ESTALE)
DRAFT = re.compile(r"\.[0-9a-f]{8}\.new(-wal|-shm|-journal)?$")
ABANDONED = 3600
"""Seconds after which nobody works at a draft any more: whoever made it was cut off."""


def refusal(error: OSError, *, hint: str) -> str:
    """Why a file could not be written or read, with the remedy; the hint is for what is no fault of the disk."""
    if error.errno in FULL:
        return "the disk is full; free some space and repeat"
    if error.errno in FAILED:
        return "the disk failed; try again, and if it happens again use another disk"
    return f"{(error.strerror or str(error)).lower()}; {hint}"


def unread(error: OSError | ValueError) -> tuple[str, str]:
    """Why a file cannot be read, and what to do about it."""
    if isinstance(error, OSError) and is_the_disks(error):
        why, _, remedy = refusal(error, hint="").partition("; ")
        return why, remedy
    return getattr(error, "strerror", None) or str(error), "check its name and folder"


def is_the_disks(error: OSError) -> bool:
    """Whether it is the disk that is to blame, and not the name or the permission."""
    return error.errno in (*FULL, *FAILED)


def draft_of(path: Path) -> Path:
    """A name beside a file for making it; drafts that were abandoned there are cleared away."""
    if not path.name:
        raise IsADirectoryError(errno.EISDIR, "is a folder", str(path))
    with suppress(OSError):
        for each in path.parent.iterdir():
            if DRAFT.search(each.name) and each.stat().st_mtime < time.time() - ABANDONED:
                each.unlink()
    return path.with_name(f"{path.name}.{secrets.token_hex(4)}.new")


@contextmanager
def whole_text(path: Path, *, mode: int = 0o666) -> Iterator[IO[str]]:
    """A text that takes its place under its name once all of it is on the disk, and not at all if that fails."""
    with _whole(path, mode) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="\n")
        try:
            yield text
            text.flush()
        finally:
            # The file is closed by whoever opened it, after it is safe on the disk.
            text.detach()


@contextmanager
def _whole(path: Path, mode: int = 0o666) -> Iterator[BinaryIO]:
    draft = draft_of(path)
    try:
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise


def whole_bytes(path: Path, data: bytes) -> None:
    """Write a file of bytes, whole or not at all."""
    with _whole(path) as file:
        file.write(data)


def stamp() -> str:
    """The time in the name of a copy."""
    return f"{datetime.now(UTC):%Y-%m-%d-%H%M%S}"


def free_name(path: Path) -> Path:
    """The name, or the next one that nobody has: two copies may be made within a second."""
    names = (path, *(path.with_name(f"{path.stem}-{number}{path.suffix}") for number in range(2, 1000)))
    return next(name for name in names if not os.path.lexists(name))
