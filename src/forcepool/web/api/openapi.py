"""The OpenAPI document, made from the table of operations and the shapes they send and take."""

import re
from collections.abc import Iterable
from typing import Any

import msgspec

from forcepool import __version__
from forcepool.views.orders import points_schema
from forcepool.web.api.operations import FILE, READ, WRITE, Operation
from forcepool.web.api.shapes import Acted, CampaignLine, Problem

SAYS = {
    200: "Answered, or done.",
    202: "Asked for; another seat must agree.",
    400: "The request makes no sense; the sentence says why.",
    401: "No seat: the key is missing or not valid here.",
    403: "Not this seat's to do.",
    404: "Not there, or not the seat's to see.",
    409: "Out of date: someone changed it meanwhile.",
    413: "Too large.",
    415: "Not JSON.",
    422: "Refused by the rules, with every reason; or a die is needed.",
    429: "Too many requests.",
}
ACTED = (202, 403, 409, 422)
"""Answers to an act that carry its outcome, if it came to one."""


def document(operations: tuple[Operation, ...], base: str) -> dict[str, Any]:
    """The whole document."""
    wanted: list[Any] = [Problem, Acted, CampaignLine]
    for each in operations:
        wanted += [*([each.answer] if each.answer is not FILE else []), *([each.body] if each.body is not None else [])]
    shapes = list(dict.fromkeys(wanted))
    schemas, parts = msgspec.json.schema_components(
        shapes, schema_hook=points_schema, ref_template="#/components/schemas/{name}"
    )
    refs = dict(zip(shapes, schemas, strict=True))
    paths: dict[str, Any] = {"/api/campaigns": {"get": _campaigns(refs)}}
    for each in operations:
        paths.setdefault(_plain(base + each.path), {})[each.method.lower()] = _operation(each, refs, base)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "forcepool",
            "version": __version__,
            "description": "The rear area of a monster wargame, from one seat at one campaign.",
        },
        "paths": paths,
        "components": {
            "schemas": dict(sorted(parts.items())),
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"key": []}, {}],
    }


def _plain(path: str) -> str:
    """'/units/{unit:path}' as the document writes it: '/units/{unit}'."""
    return re.sub(r":(path|number)}", "}", path)


def _campaigns(refs: dict[Any, Any]) -> dict[str, Any]:
    lines = {"type": "array", "items": refs[CampaignLine]}
    return {
        "operationId": "campaigns",
        "summary": "The campaigns one has a seat at.",
        "parameters": [
            {
                "name": "newest",
                "in": "query",
                "required": False,
                "description": "only so many, those that were played last; 0 for all",
                "schema": {"type": "integer", "minimum": 0, "maximum": 999_999_999},
            }
        ],
        "responses": {
            "200": _response(200, lines),
            "400": _response(400, refs[Problem]),
            "429": {"description": SAYS[429]},
        },
    }


def _operation(each: Operation, refs: dict[Any, Any], base: str) -> dict[str, Any]:
    statuses: Iterable[int] = WRITE if each.writes else READ
    found: dict[str, Any] = {
        "operationId": each.name,
        "summary": each.about,
        "parameters": [*_path_parameters(each, base), *_query_parameters(each)],
        "responses": {str(status): _answered(each, status, refs) for status in statuses},
    }
    if each.body is not None:
        found["requestBody"] = {"required": True, "content": {"application/json": {"schema": refs[each.body]}}}
    return found


def _path_parameters(each: Operation, base: str) -> list[dict[str, Any]]:
    found = []
    for name, kind in re.findall(r"{(\w+)(?::(\w+))?}", base + each.path):
        schema = {"type": "integer", "minimum": 0} if kind == "number" else {"type": "string", "minLength": 1}
        about = each.path_help.get(name, "the campaign's name")
        found.append({"name": name, "in": "path", "required": True, "description": about, "schema": schema})
    return found


def _query_parameters(each: Operation) -> list[dict[str, Any]]:
    number = {"type": "integer", "minimum": 0, "maximum": 999_999_999}
    return [
        {
            "name": query.name,
            "in": "query",
            "required": False,
            "description": query.about,
            "schema": number if query.number else {"type": "string"},
        }
        for query in each.query
    ]


def _answered(each: Operation, status: int, refs: dict[Any, Any]) -> dict[str, Any]:
    if status in (413, 429):
        # Those are turned away at the door, in plain words; one that begins too long a task, with a reason.
        told = {"text/plain": {"schema": {"type": "string"}}, "application/json": {"schema": refs[Problem]}}
        return {"description": SAYS[status], "content": told}
    if each.answer is FILE and status == 200:
        return {"description": SAYS[200], "content": {"application/octet-stream": {}}}
    if status == 200:
        return _response(200, refs[each.answer])
    if each.answer is Acted and status in (400, *ACTED):
        return _response(status, {"anyOf": [refs[Acted], refs[Problem]]})
    return _response(status, refs[Problem])


def _response(status: int, schema: dict[str, Any]) -> dict[str, Any]:
    return {"description": SAYS[status], "content": {"application/json": {"schema": schema}}}
