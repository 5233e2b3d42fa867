"""Files that another file names: an order of battle or a map that lies beside its scenario."""

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path, PurePosixPath, PureWindowsPath

SHARED = (".map", ".ob", ".yaml")
"""What several scenarios may share from a folder beside their own."""


def is_named(text: str, *endings: str) -> bool:
    """Whether a text is the name of a file with such an ending, and not the thing itself."""
    return "\n" not in text.strip() and text.strip().endswith(endings)


def is_file(path: Traversable) -> bool:
    """Whether there is such a file; a name that no disk would take, for its length or its letters, is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def is_folder(path: Traversable) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def leads_out(name: str, asks: str) -> bool:
    """Whether a file's name leads to where the text that names it has no business.

    A text that was pasted or sent lies in no folder and may name only what ships. A file names what lies in its own
    folder, and maps and the like in a folder beside that; nothing further away, nor from the root of a disk.
    """
    path, windows = PurePosixPath(name.replace("\\", "/")), PureWindowsPath(name)
    if path.is_absolute() or windows.drive or "\0" in name:
        return True
    if not is_file(Path(asks)):
        return len(path.parts) > 1
    folder = Path(asks).parent.resolve()
    there = (folder / path).resolve()
    if there.is_relative_to(folder):
        return False
    return not (there.is_relative_to(folder.parent) and (there.suffix in SHARED or is_folder(there)))


def found_beside(name: str, asks: str) -> Traversable:
    """The file of that name in the folder of the file that asks for it, else among those that ship."""
    near, shipped = Path(asks).parent / name, files("forcepool") / "scenarios" / name
    if leads_out(name, asks):
        raise ValueError(f"'{name}' leads out of the folder of {asks}; give its path from that folder on")
    if is_file(near) and is_file(Path(asks)):
        return near
    if Path(name).name == name and is_file(shipped):
        return shipped
    raise ValueError(f"there is no file '{name}' beside {asks}; put it in the same folder, or correct the name")


def text_beside(name: str, asks: str) -> str:
    """What a file says that lies beside the one that asks for it."""
    try:
        return found_beside(name.strip(), asks).read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"'{name}' cannot be read ({error}); save it as UTF-8 text") from None
