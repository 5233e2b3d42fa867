"""Watching over a server: its health, its numbers, its log; and that none of them tells what is not theirs to tell."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from io import StringIO
from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.testclient import TestClient

from forcepool.engine.journal import Damaged
from forcepool.store.errors import CampaignBusy
from forcepool.web.app import make_app
from forcepool.web.chair import HOST, SIDE, Seat
from forcepool.web.logbook import Form, InLines, Logbook, log_config
from forcepool.web.settings import Metrics, Settings
from tests.web.conftest import Server, Visitor

TOKEN = "a-word-for-the-watchman"
PLANTED = "zanzibar"
"""Stands in everything that is sent; no line may hold it."""
AXIS = Seat(SIDE, "Axis", name=f"Klaus {PLANTED}")

Watched = Callable[..., Server]


@pytest.fixture
def watched(tmp_path: Path, begun: Callable[..., Path]) -> Iterator[Watched]:
    """A server with a campaign whose name nobody else may learn."""
    with ExitStack() as running:

        def start(settings: Settings, *, public: bool = True, **options: Any) -> Server:
            folder = tmp_path / "shelf"
            folder.mkdir()
            shutil.copy(begun("smolensk", ("Axis", "Soviet")), folder / f"{PLANTED}.fp")
            app = make_app(folder, public=public, settings=settings, **options)
            client = TestClient(app, base_url="http://localhost", raise_server_exceptions=False)
            return Server(app, running.enter_context(client))

        yield start


def order(visitor: Visitor, **fields: Any) -> Any:
    return visitor.post(f"/c/{PLANTED}/do", {"order": json.dumps(fields)})


# ----------------------------------------------------------------------------------------------------- health


def test_anyone_may_ask_whether_the_server_is_well(watched: Watched, tmp_path: Path) -> None:
    server = watched(Settings(), address="https://war.example.org")
    for host in ("localhost", "10.0.0.7:8041"):
        answer = server.client.get("/healthz", headers={"host": host})
        assert (answer.status_code, answer.json()) == (200, {"alive": True, "store": True})
        assert "set-cookie" not in answer.headers
    assert server.client.get("/", headers={"host": "10.0.0.7:8041"}).status_code == 403, "nothing else by its number"
    (tmp_path / "shelf").rename(tmp_path / "elsewhere")
    answer = server.client.get("/healthz")
    assert (answer.status_code, answer.json()) == (503, {"alive": True, "store": False})
    (tmp_path / "elsewhere").rename(tmp_path / "shelf")
    assert server.client.get("/healthz").status_code == 200
    server.app.state.closing = True
    assert server.client.get("/healthz").status_code == 503, "a server that ends is sent nobody any more"


def test_a_register_that_cannot_be_read_is_no_health(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    server = watched(Settings())

    def busy() -> None:
        raise CampaignBusy("no")

    monkeypatch.setattr(server.app.state.registry, "check", busy)
    assert server.client.get("/healthz").json() == {"alive": True, "store": False}


# ---------------------------------------------------------------------------------------------------- metrics


def numbers(server: Server) -> dict[str, float]:
    answer = server.client.get("/metrics", headers={"authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert PLANTED not in answer.text
    lines = [line for line in answer.text.splitlines() if not line.startswith("#")]
    return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in lines}


@pytest.mark.parametrize("settings", [Settings(), Settings(metrics=Metrics(listen="127.0.0.1:9141"))])
@pytest.mark.parametrize("public", [True, False])
def test_no_stranger_reads_the_numbers(watched: Watched, settings: Settings, public: bool) -> None:
    server = watched(settings, public=public)
    for word in ("", "Bearer ", f"Bearer {TOKEN}"):
        assert server.client.get("/metrics", headers={"authorization": word}).status_code == 404


def test_only_whoever_has_the_word_reads_the_numbers(watched: Watched) -> None:
    server = watched(Settings(metrics=Metrics(token=TOKEN)))
    for word in ("", "Bearer", f"Bearer {TOKEN[:-1]}", f"Basic {TOKEN}", "Bearer é"):
        headers = [(b"authorization", word.encode("latin-1"))]
        assert server.client.get("/metrics", headers=headers).status_code == 404
    host = server.seated(Seat(HOST), "")
    assert host.get("/metrics").status_code == 404, "the host's seat is for players"
    assert numbers(server)


def test_orders_refusals_answers_and_what_is_open_are_counted(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = watched(Settings(metrics=Metrics(token=TOKEN)))
    axis = server.seated(AXIS, PLANTED)
    soviet = server.seated(Seat(SIDE, "Soviet"), PLANTED)
    before = numbers(server)
    assert axis.get(f"/c/{PLANTED}").status_code == 200
    assert order(axis, command="note", text=PLANTED).json()["accepted"]
    assert not order(axis, command="rebuild-cadre", unit="10 Pz XX", pay_from="nowhere").json()["accepted"]
    assert not order(soviet, command="advance").json()["accepted"]
    after = numbers(server)

    def more(name: str) -> float:
        return after.get(f"forcepool_{name}", 0) - before.get(f"forcepool_{name}", 0)

    assert more("orders_accepted_total") == 1
    assert more('orders_refused_total{reason="not understood"}') == 1
    assert more('orders_refused_total{reason="not this seat\'s"}') == 1
    assert more('requests_total{kind="order",status="200"}') == 1
    assert more('answer_seconds_count{kind="order"}') == 3
    assert more('answer_seconds_count{kind="page"}') == 1
    assert after["forcepool_campaigns_open"] == 1
    assert after["forcepool_streams_open"] == 0
    assert after['forcepool_jobs{state="waiting"}'] == 0
    assert after["forcepool_processor_seconds_total"] > 0
    assert after["forcepool_memory_bytes"] > 1e6
    assert more("store_errors_total") == 0

    def damaged(name: str) -> Any:
        raise Damaged(7, f"holds {PLANTED}")

    monkeypatch.setattr(server.app.state.shelf, "table", damaged)
    assert axis.get(f"/c/{PLANTED}").status_code == 503
    assert numbers(server)["forcepool_store_errors_total"] == after["forcepool_store_errors_total"] + 1


IN_ONE_WORKER = """
import os, sys
from forcepool.web.meters import Prometheus
meters = Prometheus()
meters.accepted(), meters.refused("rule"), meters.stream(2), meters.answered("page", 200, 0.02, stream=False)
meters.sample(running=1, waiting=0, campaigns=3)
if sys.argv[1:]:
    sys.stdout.buffer.write(meters.text())
