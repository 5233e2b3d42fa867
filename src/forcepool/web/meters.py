"""What the server counts for whoever watches over it, in the format of Prometheus.

No label names a campaign or a player. With several workers each writes its own file of numbers in one folder, and
whichever is asked adds them up.
"""

import os
import time
from contextlib import suppress
from contextvars import ContextVar
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from prometheus_client import CollectorRegistry
    from prometheus_client.metrics_core import Metric

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""Where the workers' numbers lie; the library looks for it as it is imported."""
EXTRA = 'pip install "forcepool[metrics]"'
BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Seconds that answers are sorted by."""
EVERY = 5.0
"""Seconds between looks at what is open and what the process takes."""
PAGE, ORDER, QUERY, FILE, WATCH = "page", "order", "query", "file", "watch"
"""Kinds of requests: a page, something done, a program's question, a file, and what watches over the server."""


def installed() -> bool:
    return find_spec("prometheus_client") is not None


class Meters:
    """Counts nothing: what a server has that nobody watches."""

    def answered(self, kind: str, status: int, seconds: float, *, stream: bool) -> None:
        """An answer has begun."""

    def stream(self, change: int) -> None:
        """A page or a program waits for changes, or no longer does."""

    def accepted(self) -> None:
        """An order was taken down."""

    def refused(self, reason: str) -> None:
        """An order was not; the reason is one of a few."""

    def store_failed(self) -> None:
        """A file or the database could not be used."""

    def sample(self, *, running: int, waiting: int, campaigns: int) -> None:
        """What is open just now."""

    def text(self) -> bytes:
        """All of it, as Prometheus reads it."""
        return b""


counting: ContextVar[Meters] = ContextVar("counting", default=Meters())  # noqa: B039 - it holds nothing
"""The meters of the server whose request is being answered."""


class Prometheus(Meters):
    """Counts, by the library that Prometheus' own people keep."""

    def __init__(self) -> None:
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

        self._folder = os.environ.get(FOLDER, "")
        self.registry: CollectorRegistry | None = None if self._folder else CollectorRegistry()
        where: Any = {"namespace": "forcepool", "registry": self.registry}
        self._requests = Counter("requests", "Answers by kind and status.", ("kind", "status"), **where)
        self._seconds = Histogram("answer_seconds", "Until an answer begins.", ("kind",), buckets=BOUNDS, **where)
        self._accepted = Counter("orders_accepted", "Orders that were taken down.", **where)
        self._refused = Counter("orders_refused", "Orders that were not, by the class of reason.", ("reason",), **where)
        self._failed = Counter("store_errors", "Times that a file or the database could not be used.", **where)
        self._processor = Counter("processor_seconds", "What this process took of the processor.", **where)
        alive: Any = {"multiprocess_mode": "livesum", **where}
        self._streams = Gauge("streams_open", "Pages and programs that wait for changes.", **alive)
        self._jobs = Gauge("jobs", "Long tasks that run, and that wait.", ("state",), **alive)
        self._campaigns = Gauge("campaigns_open", "Campaigns in memory.", **alive)
        self._memory = Gauge("memory_bytes", "What a process holds in memory.", multiprocess_mode="liveall", **where)
        self._taken = 0.0

    def answered(self, kind: str, status: int, seconds: float, *, stream: bool) -> None:
        self._requests.labels(kind, str(status)).inc()
        if not stream:
            self._seconds.labels(kind).observe(seconds)

    def stream(self, change: int) -> None:
        self._streams.inc(change)

    def accepted(self) -> None:
        self._accepted.inc()

    def refused(self, reason: str) -> None:
        self._refused.labels(reason).inc()

    def store_failed(self) -> None:
        self._failed.inc()

    def sample(self, *, running: int, waiting: int, campaigns: int) -> None:
        self._jobs.labels("running").set(running)
        self._jobs.labels("waiting").set(waiting)
        self._campaigns.set(campaigns)
        now = time.process_time()
        self._processor.inc(max(0.0, now - self._taken))
        self._taken = now
        if memory := memory_held():
            self._memory.set(memory)

    def text(self) -> bytes:
        from prometheus_client import generate_latest

        return generate_latest(self.registry or of_all_workers(self._folder))


class AllWorkers:
    """What all workers have counted; what was open in one that is gone is open no longer."""

    def __init__(self, folder: str) -> None:
        from prometheus_client import multiprocess

        library: Any = multiprocess
        self._folder, self._files = Path(folder), library.MultiProcessCollector(None, path=folder)

    def collect(self) -> "Iterable[Metric]":
        for file in self._folder.glob("gauge_live*_*.db"):
            if not _lives(int(file.stem.rpartition("_")[2])):
                file.unlink(missing_ok=True)
        found: Iterable[Metric] = self._files.collect()
        return found


def of_all_workers(folder: str) -> "CollectorRegistry":
    from prometheus_client import CollectorRegistry

    registry = CollectorRegistry()
    registry.register(AllWorkers(folder))
    return registry


def _lives(process: int) -> bool:
    if os.name != "posix":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def memory_held() -> int:
    """The bytes that this process holds in memory; 0 where the system does not tell."""
    with suppress(OSError, ValueError, IndexError):
        return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def listen(host: str, port: int, registry: "CollectorRegistry | None" = None) -> None:
    """Tell the numbers at an address of their own, beside the server; OSError if it is taken."""
    from prometheus_client import start_http_server

    folder = os.environ.get(FOLDER, "")
    start_http_server(port, host, registry or of_all_workers(folder))
