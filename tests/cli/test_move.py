"""Campaigns that move from a folder into a database and back, with their seats and the secrets of their dice."""

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import forcepool
from forcepool.store.database import Database
from forcepool.store.open import open_journal
from forcepool.web.chair import SIDE, Seat
from forcepool.web.registry import FILE, Registry
from forcepool.web.registry_database import RegistryDatabase
from tests.cli.conftest import forcepool_runs

if TYPE_CHECKING:
    from tests.support.postgres import Server


def run(*words: str, code: int = 0) -> str:
    ran = forcepool_runs(*words)
    assert ran.code == code, ran
    return ran.out


def test_a_folder_goes_into_a_database_and_back_and_an_error_stops_nobody(postgres: "Server", tmp_path: Path) -> None:
    here, back, url = tmp_path / "here", tmp_path / "back", postgres.new()
    here.mkdir()
    back.mkdir()
    run("new", str(here / "east.fp"), "--scenario", "smolensk")
    shutil.copy(here / "east.fp", here / "a second.fp")
    (here / "bad.fp").write_bytes(b"no campaign")
    registry = Registry(here / FILE)
    invitation, word = registry.invite("east", Seat(SIDE, "Axis"))
    registry.accept(word, "session")
    key, secret = registry.new_key(invitation.id), registry.secret
    registry.close()

    found = run("move", str(here), url, "--json", code=1)
    told = {line["name"]: line for line in json.loads(found)["campaigns"]}
    assert sorted(told) == ["a second", "bad", "east"]
    assert "is not a forcepool campaign" in told["bad"]["problem"]
    assert not told["east"]["problem"]
    assert json.loads(found)["seats"] == 1
    stock = Database(url)
    there = Registry(RegistryDatabase(stock.link))
    assert stock.names() == ["a second", "east"]
    assert (there.secret, there.keyed(key, "east") is not None) == (secret, True)
    later, _ = there.invite("east", Seat(SIDE, "Soviet"))
    assert later.id == invitation.id + 1, "numbers go on where they ended"
    stock.close()

    assert "2 seats taken over with their links" in run("move", url, str(back))
    for name in ("east", "a second"):
        with open_journal(here / f"{name}.fp") as one, open_journal(back / f"{name}.fp") as other:
            assert one.head() == other.head()
            assert one.seeds() == other.seeds() != {}
    assert "already; choose another name" in run("move", f"{url}#east", str(back), code=1)
    assert "1 entry" in run("backup", f"{url}#east", str(tmp_path / "copies"))
    assert '"entries": 1' in run("export", f"{url}#east", "-o", str(tmp_path / "east.txt"), "--json")
    with forcepool.open(f"{url}#east") as campaign:
        assert campaign.record.seq == 1
    for words in (("whatif", f"{url}#east"), ("send", f"{url}#east", "--to", "Axis")):
        assert "is in a database" in forcepool_runs(*words).err
    assert "hidden" not in run("new", url.replace("postgres@", "postgres:hidden@") + "#west", "--scenario", "smolensk")
