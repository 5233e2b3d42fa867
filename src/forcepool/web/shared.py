"""What the workers of one server share through the database: how campaigns stood, and everybody's long tasks."""

import asyncio
import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from forcepool.store.address import is_database
from forcepool.store.database import Database
from forcepool.store.errors import CampaignFileError
from forcepool.web.jobs import CANCELLED, FAILED, RUNNING, WAITING, Busy, Job, Jobs
from forcepool.web.registry import Registry
from forcepool.web.task import Result, Task

BEATS, SILENT = 3.0, "20 seconds"
"""How often a worker says of its tasks that they run, and after how long a task is given up with its worker."""
KEPT = "15 minutes"
WORKER_GONE = Result(False, "The part of the server that did it has ended; begin it again.")
JOB, CANCEL = "job", "cancel"
POLLS = 0.25
NOT_FINISHED = "You have a task that is not finished: wait for it, or cancel it."

_task, _result = msgspec.json.Decoder(Task), msgspec.json.Decoder(Result)
_CLAIM = f"""
insert into job (who, number, worker, title, task, state) values (%s, nextval('job_number'), %s, %s, %s, '{WAITING}')
on conflict (who) do update set number = excluded.number, worker = excluded.worker, title = excluded.title,
    task = excluded.task, state = excluded.state, done = 0, total = 0, mark = 0, result = null, file = '', body = null,
    begun = now(), ended = null, beat = now()
where job.state not in ('{WAITING}', '{RUNNING}') or job.beat < now() - interval '{SILENT}'
returning number
"""
_LOOK = f"""
select number, worker, title, task, state, done, total, mark, result,
    extract(epoch from now() - begun)::float, extract(epoch from now() - coalesce(ended, now()))::float,
    beat < now() - interval '{SILENT}'
from job where who = %s
"""


class StoodInDatabase:
    """How each campaign with addresses to tell stood, whichever worker tells them."""

    def __init__(self, stock: Database) -> None:
        self._link = stock.link

    def to_look_at(self, registry: Registry) -> list[str]:
        query = (
            "select distinct hook.campaign from hook join campaign on campaign.name = hook.campaign "
            "left join bell on bell.campaign = hook.campaign where bell.seq is distinct from campaign.seq order by 1"
        )
        return [name for (name,) in self._link.rows(query)]

    def before(self, name: str, now: tuple[Any, ...], seq: int) -> tuple[Any, ...]:
        insert = "insert into bell (campaign, seq, stood) values (%s, %s, %s) on conflict do nothing"
        self._link.rows(insert, name, seq, _written(now))
        [(stood,)] = self._link.rows("select stood from bell where campaign = %s", name)
        side, asked, agreed = msgspec.json.decode(stood)
        return side, tuple(asked), tuple(agreed)

    def note(self, name: str, now: tuple[Any, ...], seq: int) -> None:
        query = "update bell set seq = %s, stood = %s where campaign = %s"
        self._link.rows(query, seq, _written(now), name)


def _written(now: tuple[Any, ...]) -> str:
    return msgspec.json.encode(now).decode()


class Elsewhere(Job):
    """A task that another worker does, or did: as far as the database tells."""

    def __init__(self, stock: Database, who: str, row: tuple[Any, ...], now: float) -> None:
        super().__init__(row[0], row[2], _task.decode(row[3]), lambda: None)
        self._stock, self.who = stock, who
        self.take(row, now)

    def take(self, row: tuple[Any, ...], now: float) -> None:
        """Note how far it is."""
        _, _, _, _, self.state, self.done, self.of, self.mark, result, begun, ended, silent = row
        self.begun, self.ended = now - begun, now - ended
        self.result = _result.decode(result) if result is not None else None
        if not self.over and silent:
            self.state, self.result = FAILED, WORKER_GONE

    @property
    def file(self) -> Path | None:
        name = self.result.file if self.result else ""
        if not name:
            return None
        found = self.folder / os.path.basename(name)
        if not found.exists():
            query = "select body from job where who = %s and number = %s and body is not null"
            for (body,) in self._stock.link.rows(query, self.who, self.number):
                found.write_bytes(body)
        return found if found.is_file() else None


