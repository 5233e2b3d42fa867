"""Files that another file names: an order of battle or a map that lies beside its scenario."""

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path, PurePosixPath, PureWindowsPath


def is_named(text: str, *endings: str) -> bool:
    """Whether a text is the name of a file with such an ending, and not the thing itself."""
    return "\n" not in text.strip() and text.strip().endswith(endings)


def leads_out(name: str) -> bool:
    """Whether a file's name leads out of the folder it is named in: a scenario of a stranger's must read no others."""
    path, windows = PurePosixPath(name.replace("\\", "/")), PureWindowsPath(name)
    return path.is_absolute() or bool(windows.drive) or ".." in path.parts


def found_beside(name: str, asks: str) -> Traversable:
    """The file of that name in the folder of the file that asks for it, else among those that ship."""
    near, shipped = Path(asks).parent / name, files("forcepool") / "scenarios" / name
    if leads_out(name):
        raise ValueError(f"'{name}' leads out of the folder of {asks}; put the file in that folder, or below it")
    if near.is_file():
        return near
    if Path(name).name == name and shipped.is_file():
        return shipped
    raise ValueError(f"there is no file '{name}' beside {asks}; put it in the same folder, or correct the name")


def text_beside(name: str, asks: str) -> str:
    """What a file says that lies beside the one that asks for it."""
    try:
        return found_beside(name.strip(), asks).read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"'{name}' cannot be read ({error}); save it as UTF-8 text") from None
