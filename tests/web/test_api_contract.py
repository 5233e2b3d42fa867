"""The API keeps to its own document: whatever is sent, the answer has a status and a shape that the document names."""

import json
from collections.abc import Callable
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from forcepool.web.api import whole_document
from forcepool.web.chair import SIDE, Seat
from tests.web.conftest import Serve, Server

CHECKS: list[Any] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
EXAMPLES = 12
"""For each operation, mode and sort of data; enough to find what is careless, few enough to wait for."""
OPERATIONS = [
    (path, method)
    for path, methods in whole_document()["paths"].items()
    for method in methods
    if "campaign" in path or method == "get"
]
UNITS = ["6 Pz XX", "78 Inf XX", "161 Inf XX", "1 Gds Mtr XX", "nobody"]


def at_the_campaign(server: Server) -> dict[str, Any]:
    """The document with the campaign's own names in it, or nearly all that is made up would be 'not there'."""
    document: dict[str, Any] = json.loads(json.dumps(whole_document()))
    for path, methods in document["paths"].items():
        for operation in methods.values():
            for parameter in operation.get("parameters", []):
                if parameter["name"] == "campaign":
                    parameter["schema"] = {"enum": ["east"]}
                elif parameter["name"] == "unit" and parameter["in"] == "path":
                    parameter["schema"] = {"anyOf": [{"enum": UNITS}, {"type": "string", "minLength": 1}]}
                elif path.endswith("/why"):
                    known = {"pool": "front/centre", "nation": "Germany", "kind": "inf"}[parameter["name"]]
                    parameter["schema"] = {"anyOf": [{"const": known}, {"type": "string"}]}
    orders = {"type": "object", "required": ["command"], "properties": {"command": {"enum": commands(server)}}}
    document["components"]["schemas"]["DoRequest"]["properties"]["order"] = {
        "anyOf": [orders, {"enum": ready_orders(server)}, {"type": "object"}]
    }
    return document


def commands(server: Server) -> list[str]:
    campaign = server.app.state.shelf.table("east").campaign
    return sorted(str(each.__struct_config__.tag) for each in campaign.world.game.commands)


def ready_orders(server: Server) -> list[dict[str, Any]]:
    """Orders that make sense, so that some of what is sent is done and undone."""
    rebuild = {"command": "rebuild-cadre", "unit": "6 Pz XX", "pay_from": "front/centre"}
    return [rebuild, rebuild | {"unit": "78 Inf XX"}, {"command": "advance"}, {"command": "note", "text": "x"}]


@pytest.fixture(params=["home", "public"])
def caller(serve: Serve, request: pytest.FixtureRequest) -> tuple[Server, dict[str, str]]:
    """A program at the machine itself, and one with the key of a seat on a public server."""
    public = request.param == "public"
    server = serve(public=public, seats=("Axis", "Soviet") if public else ())
    headers: dict[str, str] = {}
    if public:
        invitation, _ = server.app.state.registry.invite("east", Seat(SIDE, "Axis"))
        headers["authorization"] = f"Bearer {server.app.state.registry.new_key(invitation.id)}"
    return server, headers


def sending(server: Server, headers: dict[str, str]) -> Callable[[Any], None]:
    # The server's own faults come back as answers, for the checks to find.
    transport: Any = server.client._transport
    transport.raise_server_exceptions = False

    def send(case: Any) -> None:
        wire = case.as_transport_kwargs(base_url="http://localhost")
        wire["headers"] = {**wire["headers"], **headers}
        answer = server.client.request(
            wire["method"],
            wire["url"],
            params=wire.get("params"),
            headers=wire["headers"],
            content=json.dumps(wire["json"]) if "json" in wire else wire.get("data"),
        )
        case.validate_response(answer, checks=CHECKS)

    return send


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_every_answer_is_one_the_document_names(
    caller: tuple[Server, dict[str, str]], path: str, method: str, mode: GenerationMode
) -> None:
    if mode is GenerationMode.NEGATIVE and "{" not in path:
        return  # It takes nothing that could be wrong.
    server, headers = caller
    operation = schemathesis.openapi.from_dict(at_the_campaign(server))[path][method]
    send = sending(server, headers)

    @seed(41)
    @settings(
        max_examples=EXAMPLES,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def sent(case: Any) -> None:
        send(case)

    sent()
