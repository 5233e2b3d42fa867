"""Work that takes long, such as checking a whole journal: in a process of its own, with progress, and to be cancelled.

Python runs one thing at a time in a process, so a thread would hold up everybody's pages; another process does not, and
reads the campaign's file by itself.
"""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from starlette.background import BackgroundTask
from starlette.responses import FileResponse

from forcepool.web.task import Result, Task, Told

WAITING, RUNNING, DONE, FAILED, CANCELLED = "waiting", "running", "done", "failed", "cancelled"
MOST_RUNNING = max(1, min(4, (os.cpu_count() or 1) - 1))
"""Processes at a time: the server itself keeps a core where there are several."""
MOST_WAITING = 20
LONGEST = 900.0
"""Seconds after which a job is given up."""
LONGEST_ASIDE = 60.0
"""The same for one that a page waits for."""
KEPT = 900.0
"""Seconds for which what came of it can be fetched."""
LONGEST_REST = 120.0
"""A seat on a public server rests as long as its job took before it begins the next, but no longer than this."""
GRACE = 2.0
"""Seconds in which a process that was told to end does so by itself."""
PRIORITY = getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0) | getattr(subprocess, "CREATE_NO_WINDOW", 0)
"""On Windows; elsewhere the process itself steps back."""

FORGOTTEN = Result(False, "The server could not do it; whoever runs it finds the reason in its window.")
TOO_LONG = Result(False, "It took too long and was given up.")
NOT_TAKEN = "You stopped it; nothing came of it."

_told = msgspec.json.Decoder(Told)


class Busy(Exception):
    """No job can be begun now; the sentence says why, and in how many seconds to try again."""

    def __init__(self, says: str, seconds: float) -> None:
        super().__init__(says)
        self.says, self.seconds = says, max(1, round(seconds))


