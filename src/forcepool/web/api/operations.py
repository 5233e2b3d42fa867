"""An operation of the API: one table makes the routes, the OpenAPI document and the page about it."""

from collections.abc import Callable, Mapping
from inspect import isawaitable
from typing import Any

import msgspec
from msgspec import Struct
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

import forcepool.web.numbers  # noqa: F401 - its convertor serves the routes
from forcepool.engine import codec
from forcepool.engine.command import BadCommand
from forcepool.web.api.shapes import Problem
from forcepool.web.here import Here, here, key_in, session_of, signer_of
from forcepool.web.render import json_answer

READ = (200, 400, 401, 404, 429)
FILE = "a file"
"""The answer of an operation that gives the bytes of a file."""
WRITE = (200, 202, 400, 401, 403, 404, 409, 413, 415, 422, 429)
LONGEST_NUMBER = 9
LONGEST_TEXT = 200
"""Letters of a parameter: every unit or entry may have to be held against each of its words."""


class Refused(Exception):
    """The request cannot be answered; the sentence says why."""

    def __init__(self, status: int, says: str, clauses: tuple[str, ...] = (), *, retry_after: int = 0) -> None:
        super().__init__(says)
        self.status, self.problem, self.retry_after = status, Problem(says, clauses), retry_after


class Asked:
    """What a request brought: the parts of its path, its query and its body."""

    def __init__(self, request: Request, body: Any) -> None:
        self.request, self.body = request, body

    def path(self, name: str) -> str:
        return str(self.request.path_params[name])

    def text(self, name: str, longest: int = LONGEST_TEXT) -> str:
        text = self.request.query_params.get(name, "").strip()
        if len(text) > longest:
            raise Refused(400, f"{name} has at most {longest:,} letters, not {len(text):,}")
        return text

    def number(self, name: str, default: int) -> int:
        text = self.text(name)
        if not text:
            return default
        if not (text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER):
            raise Refused(400, f"{name} is a whole number, not '{text[:20]}'")
        return int(text)


class Query(Struct, frozen=True):
    """A parameter of the query."""

    name: str
    about: str
    number: bool = False


class Operation(Struct, frozen=True):
    """One thing a program may ask or do."""

    name: str
    method: str
    path: str
    about: str
    answer: Any
    handle: Callable[[Here, Asked], Any]
    body: Any = None
    query: tuple[Query, ...] = ()
    path_help: Mapping[str, str] = {}

    @property
    def writes(self) -> bool:
        return self.method != "GET"

    async def __call__(self, request: Request) -> Response:
        try:
            it = seated(request)
            if self.writes:
                _must_be_from_a_program(request)
            body = await _body(request, self.body) if self.body is not None else None
            found = self.handle(it, Asked(request, body))
            if isawaitable(found):
                found = await found
        except Refused as error:
            answer = json_answer(error.problem, error.status)
            if error.retry_after:
                answer.headers["retry-after"] = str(error.retry_after)
            return answer
        except BadCommand as error:
            return json_answer(Problem(str(error)), 400)
        return found if isinstance(found, Response) else json_answer(found)


def seated(request: Request) -> Here:
    """The campaign and seat of a request; whoever has none is told so, whether the campaign exists or not."""
    try:
        return here(request)
    except HTTPException:
        if request.app.state.public:
            raise Refused(401, "this needs the key of a seat at this campaign: Authorization: Bearer KEY") from None
        raise Refused(404, "there is no such campaign on this machine") from None


def _must_be_from_a_program(request: Request) -> None:
    """A form of another site can send no JSON, and no header of ours."""
    if request.headers.get("content-type", "").partition(";")[0].strip().casefold() != "application/json":
        raise Refused(415, "send JSON, with content-type: application/json")
    if key_in(request) or not request.app.state.public:
        return
    if not signer_of(request).fits(session_of(request), request.headers.get("x-token", "")):
        raise Refused(403, "a browser's session must send its page's token in X-Token")


async def _body(request: Request, shape: Any) -> Any:
    data = await request.body()
    try:
        return codec.decoder(shape).decode(data or b"{}")
    except (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError, ValueError, RecursionError) as error:
        raise Refused(400, f"the body does not fit: {str(error)[:300]}") from None
