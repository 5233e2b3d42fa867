"""Plans at one's own machine: there is no register of seats, and they are there the next evening all the same."""

from contextlib import closing
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from forcepool.web.app import make_app
from forcepool.web.registry_home import FILE, HomeRegistry

WHO = "home/Axis"


def bodies(folder: Path, campaign: str = "east") -> list[tuple[int, bytes, bool]]:
    """The plans as whoever begins anew finds them."""
    with closing(HomeRegistry(folder)) as found:
        return [(entry, body, followed) for _, entry, body, followed in found.plans(WHO, campaign)]


def test_plans_are_there_the_next_evening(tmp_path: Path) -> None:
    twelve = '{"plan":"zwölf"}'.encode()
    with closing(HomeRegistry(tmp_path)) as today:
        assert not (tmp_path / FILE).exists(), "nothing is written before there is a plan"
        first = today.keep_plan(WHO, "east", 5, b'{"plan":1}', 6)
        today.keep_plan(WHO, "east", 9, twelve, 6)
        today.keep_plan(WHO, "west", 2, b"{}", 6)
        assert bodies(tmp_path) == [(5, b'{"plan":1}', False), (9, twelve, True)]
        today.follow_plan(WHO, "east", first)
        assert [followed for *_, followed in bodies(tmp_path)] == [True, False]
        today.drop_plan(WHO, "east", first)
        assert [entry for entry, *_ in bodies(tmp_path)] == [9]
        today.forget("east")
        assert bodies(tmp_path) == []
        assert bodies(tmp_path, "west") == [(2, b"{}", True)]


def test_a_file_that_cannot_be_read_or_written_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('[{"who": 3}]')
    assert bodies(tmp_path) == []
    (tmp_path / FILE).unlink()
    (tmp_path / FILE).mkdir()
    with closing(HomeRegistry(tmp_path)) as today:
        today.keep_plan(WHO, "east", 5, b"{}", 6)
        assert len(today.plans(WHO, "east")) == 1


@pytest.mark.parametrize("public", [False, True])
def test_a_server_with_seats_keeps_them_in_its_register(tmp_path: Path, public: bool) -> None:
    app = make_app(tmp_path, public=public)
    with TestClient(app):
        app.state.registry.keep_plan(WHO, "east", 5, b"{}", 6)
        assert (tmp_path / FILE).exists() != public
