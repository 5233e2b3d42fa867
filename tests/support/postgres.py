"""A PostgreSQL of the tests' own: Debian's, in a folder that goes with it, with every commit on the disk."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

import psycopg
import pytest

NAMES = count(1)
GUARDED = "guarded"
"""The name that needs a password."""
PLACES = "/usr/lib/postgresql"


def binaries() -> Path | None:
    """Where the newest server's programs are; None without one."""
    found = sorted(Path(PLACES).glob("*/bin/postgres"), key=lambda path: float(path.parts[-3]))
    if found:
        return found[-1].parent
    beside = shutil.which("postgres")
    return Path(beside).parent if beside else None


class Server:
    """One server, which may be killed and started again."""

    def __init__(self, binaries: Path, folder: Path) -> None:
        self.binaries, self.folder = binaries, folder
        self.data, self.port = folder / "data", _free_port()
        self._user = "postgres" if os.getuid() == 0 else None
        if self._user:
            # It refuses to be run by root.
            who = pwd.getpwnam(self._user)
            os.chown(folder, who.pw_uid, who.pw_gid)
        self.process: subprocess.Popen[bytes] | None = None

    def make(self) -> None:
        self._run(
            "initdb",
            "-D",
            str(self.data),
            "-U",
            "postgres",
            "-A",
            "trust",
            "--no-sync",
            "-E",
            "UTF8",
            "--wal-segsize",
            "1",
        )
        with (self.data / "postgresql.conf").open("a", encoding="utf-8") as settings:
            settings.write(
                f"port = {self.port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '{self.folder}'\n"
                "fsync = on\nsynchronous_commit = on\nmax_connections = 60\nshared_buffers = 32MB\nmin_wal_size = 4MB\n"
                "log_min_messages = fatal\n"
            )

        rules = self.data / "pg_hba.conf"
        guarded = f"host all {GUARDED} 127.0.0.1/32 scram-sha-256\n"
        rules.write_text(guarded + rules.read_text("utf-8"), "utf-8")

    def _run(self, name: str, *words: str) -> None:
        subprocess.run(
            [self.binaries / name, *words], user=self._user, cwd=self.folder, check=True, stdout=subprocess.DEVNULL
        )

    def start(self) -> None:
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [self.binaries / "postgres", "-D", self.data],
                user=self._user,
                cwd=self.folder,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.wait()

    def wait(self, seconds: float = 60.0) -> None:
        until = time.monotonic() + seconds
        while True:
            try:
                psycopg.connect(self.url("postgres"), connect_timeout=2).close()
                return
            except psycopg.Error:
                if time.monotonic() > until:
                    raise
                time.sleep(0.05)

    def kill(self) -> None:
        """At once, with everything it is doing: as when the power fails."""
        assert self.process is not None
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()

    def url(self, database: str, port: int = 0) -> str:
        return f"postgresql://postgres@127.0.0.1:{port or self.port}/{database}"

    def new(self) -> str:
        """The address of a new database with nothing in it."""
        name = f"test{os.getpid()}_{next(NAMES)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as db:
            db.execute(f"create database {name}".encode())
        return self.url(name)


@contextmanager
def running() -> Iterator[Server]:
    """A server for as long as the block lasts; without one installed the test is skipped, in CI it fails."""
    found = binaries()
    if found is None:
        says = "no PostgreSQL was found: install Debian's package 'postgresql'"
        if os.environ.get("CI"):
            pytest.fail(says)
        pytest.skip(says)
    with tempfile.TemporaryDirectory(prefix="forcepool-pg-", ignore_cleanup_errors=True) as folder:
        server = Server(found, Path(folder))
        server.make()
        server.start()
        try:
            yield server
        finally:
            server.kill()


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port
