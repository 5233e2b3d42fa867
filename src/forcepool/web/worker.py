"""The process that does a long task for the server: it is told the task, tells how far it is, and what came of it."""

import contextlib
import os
import signal
import sys
import time
from pathlib import Path

import msgspec

from forcepool.web.task import Result, Task, Told
from forcepool.web.tasks import MOST_WORDS, TASKS, Progress

TOLD_EVERY = 0.3
"""Seconds between two words of how far it is."""
STEPS_BACK = 10
"""How far the process steps back behind the server where both want the same core."""


def done(task: Task, progress: Progress) -> Result:
    """Do a task; what its files keep it from is told in a sentence."""
    from forcepool.engine.journal import Damaged
    from forcepool.files.problems import BadFile
    from forcepool.games import UnknownGame
    from forcepool.store.errors import CampaignFileError
    from forcepool.views.scenarios import BadChoice

    try:
        return TASKS[task.kind](task, progress)
    except (BadChoice, BadFile, CampaignFileError, Damaged, UnknownGame) as error:
        lines = without_folders(str(error), task).splitlines()
        return Result(False, lines[0], tuple(lines[1:MOST_WORDS]))
    except OSError as error:
        return Result(False, f"It could not be written ({error.strerror or error}); is the disk full?")


def without_folders(text: str, task: Task) -> str:
    """Where files lie is not told."""
    files = (task.file, str(task.fields.get("before") or ""))
    for folder in filter(None, (task.folder, *(str(Path(file).parent) for file in files if file))):
        text = text.replace(f"{folder}{os.sep}", "")
    return text


def main() -> None:
    # Ended by the server: what was begun is cleared away on the way out.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    task = msgspec.json.decode(sys.stdin.buffer.read(), type=Task)
    if task.steps_back:
        with contextlib.suppress(AttributeError, OSError):
            os.nice(STEPS_BACK)
    last = 0.0

    def progress(number: int, of: int) -> None:
        nonlocal last
        if time.monotonic() > last + TOLD_EVERY:
            last = time.monotonic()
            _tell(Told(number, of))

    _tell(Told(result=done(task, progress)))
    # Nothing is left to clear away; to be ended while the interpreter closes is no news.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _tell(told: Told) -> None:
    try:
        sys.stdout.buffer.write(msgspec.json.encode(told) + b"\n")
        sys.stdout.buffer.flush()
    except OSError:
        # Nobody listens any more: the server is gone.
        sys.exit(1)


if __name__ == "__main__":
    main()
