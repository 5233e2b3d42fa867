"""What a form brought back: only from a page of ours, only as text, and never more than asked for."""

import asyncio
import shutil
from pathlib import Path
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request

from forcepool.engine.command import BadCommand, Command
from forcepool.engine.world import World
from forcepool.views.orders import build, command_class
from forcepool.web.here import session_of, signer_of

FORGED = "This form was not made for you, or is too old. Go back, load the page again and repeat it."

LONGEST_FIELD = 4 * 1024 * 1024
LONGEST_NAME = 120


class Form:
    """The fields of a form, each a text."""

    def __init__(self, fields: dict[str, list[str]]) -> None:
        self._fields = fields

    def __getitem__(self, name: str) -> str:
        return self._fields.get(name, [""])[-1]

    def all(self, name: str) -> list[str]:
        return self._fields.get(name, [])

    def names(self) -> list[str]:
        return list(self._fields)

    def number(self, name: str) -> int:
        text = self[name].strip()
        return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0

    def numbers(self, name: str) -> list[int]:
        """Dice as they were typed: '4' or '4 6 1'."""
        words = " ".join(self.all(name)).replace(",", " ").split()
        return [int(word) if word.isascii() and word.isdecimal() and len(word) < 6 else 0 for word in words]


async def read_form(request: Request) -> Form:
    """The form of a request, once its token fits the session."""
    async with request.form(max_files=4, max_fields=2000) as data:
        fields: dict[str, list[str]] = {}
        for name, value in data.multi_items():
            text = value if isinstance(value, str) else (await value.read()).decode("utf-8", errors="replace")
            fields.setdefault(name, []).append(text)
    return _ours(request, Form(fields))


async def read_files(request: Request, folder: Path, most: int) -> tuple[Form, list[tuple[str, str]]]:
    """The form of a request and the files it brought, laid into a folder: where each lies, and what it was called.

    A name is for messages and for its ending only; no file is laid under a name that somebody chose.
    """
    fields: dict[str, list[str]] = {}
    files: list[tuple[str, str]] = []
    async with request.form(max_files=most, max_fields=2000, max_part_size=LONGEST_FIELD) as data:
        for name, value in data.multi_items():
            if isinstance(value, str):
                fields.setdefault(name, []).append(value)
            elif value.filename:
                path = folder / f"file-{len(files)}"
                with path.open("wb") as laid:
                    await asyncio.to_thread(shutil.copyfileobj, value.file, laid, 1 << 20)
                files.append((str(path), value.filename[-LONGEST_NAME:]))
    return _ours(request, Form(fields)), files


def _ours(request: Request, form: Form) -> Form:
    token = form["token"] or request.headers.get("x-token", "")
    if not signer_of(request).fits(session_of(request), token):
        raise HTTPException(403, FORGED)
    return form


def order_in(world: World, text: str) -> Command:
    """The command a form carries, or BadCommand in a sentence."""
    try:
        data: Any = msgspec.json.decode(text.encode())
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise BadCommand("the form carries no command; load the page again") from None
    return order_of(world, data)


def order_of(world: World, data: Any) -> Command:
    """The command in data such as {"command": "advance"}."""
    if not isinstance(data, dict) or not isinstance(data.get("command"), str):
        raise BadCommand('a command needs its name: {"command": "advance"}')
    fields = {name: value for name, value in data.items() if name != "command"}
    cls = command_class(world.game, data["command"])
    unknown = sorted(set(fields) - set(cls.__struct_fields__))
    if unknown:
        raise BadCommand(f"{data['command']} has no field '{unknown[0]}'; it has {', '.join(cls.__struct_fields__)}")
    return build(cls, fields)
