"""Many campaigns of 500 units in a folder or in a database, seats at all of them, and a server over them."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from forcepool import games  # noqa: E402
from forcepool.engine.desk import Advance  # noqa: E402
from forcepool.files.yamltext import read_yaml  # noqa: E402
from forcepool.store.database import Database  # noqa: E402
from forcepool.store.moving import move  # noqa: E402
from forcepool.store.open import campaign_file, create_campaign  # noqa: E402
from forcepool.web.chair import SIDE, Seat  # noqa: E402
from forcepool.web.registry import FILE, Registry  # noqa: E402
from forcepool.web.registry_database import RegistryDatabase  # noqa: E402
from forcepool.web.security import COOKIE, Signer, new_session  # noqa: E402
from tests.support.armies import war  # noqa: E402


def lay_out(path: Path, units: int) -> list[str]:
    """A war of so many units in its replacement phase; the units of the Axis on the map."""
    set_up = games.game("europa").set_up(read_yaml(war(units), "war.yaml"), ())
    create_campaign(
        path, game="europa", title="war", ruleset="benchmark", world=set_up.world, state=set_up.state, seed=b"x" * 32
    )
    with campaign_file(path, games.build_world) as campaign:
        world = campaign.world
        while world.phase(campaign.state) != "replacement":
            campaign.do(Advance())
        found = campaign.state.units_in_order()
        return [unit.id for unit in found if unit.place.on_map and world.side_of(unit.spec.nation) == "Axis"]


def names(count: int) -> list[str]:
    return [f"war {number}" for number in range(count)]


def in_database(path: Path, url: str, count: int) -> None:
    """The same war under many names, copied by the database itself."""
    move(path, f"{url}#war 0")
    stock = Database(url)
    for name in names(count)[1:]:
        stock.link.rows(
            "with made as (insert into campaign (name, seq, hash, indexed) select %s, seq, hash, 0 from campaign "
            "where name = 'war 0' returning id), "
            "seeds as (insert into seed select made.id, seed.seq, seed.seed from made, seed join campaign "
            "on campaign.id = seed.campaign where campaign.name = 'war 0') "
            "insert into entry select made.id, entry.seq, entry.hash, entry.body from made, entry join campaign "
            "on campaign.id = entry.campaign where campaign.name = 'war 0'",
            name,
        )
    stock.link.rows("analyze")
    stock.close()


def in_folder(path: Path, folder: Path, count: int) -> None:
    for name in names(count):
        shutil.copy(path, folder / f"{name}.fp")


def seated(registry: Registry, seats: int, campaigns: list[str]) -> list[tuple[str, list[str]]]:
    """The cookie of each seat, and the campaigns it plays in: all are somebody's."""
    signer, found = Signer(registry.secret), []
    for number in range(seats):
        session, own = new_session(), campaigns[number::seats]
        for name in own:
            _, word = registry.invite(name, Seat(SIDE, "Axis", name=f"player {number}"))
            registry.accept(word, session, was=session)
        found.append((f"{COOKIE}={signer.cookie(session)}", own))
    return found


def keyed(registry: Registry, campaign: str, name: str) -> str:
    """A key for a program that plays from a seat."""
    invitation, _ = registry.invite(campaign, Seat(SIDE, "Axis", name=name))
    return registry.new_key(invitation.id)


@contextmanager
def register(place: Path | str) -> Iterator[Registry]:
    if isinstance(place, Path):
        registry = Registry(place / FILE)
        yield registry
        registry.close()
        return
    stock = Database(place)
    yield Registry(RegistryDatabase(stock.link))
    stock.close()


@contextmanager
def serving(place: Path | str, workers: int = 1) -> Iterator[tuple[int, "subprocess.Popen[bytes]"]]:
    """A public server over a folder or a database, as it is started for players; its port and its process."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    where = [str(place)] if isinstance(place, Path) else ["--database", place, "--workers", str(workers)]
    options = ["--public", "--host", "127.0.0.1", "--port", str(port), "--no-browser"]
    command = [sys.executable, "-m", "forcepool", "serve", *where, *options]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        wait_for(port)
        yield port, server
    finally:
        server.terminate()
        server.wait(20)


def wait_for(port: int) -> None:
    for _ in range(600):
        with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=10) as answer:
            if json.loads(answer.read())["store"]:
                return
        time.sleep(0.1)
    raise SystemExit("the server did not start")


def workers_of(server: "subprocess.Popen[bytes]") -> list[int]:
    """The processes that answer: the server's children, or itself."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            number, _, rest = path.read_text("utf-8").partition(" (")
            if int(rest.rpartition(") ")[2].split()[1]) == server.pid:
                found.append(int(number))
    return sorted(found) or [server.pid]


def memory(process: int) -> float:
    """Megabytes that a process holds."""
    with suppress(OSError):
        pages = int(Path(f"/proc/{process}/statm").read_text("ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
    return 0.0
