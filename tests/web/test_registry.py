"""The register of seats on a disk that fails: together or not at all, and told in words."""

import sqlite3
from pathlib import Path

import pytest

from forcepool.web.chair import SIDE, Seat
from forcepool.web.registry import FILE, Registry
from forcepool.web.registry_file import BadRegistry, RegistryBusy, RegistryFile


class Failing:
    """A connection whose disk is full for statements that begin so."""

    def __init__(self, db: sqlite3.Connection, begins: str) -> None:
        self.db, self.begins = db, begins

    @property
    def in_transaction(self) -> bool:
        return self.db.in_transaction

    def close(self) -> None:
        self.db.close()

    def execute(self, statement: str, values: tuple[object, ...] = ()) -> sqlite3.Cursor:
        if statement.startswith(self.begins):
            error = sqlite3.OperationalError("database or disk is full")
            error.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise error
        return self.db.execute(statement, values)


def db_of(registry: Registry) -> sqlite3.Connection:
    assert isinstance(registry.place, RegistryFile)
    return registry.place._db


@pytest.mark.parametrize("begins", ["insert into sitting", "update sitting", "commit"])
def test_an_invitation_is_used_up_only_when_its_guest_sits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, begins: str
) -> None:
    registry = Registry(tmp_path / FILE)
    _, word = registry.invite("east", Seat(SIDE, "Axis"))
    with monkeypatch.context() as failure:
        failure.setattr(registry.place, "_db", Failing(db_of(registry), begins))
        with pytest.raises(RegistryBusy, match=r"the disk is full and nothing was recorded in seats\.sqlite"):
            registry.accept(word, "guest")
    assert registry.sits("guest", "east") is None
    assert registry.accept(word, "guest") is not None
    assert registry.sits("guest", "east") is not None
    registry.close()


def test_a_page_is_shown_though_nobody_can_note_that_it_was_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    registry = Registry(tmp_path / FILE)
    with monkeypatch.context() as failure:
        failure.setattr(registry.place, "_db", Failing(db_of(registry), "insert into looked"))
        registry.look("guest", "east", 7)
    assert registry.looked("guest", "east") == 0
    registry.look("guest", "east", 7)
    assert registry.looked("guest", "east") == 7
    registry.close()


def test_what_is_no_register_is_told(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"no register" * 400)
    with pytest.raises(BadRegistry, match="move it away and invite everyone anew"):
        Registry(tmp_path / FILE)
    assert [each.name for each in tmp_path.iterdir()] == [FILE]


def test_a_register_that_was_spoilt_while_it_was_open_is_told(tmp_path: Path) -> None:
    registry = Registry(tmp_path / FILE)
    db_of(registry).execute("insert into looked values ('guest', 'east', 'junk')")
    assert registry.looked("guest", "east") == 0
    db_of(registry).execute("drop table invitation")
    with pytest.raises(BadRegistry, match="invite everyone anew"):
        registry.invitations("east")
    registry.close()


def test_news_is_new_to_a_seat_for_the_phase_in_which_it_first_sees_it(tmp_path: Path) -> None:
    registry = Registry(tmp_path / FILE)

    def fresh(moment: str, *items: str, who: str = "invitation/1") -> set[str]:
        return registry.fresh_news(who, "east", moment, set(items))

    assert fresh("one", "a", "b") == set(), "whoever looks for the first time is told nothing is new"
    assert fresh("one", "a", "b", "c") == {"c"}
    assert fresh("one", "a", "b", "c") == {"c"}, "it stays new while the phase lasts"
    assert fresh("two", "b", "c", "d") == {"d"}
    assert fresh("two", "b", "c", "d", who="invitation/2") == set(), "each seat has its own"
    assert fresh("three", "d", "e") == {"e"}
    registry.close()