class SharedJobs(Jobs):
    """The long tasks of a server with several workers: each does those that it began, and tells of all."""

    def __init__(self, stock: Database, *, rests: bool) -> None:
        super().__init__(rests=rests)
        self._stock, self.worker = stock, secrets.token_hex(8)
        self._elsewhere: dict[str, Elsewhere] = {}
        self._beating: asyncio.Task[None] | None = None

    def of(self, who: str) -> Job | None:
        self._forget_old()
        rows = self._stock.link.rows(_LOOK, who)
        if not rows:
            return None
        own = self._jobs.get(who)
        if own is not None and own.number == rows[0][0]:
            return own
        known = self._elsewhere.get(who)
        if known is not None and known.number == rows[0][0]:
            known.take(rows[0], self.clock())
            return known
        if known is not None:
            known.forget()
        self._elsewhere[who] = Elsewhere(self._stock, who, rows[0], self.clock())
        return self._elsewhere[who]

    def mark(self, who: str) -> tuple[int, int]:
        with suppress(CampaignFileError):
            for number, mark in self._stock.link.rows("select number, mark from job where who = %s", who):
                return number, mark
        return 0, 0

    def begin(
        self,
        who: str,
        title: str,
        task: Task,
        tell: Callable[[], None] = lambda: None,
        keep: Callable[[Job], None] = lambda job: None,
    ) -> Job:
        self.may_begin(who)
        told = msgspec.json.encode(replace(task, file=_without_place(task.file), fields=_without_places(task.fields)))
        rows = self._stock.link.rows(_CLAIM, who, self.worker, title, told)
        if not rows:
            raise Busy(NOT_FINISHED, 5)
        if self._beating is None:
            self._beating = asyncio.create_task(self._beat(), name="beating")
        return self.start(rows[0][0], who, title, task, partial(self._moved, who, tell), keep)

    def _moved(self, who: str, tell: Callable[[], None]) -> None:
        """Let all workers know how far a task of ours is."""
        job = self._jobs.get(who)
        if job is not None:
            with suppress(CampaignFileError):
                self._note(who, job)
            self._stock.announce(f"{JOB} {who}")
        tell()

    def _note(self, who: str, job: Job) -> None:
        file = job.file if job.over else None
        query = (
            "update job set state = %s, done = %s, total = %s, mark = %s, result = %s, file = %s, body = %s, "
            "beat = now(), ended = case when %s then coalesce(ended, now()) end "
            "where who = %s and number = %s and worker = %s"
        )
        result = msgspec.json.encode(job.result) if job.result is not None else None
        body = file.read_bytes() if file is not None else None
        name = file.name if file is not None else ""
        values = (job.state, job.done, job.of, job.mark, result, name, body, job.over, who, job.number, self.worker)
        self._stock.link.rows(query, *values)

    async def _beat(self) -> None:
        """Say of our tasks that they run, and throw old ones away."""
        while True:
            await asyncio.sleep(BEATS)
            with suppress(CampaignFileError):
                for who, job in list(self._jobs.items()):
                    # Again, for when the database could not be told.
                    if not job.over or job.ended > self.clock() - 2 * BEATS:
                        self._note(who, job)
                self._stock.link.rows(f"delete from job where ended < now() - interval '{KEPT}'")

    async def settled(self, job: Job, seconds: float) -> bool:
        if not isinstance(job, Elsewhere):
            return await super().settled(job, seconds)
        until = self.clock() + seconds
        while not job.over and self.clock() < until:
            await asyncio.sleep(POLLS)
            self.of(job.who)
        return job.over

    async def cancel(self, who: str) -> bool:
        job = self.of(who)
        if not isinstance(job, Elsewhere):
            return await super().cancel(who)
        if job.over:
            return False
        self._stock.announce(f"{CANCEL} {who}")
        return await self.settled(job, BEATS) and job.state == CANCELLED

    def hear(self, kind: str, who: str) -> None:
        """Another worker was asked to stop a task that may be ours."""
        if kind == CANCEL and (job := self._jobs.get(who)) is not None and not job.over:
            self._stopping = asyncio.get_running_loop().create_task(self._stop(job))

    async def close(self) -> None:
        if self._beating is not None:
            self._beating.cancel()
        await super().close()
        for each in self._elsewhere.values():
            each.close()


def _without_place(where: str) -> str:
    """An address without the database's own, which holds a password."""
    return f"postgresql://#{where.partition('#')[2]}" if is_database(where) else where


def _without_places(fields: dict[str, Any]) -> dict[str, Any]:
    return {key: _without_place(value) if isinstance(value, str) else value for key, value in fields.items()}