else:
    print("ready", flush=True), sys.stdin.read()
"""


def test_the_numbers_of_several_workers_are_added_up(tmp_path: Path) -> None:
    environment = os.environ | {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
    program: Any = {"env": environment, "text": True, "stdin": subprocess.PIPE, "stdout": subprocess.PIPE}

    def asked() -> list[str]:
        ran = subprocess.run([sys.executable, "-c", IN_ONE_WORKER, "tells"], capture_output=True, env=environment)
        return ran.stdout.decode().splitlines()

    with subprocess.Popen([sys.executable, "-c", IN_ONE_WORKER], **program) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "ready\n"
        both = asked()
        other.communicate("")
    assert "forcepool_orders_accepted_total 2.0" in both
    assert 'forcepool_orders_refused_total{reason="rule"} 2.0' in both
    assert 'forcepool_answer_seconds_count{kind="page"} 2.0' in both
    assert "forcepool_streams_open 4.0" in both
    assert sum(line.startswith("forcepool_memory_bytes{pid=") for line in both) == 2
    later = asked()
    assert "forcepool_orders_accepted_total 3.0" in later, "what was counted stays"
    assert "forcepool_streams_open 2.0" in later, "what was open in a worker that is gone does not"


# -------------------------------------------------------------------------------------------------------- log


def test_a_line_is_for_people_or_for_programs() -> None:
    wanted: dict[Form, str] = {
        "text": "request status=200 route=/c/{campaign} says=",
        "json": '"event": "request"',
    }
    for form, want in wanted.items():
        out = StringIO()
        Logbook(form, out).write("request", status=200, route="/c/{campaign}", says='two "words"', none=None)
        assert want in out.getvalue()
        assert out.getvalue().count("\n") == 1
        assert "none" not in out.getvalue()
    out = StringIO()
    Logbook("off", out).write("request")
    assert out.getvalue() == ""


def test_a_single_player_has_no_log(watched: Watched, capfd: pytest.CaptureFixture[str]) -> None:
    assert Settings().log == "off"
    server = watched(Settings(), public=False)
    answer = server.visitor().get(f"/c/{PLANTED}")
    assert answer.status_code == 200
    assert "x-request-id" not in answer.headers
    assert capfd.readouterr() == ("", "")


def test_the_log_tells_what_happened_and_nobodys_secrets(
    watched: Watched, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    server = watched(Settings(log="json", metrics=Metrics(token=TOKEN)))
    axis, host = server.visitor(), server.seated(Seat(HOST), "")
    secrets = [PLANTED, TOKEN, server.app.state.registry.secret]
    invitation, word = server.app.state.registry.invite(PLANTED, AXIS)
    key = server.app.state.registry.new_key(invitation.id)
    axis.get(f"/join/{word}")
    axis.post(f"/join/{word}")
    page = axis.get(f"/c/{PLANTED}")
    order(axis, command="note", text=f"the secret is {PLANTED}")
    order(axis, command="rebuild-cadre", unit=PLANTED, pay_from="centre")
    axis.get(f"/c/{PLANTED}/find?q={PLANTED}&token={TOKEN}")
    axis.get(f"/c/{PLANTED}/unit/{PLANTED}")
    axis.get(f"/{PLANTED}/{word}", **{"user-agent": PLANTED, "referer": PLANTED, "x-request-id": PLANTED})
    bearer = {"authorization": f"Bearer {key}", "content-type": "application/json"}
    server.client.get(f"/api/campaigns/{PLANTED}", headers=bearer)
    server.client.post(f"/api/campaigns/{PLANTED}/do", headers=bearer, content=b"{" + PLANTED.encode())
    server.client.request(PLANTED.upper(), "/")
    monkeypatch.setattr("forcepool.web.home.days_ago", lambda *_: 1 / 0)
    host.get("/")
    numbers(server)
    secrets += [word, key, axis.cookie.partition("=")[2], axis.token]
    told = capfd.readouterr().err
    lines = [json.loads(line) for line in told.splitlines()]
    assert [secret for secret in secrets if secret in told or secret.upper() in told] == []
    assert lines[0]["event"] == "start"
    assert all(line["pid"] == os.getpid() and line["time"].endswith("Z") for line in lines)
    requests = [line for line in lines if line["event"] == "request"]
    routes = {(line["method"], line["route"], line["status"]) for line in requests}
    assert {
        ("GET", "/join/{word}", 200),
        ("POST", "/join/{word}", 303),
        ("GET", "/c/{campaign}", 200),
        ("POST", "/c/{campaign}/do", 200),
        ("GET", "-", 404),
        ("GET", "/api/campaigns/{campaign}", 200),
        ("POST", "/api/campaigns/{campaign}/do", 400),
    } <= routes
    assert any(line["method"] == "OTHER" for line in requests)
    assert not any(line["route"] == "/metrics" for line in requests), "whoever watches is no news"
    seats = {line["seat"] for line in requests if line["route"].startswith(("/c/", "/api/campaigns/"))}
    assert len(seats) == 1, "one seat, by page or by key"
    assert seats != {"-"}
    assert page.headers["x-request-id"] in {line["id"] for line in requests}
    assert {"event": "fault", "error": "ZeroDivisionError"}.items() <= next(
        line for line in lines if line["event"] == "fault"
    ).items()


def test_what_the_server_below_tells_holds_no_words_of_an_error() -> None:
    import logging

    config = log_config("json")
    assert config is not None
    assert log_config("off") is None, "for one player all is as it was"
    assert config["formatters"]["lines"]["()"] is InLines
    try:
        raise ValueError(PLANTED)
    except ValueError:
        record = logging.LogRecord("uvicorn.error", logging.ERROR, "", 1, "it failed", (), sys.exc_info())
    told = msgspec.json.decode(InLines("json").format(record))
    assert told["error"] == "ValueError"
    assert told["at"].startswith("test_watching.py:")
    assert PLANTED not in str(told)
