"""The server's log: a line for each request and event, for people or for programs, and nobody's secrets in it.

What comes from outside (addresses, names, cookies, orders, notes) is never written: a line has the route's template,
numbers, and words of our own. Only what the host does to a campaign names it.
"""

import json
import logging
import os
import sys
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Literal, TextIO

Form = Literal["off", "text", "json"]
QUIET = "warning"
"""What uvicorn tells by itself: only what went wrong."""


def moment(when: datetime) -> str:
    return f"{when:%Y-%m-%dT%H:%M:%S}.{when.microsecond // 1000:03}Z"


def line(form: Form, event: str, fields: dict[str, Any], when: datetime) -> str:
    """One line of the log; what is None is left out."""
    told = {key: value for key, value in fields.items() if value is not None}
    if form == "json":
        return json.dumps({"time": moment(when), "event": event, **told})
    return " ".join([moment(when), event, *(f"{key}={_word(value)}" for key, value in told.items())])


def _word(value: Any) -> str:
    text = str(value)
    return json.dumps(text) if not text or any(sign.isspace() or sign in '"=' for sign in text) else text


class Logbook:
    """Where the lines go."""

    def __init__(
        self,
        form: Form = "off",
        out: TextIO | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.form: Form = form
        self._out, self._now = out, now

    @property
    def on(self) -> bool:
        return self.form != "off"

    def write(self, event: str, **fields: Any) -> None:
        """Write a line, if anyone wants one; the process that wrote it is told with each."""
        if self.on:
            text = line(self.form, event, {**fields, "pid": os.getpid()}, self._now())
            print(text, file=self._out or sys.stderr, flush=True)


class InLines(logging.Formatter):
    """What uvicorn and others tell through Python's logging, in the form of the log.

    Of an error its kind and where it happened are told; its words may hold what somebody sent.
    """

    def __init__(self, form: Form = "text") -> None:
        super().__init__()
        self.form: Form = form

    def format(self, record: logging.LogRecord) -> str:
        fields: dict[str, Any] = {"level": record.levelname.lower(), "from": record.name}
        if record.exc_info and record.exc_info[1] is not None:
            error = record.exc_info[1]
            frames = traceback.extract_tb(error.__traceback__)[-3:]
            at = [f"{os.path.basename(frame.filename)}:{frame.lineno}" for frame in frames]
            fields |= {"error": type(error).__name__, "at": " ".join(at)}
        else:
            fields["says"] = record.getMessage()
        fields["pid"] = os.getpid()
        return line(self.form, "server", fields, datetime.fromtimestamp(record.created, UTC))


def log_config(form: Form) -> dict[str, Any] | None:
    """How uvicorn logs: as ever without a log, else in its lines. None leaves it to uvicorn."""
    if form == "off":
        return None
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": InLines, "form": form}},
        "handlers": {"lines": {"class": "logging.StreamHandler", "formatter": "lines"}},
        "loggers": {
            name: {"handlers": ["lines"], "level": QUIET.upper(), "propagate": False} for name in ("uvicorn", "asyncio")
        },
    }
