"""Starts forcepool out of this folder: at the first start it makes its environment, without the network.

Nothing is put anywhere else: the environment is in the folder 'environment', your campaigns in 'campaigns'.
"""

import contextlib
import hashlib
import json
import os
import platform
import shutil
import socket
import subprocess
import sys
import sysconfig
import urllib.request
import venv
import webbrowser
import zipfile
from pathlib import Path
from typing import Any

PROGRAM = Path(__file__).resolve().parent
HOME = PROGRAM.parent
CAMPAIGNS = HOME / "campaigns"
ENVIRONMENTS = HOME / "environment"
RUNNING = ENVIRONMENTS / "running.txt"
DEMONSTRATION = "east-1941"
PORT, TRIES = 8041, 20
IN_THE_WAY = ("PYTHONHOME", "PYTHONPATH", "PYTHONSTARTUP", "VIRTUAL_ENV", "__PYVENV_LAUNCHER__")
"""Settings of other Python programs, which would mislead this one."""


class Sorry(Exception):
    """What is wrong and what helps, in sentences."""


def main(words: list[str]) -> int:
    try:
        if words == ["--fits"]:  # the file one double-clicks asks each Python it finds
            print("fits" if fits(contents(PROGRAM)) else "does not fit")
            return 0
        python = environment(contents(PROGRAM))
        return start(python, browser="--no-browser" not in words)
    except Sorry as sorry:
        print(f"\n  {sorry}\n", file=sys.stderr)
        wait()
        return 1
    except KeyboardInterrupt:
        return 0


def wait() -> None:
    """A window that opened by itself closes by itself, before one can read it."""
    if sys.stdin is not None and sys.stdin.isatty():
        input("Press Enter to close. ")


def contents(program: Path) -> dict[str, Any]:
    """The list of what this bundle holds."""
    try:
        held: dict[str, Any] = json.loads((program / "contents.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise Sorry("The folder 'program' is not whole. Unpack the zip file again, all of it.") from None
    return held


def machine() -> str:
    """The kind of processor this Python is made for."""
    said = (sysconfig.get_platform() if os.name == "nt" else platform.machine()).lower()
    if said.endswith(("amd64", "x86_64")):
        return "x86_64"
    return "arm64" if said.endswith(("arm64", "aarch64")) else said


def kind() -> str:
    """This Python, as the bundle names it: '3.13 x86_64'."""
    return f"{sys.version_info[0]}.{sys.version_info[1]} {machine()}"


def fits(held: dict[str, Any]) -> bool:
    """Whether the bundle has what this Python needs."""
    return kind() in held["wheels"] and not sysconfig.get_config_var("Py_GIL_DISABLED")


def environment(held: dict[str, Any]) -> Path:
    """The Python of forcepool's own environment, which is made where it is not there yet."""
    mine = kind()
    if not fits(held):
        served = ", ".join(held["pythons"])
        raise Sorry(
            f"This copy of forcepool serves Python {served} (64-bit); this one is {mine}. "
            f"Get Python {held['pythons'][0]} from python.org/downloads, and start forcepool again."
        )
    folder = ENVIRONMENTS / f"{held['version']} for {mine}"
    if not python_of(folder).exists():
        print("The first start takes a minute: forcepool unpacks what it needs. The network is not asked.", flush=True)
        try:
            make(folder, held["wheels"][mine])
        except OSError as error:
            shutil.rmtree(f"{folder}.part", ignore_errors=True)
            raise Sorry(
                f"forcepool cannot write here ({error.strerror or error}). Move its folder to a place that is yours, "
                "such as Documents, and start it there."
            ) from None
    return python_of(folder)


def python_of(folder: Path) -> Path:
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def make(folder: Path, wheels: list[list[str]]) -> None:
    """Make the environment beside its place and move it there when it is whole: half of one is never used."""
    part = Path(f"{folder}.part")
    shutil.rmtree(part, ignore_errors=True)
    venv.EnvBuilder(symlinks=os.name != "nt", with_pip=False).create(part)
    libraries = Path(sysconfig.get_path("purelib", "venv", {"base": str(part), "platbase": str(part)}))
    libraries.mkdir(parents=True, exist_ok=True)
    for name, digest in wheels:
        wheel = PROGRAM / "wheels" / name
        if not wheel.is_file() or hashlib.sha256(wheel.read_bytes()).hexdigest() != digest:
            raise Sorry(f"The file {name} is missing or damaged. Unpack the zip file again, all of it.")
        with zipfile.ZipFile(wheel) as opened:
            opened.extractall(libraries)
    quietly = [str(python_of(part)), "-m", "compileall", "-q", "-j", "0", str(libraries)]
    subprocess.run(quietly, env=own_settings(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    part.rename(folder)


def start(python: Path, browser: bool) -> int:
    """Open the demonstration, or the front page for those who have campaigns; once only, however often one clicks."""
    if there := running():
        print(f"forcepool is open already, at {there}")
        if browser:
            webbrowser.open(there)
        return 0
    port = free_port()
    with contextlib.suppress(OSError):
        CAMPAIGNS.mkdir(exist_ok=True)
    if not os.access(CAMPAIGNS, os.W_OK):
        raise Sorry("forcepool cannot write in its folder. Move it to a place that is yours, such as Documents.")
    own = [path for path in CAMPAIGNS.glob("*.fp") if path.stem != DEMONSTRATION]
    order = ["serve", str(CAMPAIGNS)] if own else ["demo", "--keep", str(CAMPAIGNS)]
    order += ["--port", str(port)] + ([] if browser else ["--no-browser"])
    print("Leave this window open while you play. To end forcepool, close it; your campaigns are kept.", flush=True)
    RUNNING.write_text(f"http://127.0.0.1:{port}/", encoding="utf-8")
    try:
        return subprocess.run([str(python), "-X", "utf8", "-m", "forcepool", *order], env=own_settings()).returncode
    finally:
        RUNNING.unlink(missing_ok=True)


def own_settings() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in IN_THE_WAY}


def running() -> str:
    """Where a forcepool of this folder answers already; nothing if none does."""
    try:
        address = RUNNING.read_text(encoding="utf-8").strip()
        # Asked without a proxy: it is this machine.
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(address, timeout=3) as answer:
            return address if b"forcepool" in answer.read(4000) else ""
    except (OSError, ValueError):
        return ""


def free_port() -> int:
    for port in range(PORT, PORT + TRIES):
        with contextlib.suppress(OSError), socket.socket() as trying:
            trying.bind(("127.0.0.1", port))
            return port
    raise Sorry("No way for the browser to reach forcepool was free on this computer. Start the computer again.")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
