"""The systems a bundle is made for: which wheels serve it, and what one double-clicks there."""

from dataclasses import dataclass

PYTHONS = ("3.13", "3.12", "3.11", "3.14")
"""The Pythons a bundle serves, the one we would choose first."""


@dataclass(frozen=True)
class Machine:
    """A kind of processor, with the words pip and Python's markers have for it."""

    name: str
    platforms: tuple[str, ...]


@dataclass(frozen=True)
class System:
    """One bundle: its machines, how Python calls the system, and the file to double-click."""

    name: str
    sys_platform: str
    machines: tuple[Machine, ...]
    template: str
    ending: str
    line_end: str
    how: str
    """How one starts a file there, in a player's words."""


def _manylinux(machine: str) -> tuple[str, ...]:
    return tuple(f"{each}_{machine}" for each in ("manylinux_2_17", "manylinux2014", "manylinux_2_28"))


SYSTEMS = (
    System(
        "windows",
        "win32",
        (Machine("x86_64", ("win_amd64",)),),
        "windows.cmd",
        ".cmd",
        "\r\n",
        "double-click it. If Windows says that it protected your PC, choose 'More info', then 'Run anyway': the file "
        "is a short text which you can read with Notepad",
    ),
    System(
        "macos",
        "darwin",
        (Machine("arm64", ("macosx_13_0_arm64",)), Machine("x86_64", ("macosx_13_0_x86_64",))),
        "posix.sh",
        ".command",
        "\n",
        "double-click it. If macOS will not open it, hold the key Control, click it, choose Open, and Open again; "
        "from then on a double click serves",
    ),
    System(
        "linux",
        "linux",
        (Machine("x86_64", _manylinux("x86_64")), Machine("arm64", _manylinux("aarch64"))),
        "posix.sh",
        ".sh",
        "\n",
        "double-click it and choose 'Run', or click it with the right button and choose 'Run as a Program'",
    ),
)


def system(name: str) -> System:
    """The system of that name."""
    return next(each for each in SYSTEMS if each.name == name)
