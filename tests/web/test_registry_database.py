"""The register of seats in a database: the same tables as in its file, and the same answers."""

import sqlite3
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from forcepool.store.database import Database
from forcepool.web.chair import SIDE, Seat
from forcepool.web.registry import FILE, Registry
from forcepool.web.registry_database import NO_WAITING, RegistryDatabase

NAMES = count(1)


@pytest.fixture
def stock(database: str) -> Iterator[Database]:
    made = Database(database)
    yield made
    made.close()


@pytest.fixture(params=["file", "database"])
def registry(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Registry]:
    if request.param == "file":
        made = Registry(tmp_path / FILE)
    else:
        made = Registry(RegistryDatabase(request.getfixturevalue("stock").link))
    yield made
    made.close()


def test_both_have_the_same_tables_and_columns(stock: Database, tmp_path: Path) -> None:
    """Whoever adds one to the file's tables adds a numbered step for the database."""
    Registry(tmp_path / FILE).close()
    db = sqlite3.connect(tmp_path / FILE)
    tables = [name for (name,) in db.execute("select name from sqlite_master where type = 'table' order by name")]
    in_file = {(table, row[1]) for table in tables for row in db.execute(f"pragma table_info({table})")}
    db.close()
    query = "select table_name, column_name from information_schema.columns where table_schema = 'forcepool'"
    assert in_file <= set(stock.link.rows(query))


def test_every_habit_of_a_seat_is_kept(registry: Registry) -> None:
    campaign = f"east {next(NAMES)}"
    assert registry.secret == registry.secret != ""
    invitation, word = registry.invite(campaign, Seat(SIDE, "Axis", name="Ann"))
    assert registry.offered(word) == invitation
    session = f"session {campaign}"
    assert registry.accept(word, session) is not None
    assert registry.accept(word, "another") is None, "it serves once"
    found = registry.sits(session, campaign)
    assert found is not None
    assert (found.id, found.seat) == (invitation.id, invitation.seat)
    assert registry.sides_at(campaign) == ("Axis",)
    assert registry.campaigns_of(session) == [campaign]
    keys = [registry.new_key(invitation.id) for _ in range(22)]
    assert registry.keyed(keys[-1], campaign) is not None
    assert registry.keyed(keys[0], campaign) is None, "a further one ends the oldest"
    who = f"invitation/{invitation.id}"
    for entry in (3, 7):
        registry.look(who, campaign, entry)
    assert registry.looked(who, campaign) == 7
    assert registry.habits(who, campaign, "1.0.2").looked == 7
    for on in (True, True, False, True):
        registry.tick(who, campaign, "1.0.2", "a\0line", on)
    assert len(registry.ticked(who, campaign, "1.0.2")) == 1
    assert registry.habits(who, campaign, "1.0.2").ticked == registry.ticked(who, campaign, "1.0.2")
    assert registry.habits(who, campaign, "1.0.3").ticked == set()
    assert not registry.habits(who, campaign, "1.0.2").follows_a_plan
    registry.choose(session, campaign, "Axis")
    registry.choose(session, campaign, "Soviet")
    assert registry.chosen(session, campaign) == "Soviet"
    plans = [registry.keep_plan(who, campaign, 3, b"\0plan", 2) for _ in range(3)]
    registry.follow_plan(who, campaign, plans[1])
    assert [row[0] for row in registry.plans(who, campaign)] == plans[1:]
    assert [row[0] for row in registry.plans(who, campaign, followed=True)] == plans[1:2]
    assert registry.fresh_news(who, campaign, "one", {"a"}) == set()
    assert registry.fresh_news(who, campaign, "one", {"a", "b"}) == {"b"}
    assert registry.habits(who, campaign, "1.0.2").follows_a_plan
    assert registry.habits(who, campaign, "1.0.2").standing == ["", "", ""]
    registry.set_standing(campaign, "locked", "for a week")
    assert tuple(registry.habits(who, campaign, "1.0.2").standing) == registry.standing(campaign)
    registry.keep_part(campaign, b"\0secret")
    assert registry.parts(campaign) == [b"\0secret"]
    hook = registry.add_hook(invitation.id, campaign, "https://example.org")
    assert campaign in registry.hooked()
    assert registry.drop_hook(hook.id, invitation.id)
    registry.end(invitation.id, campaign)
    assert registry.sits(session, campaign) is None
    registry.forget(campaign)
    assert registry.looked(who, campaign) == 0


def test_what_is_noted_in_passing_waits_for_no_disk_and_all_else_does(stock: Database) -> None:
    place = RegistryDatabase(stock.link)
    place.note("insert into chosen values (?, ?, ?) on conflict (session, campaign) do nothing", "a", "east", "Axis")
    assert place.rows("select side from chosen where session = ? and campaign = ?", "a", "east") == [("Axis",)]
    assert stock.link.rows("show synchronous_commit") == [("on",)]
    holds = f"select current_setting('synchronous_commit') from ({NO_WAITING}) as quietly"
    assert place.rows(holds) == [("off",)]
    assert stock.link.rows("show synchronous_commit") == [("on",)]
