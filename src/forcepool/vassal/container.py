"""The ZIP file around everything: which entries it has, and their bytes up to a limit."""

import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from forcepool.vassal.errors import BadVassal

CHUNK = 1 << 20
MOST_ENTRIES = 100_000

Source = str | Path | BinaryIO
"""A file by its name, or one that is open already, such as what a browser sent."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is read at most; what asks for more is refused, for it is no game but a trap."""

    save: int = 1 << 30
    """Bytes of a saved game, hidden and in the clear."""
    build: int = 1 << 28
    """Bytes of a module's build file."""
    data: int = 1 << 20
    """Bytes of a file that tells what a save or a module is."""
    picture: int = 1 << 16
    """Bytes from the start of a picture, to tell its size."""


LIMITS = Limits()


class Container:
    """A ZIP file that is open for reading."""

    def __init__(self, source: Source, name: str = "") -> None:
        self.file = name or str(source if isinstance(source, str | Path) else getattr(source, "name", "the file"))
        try:
            self._zip = zipfile.ZipFile(source)
        except (zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, ValueError, EOFError):
            raise BadVassal(
                self.file, "", "this is no ZIP file", "VASSAL's files are .vsav, .vlog, .vmod, .vmdx"
            ) from None
        except OSError as error:
            raise BadVassal(self.file, "", f"it cannot be read: {(error.strerror or 'damaged').lower()}") from None
        self.names = frozenset(self._zip.namelist())
        if len(self.names) > MOST_ENTRIES:
            raise BadVassal(self.file, "", f"it holds {len(self.names):,} files", "no module has that many")

    def __enter__(self) -> "Container":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._zip.close()

    def chunks(self, entry: str, most: int) -> Iterator[bytes]:
        """An entry piece by piece. Its size is counted, not believed."""
        read = 0
        try:
            with self._zip.open(entry) as opened:
                while chunk := opened.read(CHUNK):
                    read += len(chunk)
                    if read > most:
                        raise BadVassal(self.file, entry, f"it is larger than {most:,} bytes", "no game is that large")
                    yield chunk
        except KeyError:
            raise BadVassal(self.file, "", f"there is no '{entry}' in it") from None
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError):
            # Encrypted entries and methods Python does not know are among them.
            raise BadVassal(
                self.file, f"{entry}, after byte {read}", "it cannot be unpacked", "the file is damaged"
            ) from None

    def read(self, entry: str, most: int) -> bytes:
        return b"".join(self.chunks(entry, most))

    def start_of(self, entry: str, most: int) -> bytes:
        """The first bytes of an entry, be it ever so long."""
        found = b""
        for chunk in self.chunks(entry, 1 << 62):
            found += chunk
            if len(found) >= most:
                break
        return found[:most]