class Job:
    """One piece of work, for one seat."""

    def __init__(
        self,
        number: int,
        title: str,
        task: Task,
        tell: Callable[[], None],
        keep: "Callable[[Job], None]" = lambda job: None,
    ) -> None:
        self.number, self.title, self.task, self.tell, self.keep = number, title, task, tell, keep
        self.state = WAITING
        self.done, self.of, self.mark = 0, 0, 0
        self.result: Result | None = None
        self.begun = self.ended = 0.0
        self.finished = asyncio.Event()
        self.running: asyncio.Task[None] | None = None
        self._folder = TemporaryDirectory(prefix="forcepool-", ignore_cleanup_errors=True)
        self._readers, self._forgotten = 0, False

    @property
    def over(self) -> bool:
        return self.state not in (WAITING, RUNNING)

    @property
    def file(self) -> Path | None:
        """The file it made, while it is kept."""
        name = self.result.file if self.result else ""
        found = self.folder / name
        return found if name and found.is_file() else None

    @property
    def folder(self) -> Path:
        return Path(self._folder.name)

    @property
    def percent(self) -> int:
        return min(99, 100 * self.done // self.of) if self.of and not self.over else 100 if self.state == DONE else 0

    def moved(self, state: str = "") -> None:
        """Let its seat's pages know that something changed."""
        self.state, self.mark = state or self.state, self.mark + 1
        if self.over:
            self.finished.set()
        self.tell()

    def handed_over(self, file: Path, media_type: str | None = None) -> FileResponse:
        """The file as an answer; it stays until the last of it has gone out, even if the next job has begun."""
        self._readers += 1
        return FileResponse(file, media_type=media_type, filename=file.name, background=BackgroundTask(self._let_go))

    async def _let_go(self) -> None:
        self._readers -= 1
        if self._forgotten:
            self.forget()

    def close(self) -> None:
        self._folder.cleanup()

    def forget(self) -> None:
        self._forgotten = True
        if not self._readers:
            self._folder.cleanup()


class Jobs:
    """All jobs of a server: one for each seat, and a bounded number that run."""

    def __init__(self, *, rests: bool, clock: Callable[[], float] = time.monotonic) -> None:
        self.rests, self.clock = rests, clock
        self.command = [sys.executable, "-m", "forcepool.web.worker"]
        self._jobs: dict[str, Job] = {}
        self._room = asyncio.Semaphore(MOST_RUNNING)
        self._aside = asyncio.Semaphore(1)
        self._number = 0

    def of(self, who: str) -> Job | None:
        """The job of a seat that runs, or ran a while ago."""
        self._forget_old()
        return self._jobs.get(who)

    def counts(self) -> tuple[int, int]:
        """How many run, and how many wait."""
        states = [job.state for job in self._jobs.values()]
        return states.count(RUNNING), states.count(WAITING)

    def mark(self, who: str) -> tuple[int, int]:
        """Changes whenever something of a seat's job does."""
        job = self._jobs.get(who)
        return (job.number, job.mark) if job else (0, 0)

    def begin(
        self,
        who: str,
        title: str,
        task: Task,
        tell: Callable[[], None] = lambda: None,
        keep: Callable[[Job], None] = lambda job: None,
    ) -> Job:
        """Begin a job for a seat; Busy if it has one that runs, or must rest, or too many others wait.

        `keep` is told when it is done, before anyone else, to keep what came of it longer than the job.
        """
        self.may_begin(who)
        return self.start(self._number + 1, who, title, task, tell, keep)

    def may_begin(self, who: str) -> None:
        """Busy unless a seat may begin a job now."""
        before = self.of(who)
        if before is not None and not before.over:
            raise Busy(f"You have a task that is not finished: {before.title}. Wait for it, or cancel it.", 5)
        if before is not None and self.rests:
            rest = before.ended + min(LONGEST_REST, before.ended - before.begun) - self.clock()
            if rest > 1:
                raise Busy(f"The last task took long; the next can begin in {round(rest)} seconds.", rest)
        if sum(not job.over for job in self._jobs.values()) >= MOST_RUNNING + MOST_WAITING:
            raise Busy("Too many long tasks wait on this server; try again in a minute.", 60)

    def start(
        self,
        number: int,
        who: str,
        title: str,
        task: Task,
        tell: Callable[[], None],
        keep: Callable[[Job], None],
    ) -> Job:
        """Begin a job for a seat, whose last one is forgotten."""
        if who in self._jobs:
            self._jobs[who].forget()
        self._number = number
        job = Job(number, title, task, tell, keep)
        self._jobs[who] = job
        job.running = asyncio.create_task(self._run(job), name=f"job {job.number}")
        return job

    async def aside(self, task: Task) -> Result:
        """What comes of a task that a page waits for, too long to be done while all others wait; one at a time."""
        async with self._aside:
            job = Job(0, task.kind, task, lambda: None)
            try:
                return await asyncio.wait_for(self._work(job), LONGEST_ASIDE)
            except TimeoutError:
                return TOO_LONG
            finally:
                job.close()

    async def settled(self, job: Job, seconds: float) -> bool:
        """Whether a job is over, waiting for it as long as that."""
        with suppress(TimeoutError):
            await asyncio.wait_for(job.finished.wait(), seconds)
        return job.over

    async def cancel(self, who: str) -> bool:
        """Stop a seat's job; what it had begun to write is cleared away."""
        job = self.of(who)
        if job is None or job.over:
            return False
        await self._stop(job)
        return True

    async def close(self) -> None:
        jobs = list(self._jobs.values())
        await asyncio.gather(*map(self._stop, jobs))
        for job in jobs:
            job.close()
        self._jobs.clear()

    # -------------------------------------------------------------------------------------------- running

    async def _run(self, job: Job) -> None:
        try:
            async with self._room:
                job.begun = self.clock()
                job.moved(RUNNING)
                try:
                    job.result = await asyncio.wait_for(self._work(job), LONGEST)
                except TimeoutError:
                    job.result = TOO_LONG
                except (OSError, ValueError, msgspec.MsgspecError):
                    # No process could be had, or what it says makes no sense: the seat must not wait for it for ever.
                    job.result = FORGOTTEN
                finally:
                    job.ended = self.clock()
            if job.result.ok:
                job.keep(job)
            job.moved(DONE if job.result.ok else FAILED)
        except asyncio.CancelledError:
            job.result = Result(False, NOT_TAKEN)
            job.moved(CANCELLED)
        finally:
            job.ended = job.ended or self.clock()

    async def _work(self, job: Job) -> Result:
        """Have a process do the task, and listen to how far it is."""
        task = msgspec.structs.replace(job.task, folder=str(job.folder), steps_back=self.rests)
        options: dict[str, Any] = {"creationflags": PRIORITY} if PRIORITY else {}
        process = await asyncio.create_subprocess_exec(
            *self.command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=1 << 22,
            **options,
        )
        try:
            return await self._listen(job, process, msgspec.json.encode(task))
        finally:
            await _ended(process)

    async def _listen(self, job: Job, process: asyncio.subprocess.Process, task: bytes) -> Result:
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(BrokenPipeError, ConnectionResetError):
            process.stdin.write(task)
            await process.stdin.drain()
            process.stdin.close()
        async for line in process.stdout:
            told = _told.decode(line)
            if told.result is not None:
                return told.result
            job.done, job.of = told.done, told.of
            job.moved()
        return FORGOTTEN

    async def _stop(self, job: Job) -> None:
        if job.running is not None and not job.running.done():
            job.running.cancel()
            with suppress(asyncio.CancelledError):
                await job.running
        if not job.over:
            # It was stopped before it had begun to run.
            job.result, job.ended = Result(False, NOT_TAKEN), self.clock()
            job.moved(CANCELLED)

    def _forget_old(self) -> None:
        now = self.clock()
        for who, job in list(self._jobs.items()):
            if job.over and now > job.ended + KEPT:
                job.forget()
                del self._jobs[who]


async def _ended(process: asyncio.subprocess.Process) -> None:
    """Wait until a process is gone, having told it to end."""
    with suppress(ProcessLookupError):
        process.terminate()
    try:
        await asyncio.wait_for(asyncio.shield(process.wait()), GRACE)
    except TimeoutError:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
    if process.stdout is not None:
        # To its end, so that nothing of it is left open.
        await process.stdout.read()
