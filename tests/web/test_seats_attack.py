"""The attack: a seat tries every order and every page with what is not its own; it changes nothing and learns nothing.

What is hidden is made easy to recognise: every balance the seat does not see has a small fraction over 1009, which
stays in every sum and difference, every note of the others holds one word, and units are known by their names.
"""

import json
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from html import unescape
from pathlib import Path
from types import SimpleNamespace
from typing import Any, get_type_hints
from urllib.parse import quote, unquote_plus, urlencode

import pytest
from msgspec.structs import replace
from starlette.datastructures import Headers
from starlette.testclient import TestClient

from forcepool import games
from forcepool.engine import codec, given
from forcepool.engine.agenda import agenda
from forcepool.engine.campaign import Campaign
from forcepool.engine.command import BadCommand, Command, command_name
from forcepool.engine.desk import Advance, Declare, Note
from forcepool.engine.dice import RollNeeded
from forcepool.engine.events import Transferred
from forcepool.engine.facts import NUMBER
from forcepool.engine.journal import Entry
from forcepool.engine.ledger import CORRECTION, is_pool
from forcepool.engine.options import options
from forcepool.engine.state import State, evolve
from forcepool.store.open import import_campaign, open_campaign
from forcepool.views.fields import (
    COUNTER,
    YES_NO,
    Field,
    fields_of,
    filled_in,
    in_words,
)
from forcepool.views.names import pool_in_words
from forcepool.views.orders import from_words
from forcepool.views.scenarios import shipped_journal
from forcepool.web import security
from forcepool.web.api.events import new_entries
from forcepool.web.app import make_app
from forcepool.web.chair import FRONT, HOST, OBSERVER, REFEREE, SIDE, Seat
from forcepool.web.here import Here
from forcepool.web.pages import all_pages
from forcepool.web.seats import Sight
from forcepool.web.security import Pace
from tests.web.conftest import Serve, Server, Visitor

AXIS, SOVIET = Seat(SIDE, "Axis"), Seat(SIDE, "Soviet")
CENTRE, WATCHER = Seat(FRONT, "Axis", "front/centre"), Seat(OBSERVER, "Axis")
DEMONSTRATION = "east-1941"
API = "/api/campaigns/east"
SECRET = "Xanthippe"
EXAMPLES = re.compile(r'placeholder="[^"]*"|<details class="how-to">.*?</details>', re.DOTALL)
ODD = 1009
FRACTION = re.compile(r"\d+/(\d{4,6})\b")
NOBODY = "999 Nil XX"
VARIANTS = 3
MOST_READY = 60
MOST_FOLLOWED = 10


# ------------------------------------------------------------------------------------------ a table to attack


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory, begun: Callable[..., Path]) -> Callable[[str, str], Path]:
    """A campaign played on until it is a side's player-turn, made once."""
    made: dict[tuple[str, str], Path] = {}

    def play(scenario: str, side: str) -> Path:
        if (scenario, side) not in made:
            path = tmp_path_factory.mktemp("played") / "east.fp"
            if scenario == DEMONSTRATION:
                import_campaign(shipped_journal(scenario), path, file=f"{scenario}.journal")
            else:
                shutil.copy(begun(scenario, ("Axis", "Soviet")), path)
            campaign = open_campaign(path, games.build_world)
            play_on(campaign, side)
            campaign.keep_snapshot()
            campaign.journal.close()
            made[scenario, side] = path
        return made[scenario, side]

    return play


def play_on(campaign: Campaign, side: str) -> None:
    """Do some of what the checklist asks, with a secret note each phase, until it is that side's turn."""
    phases = 0
    while phases < 2 or campaign.world.phasing(campaign.state) != side:
        now = campaign.world.phasing(campaign.state)
        campaign.do(Note(text=f"{SECRET} of {now}"), seat=now)
        ready = [item.command for item in agenda(campaign.world, campaign.state, side=now) if item.command]
        for command in ready[:5]:
            try:
                campaign.do(command, seat=now, override=f"{SECRET} says so")
            except (BadCommand, RollNeeded):
                continue
        campaign.do(Advance(), seat=now, override="to go on")
        phases += 1


class Attack:
    """One seat against everything it does not see."""

    def __init__(self, server: Server, seat: Seat) -> None:
        self.server, self.seat = server, seat
        self.table = server.app.state.shelf.table("east")
        self.campaign: Campaign = self.table.campaign
        self.sight = Sight(seat, self.campaign.world, self.campaign.state)
        self._hide_the_balances()
        units = self.campaign.state.units
        self.hidden = sorted(name for name, unit in units.items() if not self.sight.unit(unit))
        if seat.role == SIDE:
            # That a side sees its own and nothing else is not left to the judgement under attack.
            world = self.campaign.world
            others = (name for name, unit in units.items() if world.side_of(unit.spec.nation) != seat.side)
            assert self.hidden == sorted(others)
        self.accounts = sorted(each for each in self.campaign.state.balances if not self.sight.account(each))
        names = sorted(units, key=len, reverse=True)
        self._names = re.compile(r"(?<![\w/-])(?:" + "|".join(map(re.escape, names)) + r")(?![\w/-])")
        invitation, _ = server.app.state.registry.invite("east", seat)
        self.key = {"authorization": f"Bearer {server.app.state.registry.new_key(invitation.id)}"}
        self.visitor: Visitor = server.seated(seat)
        # Some names stand as examples in the help of commands and fields, whatever campaign it is.
        shown = server.client.get(f"{API}/commands", headers=self.key).text
        self._examples = set(self._names.findall(shown))
        self.learned: list[str] = []

    def _hide_the_balances(self) -> None:
        """Add a number that is known at sight to everything the seat does not see."""
        campaign = self.campaign
        unseen = (each for each in sorted(campaign.state.balances) if not self.sight.account(each))
        hidden = [each for each in unseen if is_pool(each.pool)]
        events: list[Any] = [
            Transferred(Fraction(1 + number % 7, ODD), each.kind, each.nation, CORRECTION, each.pool)
            for number, each in enumerate(hidden)
        ]
        campaign.write(Entry(n=campaign.seq + 1, at=campaign.state.clock, do=Note(text="x"), events=events))
        evolve(campaign.state, events)
        self.table.tell()

    # ------------------------------------------------------------------------------------- what was learned

    def heard(self, where: str, text: str, asked: str = "") -> None:
        """Note what an answer tells of what is hidden, apart from what was asked in the first place."""
        text = unescape(EXAMPLES.sub("", text))
        known = set(self._names.findall(asked)) | self._examples
        told = {name for name in self._names.findall(text) if name not in known} & set(self.hidden)
        # A balance of quarters has its small fraction over 4036.
        told |= {each[0] for each in FRACTION.finditer(text) if int(each[1]) % ODD == 0}
        if SECRET in text and self._secrets(text):
            told.add(SECRET)
        for each in sorted(told):
            at = text.find(each)
            self.learned.append(f"{where}: {each}: …{text[max(at - 80, 0) : at + 60]!r}")

    def _secrets(self, text: str) -> bool:
        others = [side for side in self.campaign.world.sequence.players if side != self.seat.side]
        return any(f"{SECRET} of {side}" in text for side in others)

    # --------------------------------------------------------------------------------------------- orders

    def give(self, order: Command, **wish: Any) -> Any:
        body = codec.encode({"order": order, **wish})
        headers = {"content-type": "application/json"} | self.key
        return self.server.client.post(f"{API}/do", content=body, headers=headers)

    def theirs(self, state: State) -> dict[str, Any]:
        """All of the state that is not the seat's: units, balances and markers."""
        found: dict[str, Any] = {name: state.units.get(name) for name in self.hidden}
        found |= {str(account): state.balances.get(account) for account in self.accounts}
        found |= {on: dict(marks) for on, marks in state.marks.items() if self._is_theirs(state, on)}
        return found

    def _is_theirs(self, state: State, on: str) -> bool:
        kind, _, name = on.partition("/")
        if kind == "unit":
            return name in self.hidden
        if kind == "nation":
            return not self.sight.nation(name)
        world = self.campaign.world
        if kind == "air-pool":
            return any(name.endswith(f" {nation}") for nation in world.sides if not self.sight.nation(nation))
        if kind in ("place", "area"):
            # What the map shows is said by whoever moves on it.
            elsewhere = self.seat.front and self.seat.front not in (world.areas_of_subject(on) or ())
            return bool(elsewhere) or world.phasing(state) != self.seat.side
        return world.side_of_subject(state, on) not in (None, "", self.seat.side)

    def try_order(self, order: Command) -> None:
        text = codec.encode(order).decode()
        before = self.theirs(self.campaign.state)
        for wish in ({"dry_run": True}, {"override": "because I say so"}):
            answer = self.give(order, **wish)
            if answer.json().get("kind") == "die":
                answer = self.give(order, **wish, dice=[3])
            self.heard(f"do {text} {wish}", answer.text, text)
            assert answer.status_code < 500, text
            if answer.status_code == 200 and not wish.get("dry_run"):
                now = self.theirs(self.campaign.state)
                changed = sorted(name for name in before.keys() | now.keys() if before.get(name) != now.get(name))
                if changed:
                    self.learned.append(f"do {text} {wish}: changed {changed[:4]}")
                self.campaign.undo()

    def look(self, path: str, asked: str = "") -> str:
        api = path.startswith("/api")
        answer = self.server.client.get(path, headers=self.key) if api else self.visitor.get(path)
        assert answer.status_code < 500, path
        self.heard(path, answer.text, f"{asked} {unquote_plus(path).replace('/', ' ')}")
        return str(answer.text)


@pytest.fixture
def attack(
    tmp_path: Path, played: Callable[[str, str], Path], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., Attack]]:
    # This is more than a fair pace; that one is kept is tested below.
    monkeypatch.setattr(Pace, "allows", lambda *_: True)
    running: list[TestClient] = []

    def start(scenario: str, turn_of: str, seat: Seat) -> Attack:
        folder = tmp_path / f"shelf{len(running)}"
        folder.mkdir()
        shutil.copy(played(scenario, turn_of), folder / "east.fp")
        app = make_app(folder, public=True)
        client = TestClient(app, base_url="http://localhost")
        running.append(client.__enter__())
        return Attack(Server(app, client), seat)

    yield start
    for client in running:
        client.__exit__(None, None, None)


# ---------------------------------------------------------------------------------- orders about what is theirs


class Theirs:
    """Names of what is not the seat's, to be put into the fields of every command."""

    def __init__(self, attack: Attack) -> None:
        campaign, sight = attack.campaign, attack.sight
        state, world = campaign.state, campaign.world
        units = [state.units[name] for name in attack.hidden]
        somewhere = {unit.place.kind: unit for unit in units}
        self.units = [unit.id for unit in [*somewhere.values(), *units[:: max(len(units) // 4, 1)]]]
        nations = sorted({unit.spec.nation for unit in units})
        pools = sorted({each.pool for each in attack.accounts if is_pool(each.pool)})
        places = sorted({unit.place.of for unit in units if unit.place.on_map})
        areas = sorted(getattr(world, "areas", {}))
        self.by_sort: dict[str, list[str]] = {
            given.UNIT.what: self.units,
            given.UNITS.what: self.units,
            given.POOLS.what: pools,
            given.NATION.what: [each for each in nations if not sight.nation(each)] or nations,
            given.POOL.what: pools,
            given.AREA.what: areas[:: max(len(areas) // 5, 1)],
            given.PLACE.what: places[:: max(len(places) // 4, 1)],
            given.FACT.what: ["owner", "activity", "supplied", "isolated"],
            given.KIND.what: ["inf", "arm"],
        }

        self.entries = list(_entries(attack))

    def for_field(self, field: Field) -> list[str]:
        """What of theirs could stand in a field."""
        pools, nations = self.by_sort[given.POOL.what], self.by_sort[given.NATION.what]
        if field.takes == YES_NO:
            return ["yes", ""]
        if field.takes == COUNTER:
            return ["4-6 Inf XX"]
        if field.name == "about":
            return [
                f"unit/{self.units[0]}",
                *self.by_sort[given.PLACE.what],
                f"nation/{nations[0]}",
                *self.units,
            ]
        if field.name in ("amount", "points"):
            return ["1", "99999999999"]
        if field.name == "entry":
            return self.entries or ["1"]
        if field.name in ("frm", "from_", "to", "source", "target", "account"):
            return pools
        return (
            list(field.words) or self.by_sort.get(field.offers, []) or ["1", self.units[-1], *pools[:2], *nations[:1]]
        )


def _entries(attack: Attack) -> Iterator[str]:
    """The keys of the order of battle's entries that are not the seat's."""
    world, state = attack.campaign.world, attack.campaign.state
    listed = world.game.views.get("order-of-battle")
    for each in listed(world, state, side="") if listed else ():
        if attack.seat.front or not attack.sight.side(each.side):
            yield each.key


def made_up(attack: Attack) -> Iterator[Command]:
    """Every command of the game with what is not the seat's in its fields."""
    theirs, game = Theirs(attack), attack.campaign.world.game
    for cls in game.commands:
        fields = fields_of(cls)
        for variant in range(VARIANTS):
            listed = {each.name: theirs.for_field(each) for each in fields}
            chosen = {name: words[variant % len(words)] for name, words in listed.items()}
            order = _built(game, cls, fields, chosen) or _built(
                game, cls, [each for each in fields if each.required], chosen | dict.fromkeys(_numbers(cls), "1")
            )
            if order is not None:
                yield order


def _numbers(cls: type[Command]) -> list[str]:
    return [name for name, type_ in get_type_hints(cls).items() if type_ in (int, Fraction, int | None)]


def _built(game: Any, cls: type[Command], fields: Iterable[Field], chosen: dict[str, str]) -> Command | None:
    try:
        return from_words(game, command_name(cls), in_words(fields, lambda name: chosen[name]))
    except BadCommand:
        return None


def declared(attack: Attack) -> Iterator[Command]:
    """Every fact that can be declared, said of what is not the seat's."""
    theirs, world = Theirs(attack), attack.campaign.world
    subjects = {
        "place": theirs.by_sort[given.PLACE.what],
        "area": theirs.by_sort[given.AREA.what],
        "nation": theirs.by_sort[given.NATION.what],
        "unit": theirs.units,
    }
    for fact in world.game.facts:
        value: Any = {YES_NO: not fact.default, NUMBER: 3}.get(fact.takes, fact.values[-1] if fact.values else "Axis")
        for kind in fact.on:
            for name in subjects.get(kind, [])[:2]:
                about = {"unit": name} if kind == "unit" else {"about": name}
                yield Declare(fact=fact.name, value=value, **about)


def mixed(attack: Attack) -> Iterator[Command]:
    """Orders that are the seat's own but for one field."""
    world, state, theirs = attack.campaign.world, attack.campaign.state, Theirs(attack)
    own: dict[str, Command] = {}
    mine = [unit for unit in state.units.values() if attack.sight.unit(unit)]
    for unit in mine[:: max(len(mine) // 40, 1)]:
        for choice in options(world, state, unit):
            if choice.open or command_name(choice.command) not in own:
                own[command_name(choice.command)] = choice.command
    for item in agenda(world, state, side=attack.seat.side):
        if item.command is not None and attack.sight.item(item):
            own[command_name(item.command)] = item.command
    for order in own.values():
        fields = fields_of(type(order))
        written = {each.name: "" for each in fields} | filled_in(json.loads(codec.encode(order)))
        for each in fields:
            for text in theirs.for_field(each)[:2]:
                made = _built(world.game, type(order), fields, written | {each.name: text})
                if made is not None:
                    yield made


SPELLINGS: list[Callable[[str], str]] = [
    str.upper,
    lambda pool: pool.partition("/")[2] or pool,
    pool_in_words,
    lambda pool: f"  {pool.title()} ",
    lambda pool: "",
]
"""How one may write a pool, or leave it to the rules which is meant."""


def spelled(attack: Attack) -> Iterator[Command]:
    """Every command for more than anyone has, out of pools that are not the seat's, however they are written."""
    theirs, game, state = Theirs(attack), attack.campaign.world.game, attack.campaign.state
    own = sorted(set(state.units) - set(attack.hidden))
    for cls in game.commands:
        fields = fields_of(cls)
        known = {each.name: theirs.for_field(each)[0] for each in fields} | {
            "unit": own[0],
            "units": own[0],
            "nation": state.units[own[0]].spec.nation.upper(),
            "points": "999 inf",
            "arps": "999",
            "amount": "999",
        }
        for pool in theirs.by_sort[given.POOL.what][:4]:
            for spelling in SPELLINGS:
                chosen = known | dict.fromkeys(("pool", "pay_from", "into", "to"), spelling(pool))
                needed = [each for each in fields if each.required]
                order = _built(game, cls, fields, chosen) or _built(game, cls, needed, chosen)
                if order is not None:
                    yield order


def ready(attack: Attack) -> Iterator[Command]:
    """Orders that would be lawful from the seat whose they are."""
    world, state = attack.campaign.world, attack.campaign.state
    for item in list(agenda(world, state)):
        if item.command is not None and not attack.sight.item(item):
            yield item.command
    for name in attack.hidden[:: max(len(attack.hidden) // 25, 1)]:
        for choice in options(world, state, state.units[name])[:4]:
            yield choice.command


FULL = [
    ("smolensk", "Axis", AXIS),
    ("smolensk", "Axis", SOVIET),
    ("smolensk", "Soviet", AXIS),
    ("smolensk", "Soviet", SOVIET),
    ("smolensk", "Axis", CENTRE),
    ("smolensk", "Axis", WATCHER),
    (DEMONSTRATION, "Axis", AXIS),
    (DEMONSTRATION, "Soviet", SOVIET),
    (DEMONSTRATION, "Axis", CENTRE),
]
every_seat = pytest.mark.parametrize(("scenario", "turn_of", "seat"), FULL)


@every_seat
def test_no_order_touches_or_tells_what_is_not_the_seats(
    attack: Callable[..., Attack], scenario: str, turn_of: str, seat: Seat
) -> None:
    it = attack(scenario, turn_of, seat)
    for order in [*made_up(it), *mixed(it), *declared(it), *list(ready(it))[:MOST_READY]]:
        it.try_order(order)
    assert not it.learned, "\n".join(it.learned[:40])


# -------------------------------------------------------------------------------------- pages about what is theirs


def addresses(attack: Attack) -> Iterator[str]:
    """Every page and every answer of the API, asked for what is not the seat's."""
    theirs = Theirs(attack)
    yield from (f"/c/east{page.path}" if page.path != "/unit" else "/c/east/unit/x" for page in all_pages())
    for name in theirs.units:
        yield from _about_a_unit(name)
    for account in attack.accounts[:: max(len(attack.accounts) // 12, 1)]:
        pool, nation, kind = account.pool, account.nation, account.kind
        yield f"/c/east/pools?{urlencode({'pool': pool, 'of': nation, 'kind': kind})}"
        yield f"{API}/why?{urlencode({'pool': pool, 'nation': nation, 'kind': kind})}"
        yield f"{API}/ledger?{urlencode({'pool': pool, 'nation': nation})}"
        yield from (f"{API}/log?{urlencode({'pool': pool})}", f"/c/east/journal?{urlencode({'pool': pool})}")
        yield f"/c/east/find?{urlencode({'q': pool})}"
    for place in theirs.by_sort[given.PLACE.what]:
        at = quote(place, safe="")
        yield from (f"/c/east/map?at={at}", f"/c/east/map?zoom=4&at={at}", f"/c/east/map?line=supply&of={at}")
    for word in (SECRET, "XX", "Inf", "arm", "rebuild", str(ODD)):
        yield from (f"/c/east/find?q={word}", f"/c/east/journal?words={word}", f"{API}/log?words={word}&limit=999")
    last = attack.table.seq
    yield from (f"/c/east/journal/{number}" for number in range(max(last - 12, 2), last + 1))
    yield from (f"/c/east/journal?before={last - 30}", "/c/east/ob?all", "/c/east/ob/text", "/c/east/ob/download")
    yield from (f"{API}{path}" for path in ("", "/todo", "/units?limit=999", "/ledger", "/log?limit=999", "/commands"))
    yield from (f"{API}{path}" for path in ("/hooks", "/house-rules", "/reserves", "/air", "/factories"))
    yield from ("/", "/api/campaigns", "/c/east/export", "/c/east/seats", "/c/east/map?zoom=1")
    yield from (f"/c/east/rules/{clause}" for clause in ("52.A.9.d/2", "52.A.9.d/3", "51.A.1/1", "52.B.1/1"))


def _about_a_unit(name: str) -> Iterator[str]:
    path, said = quote(name), quote(name, safe="")
    yield from (f"/c/east/unit/{path}", f"{API}/units/{path}", f"{API}/options/{path}", f"{API}/units?words={said}")
    yield f"/c/east/pool?unit={said}&q={said}&map=yes&out=yes"
    yield f"/c/east/pool?unit={quote(name.casefold(), safe='')}"
    yield from (f"/c/east/find?q={said}", f"/c/east/journal?unit={said}", f"{API}/log?unit={said}")
    yield from (f"/c/east/losses?q={said}", f"/c/east/map?at={said}", f"/c/east/map?line=supply&of={said}")
    yield f"/c/east/order/lose?unit={said}"


LINK = re.compile(r'href="(/c/east[^"#]*)')


@every_seat
def test_no_page_and_no_answer_tells_what_is_not_the_seats(
    attack: Callable[..., Attack], scenario: str, turn_of: str, seat: Seat
) -> None:
    it = attack(scenario, turn_of, seat)
    links = [link for path in dict.fromkeys(addresses(it)) for link in LINK.findall(it.look(path))]
    followed: dict[str, int] = {}
    for link in dict.fromkeys(map(unescape, links)):
        # Of each kind of page some are followed; which they are is the same each time.
        kind = "/".join(link.partition("?")[0].split("/")[:4])
        if followed.setdefault(kind, 0) < MOST_FOLLOWED:
            followed[kind] += 1
            it.look(link)
    assert not it.learned, "\n".join(it.learned[:40])


# ------------------------------------------------------------------------------------- what pages let one try


SIDES_OF_SMOLENSK = [("smolensk", "Axis", AXIS), ("smolensk", "Axis", SOVIET), ("smolensk", "Axis", CENTRE)]
each_seat = pytest.mark.parametrize(("scenario", "turn_of", "seat"), SIDES_OF_SMOLENSK)


@each_seat
def test_trying_an_order_or_a_loss_tells_nothing(
    attack: Callable[..., Attack], scenario: str, turn_of: str, seat: Seat
) -> None:
    it = attack(scenario, turn_of, seat)
    for order in [*made_up(it), *ready(it)][::3]:
        written = filled_in(json.loads(codec.encode(order)))
        form = {f"f.{name}": text for name, text in written.items() if name != "command"}
        tried = it.visitor.post(f"/c/east/order/{command_name(order)}/try", form, **{"x-part": "yes"})
        assert tried.status_code < 500
        it.heard(f"try {written}", tried.text, " ".join(written.values()))
    names = [name for full in Theirs(it).units for name in (full, full[:-1], full.split()[0], full.partition(" ")[2])]
    text = "\n".join(names)
    it.heard("losses/try", it.visitor.post("/c/east/losses/try", {"text": text}, **{"x-part": "yes"}).text, text)
    before = it.theirs(it.campaign.state)
    told = it.visitor.post("/c/east/losses", {"text": text})
    it.heard("losses", told.text, text)
    assert it.theirs(it.campaign.state) == before
    checked = it.visitor.post("/c/east/ob/text", {"text": f"Oct 3 41\n{text}"})
    it.heard("ob/text", checked.text, text)
    assert not it.learned, "\n".join(it.learned[:40])


@pytest.mark.parametrize(
    ("turn_of", "seat"), [("Axis", CENTRE), ("Soviet", Seat(FRONT, "Soviet", "front/west")), ("Soviet", SOVIET)]
)
def test_no_spelling_of_a_pool_tells_what_it_holds(attack: Callable[..., Attack], turn_of: str, seat: Seat) -> None:
    it = attack("smolensk", turn_of, seat)
    orders = {codec.encode(order): order for order in spelled(it)}
    assert len(orders) > 100
    for order in orders.values():
        it.heard("spelled", it.give(order, dry_run=True).text, codec.encode(order).decode())
    assert not it.learned, "\n".join(it.learned[:40])


@each_seat
def test_the_stream_of_entries_tells_only_the_seats_own(
    attack: Callable[..., Attack], scenario: str, turn_of: str, seat: Seat
) -> None:
    it = attack(scenario, turn_of, seat)
    place: Any = Here(it.server.client.build_request("GET", "/"), it.table, seat, None)  # type: ignore[arg-type]
    it.heard("events", b"".join(new_entries(place, 1, place.table.seq)).decode())
    assert not it.learned, "\n".join(it.learned[:40])


@each_seat
def test_a_hidden_unit_is_answered_like_one_that_never_was(
    attack: Callable[..., Attack], scenario: str, turn_of: str, seat: Seat
) -> None:
    it = attack(scenario, turn_of, seat)
    hidden, tried = set(it.hidden), 0
    for order in [*made_up(it), *mixed(it)]:
        texts = [name for name in order.__struct_fields__ if str(getattr(order, name)) in hidden]
        # What is wrong with a text is told by its words, which differ between any two names.
        fields = [name for name in texts if name != "text"]
        never = replace(order, **dict.fromkeys(fields, NOBODY))
        for field in fields:
            name = getattr(order, field)
            there, nowhere = it.give(replace(never, **{field: name}), dry_run=True), it.give(never, dry_run=True)
            tried += 1
            assert there.status_code == nowhere.status_code, order
            assert there.text.replace(name, NOBODY) == nowhere.text, order
    assert tried > 30


@pytest.mark.parametrize("seats", [(), ("Axis", "Soviet")])
def test_nobody_turns_back_what_others_did(serve: Serve, seats: tuple[str, ...]) -> None:
    server = serve(public=True, seats=seats)
    axis, soviet = server.seated(AXIS), server.seated(SOVIET)
    host = server.seated(Seat(HOST), campaign="")
    rebuild = {"command": "rebuild-cadre", "unit": "6 Pz XX", "pay_from": "front/centre"}
    assert axis.post("/c/east/do", {"order": json.dumps(rebuild)}).json()["accepted"]
    for wish in ({}, {"to": "2"}):
        assert soviet.post("/c/east/undo", wish).json()["accepted"] is False
    put = {"command": "put-unit", "unit": "161 Inf XX", "step": "cadre", "note": "it stood so"}
    assert host.post("/c/east/do", {"order": json.dumps(put)}).json()["accepted"]
    assert soviet.post("/c/east/undo", {}).json()["kind"] == "forbidden", "what the host put right is the host's"
    campaign = server.app.state.shelf.table("east").campaign
    assert (campaign.state.units["6 Pz XX"].step, campaign.state.units["161 Inf XX"].step) == ("full", "cadre")
    assert host.post("/c/east/undo", {}).json()["accepted"]
    assert axis.post("/c/east/undo", {}).json()["accepted"], "one's own one may"
    assert soviet.post("/c/east/redo", {}).json()["accepted"] is False


def test_a_filter_of_the_journal_does_not_tell_where_a_hidden_unit_was_named(attack: Callable[..., Attack]) -> None:
    it = attack(DEMONSTRATION, "Axis", SOVIET)
    for name in it.hidden[:: max(len(it.hidden) // 40, 1)]:
        told = it.server.client.get(f"{API}/log?unit={quote(name, safe='')}", headers=it.key).json()
        assert told["entries"] == [], name


# ------------------------------------------------------------------------------------------------- the door


def test_a_session_that_someone_else_planted_gets_no_seat(serve: Serve) -> None:
    server = serve(public=True)
    attacker, victim = server.visitor(), server.visitor()
    attacker.get("/")
    victim.cookie = attacker.cookie
    _, word = server.app.state.registry.invite("east", AXIS)
    victim.get(f"/join/{word}")
    assert victim.post(f"/join/{word}").status_code == 303
    assert victim.cookie != attacker.cookie
    assert victim.get("/c/east").status_code == 200
    assert attacker.get("/c/east").status_code == 404


def test_seats_from_before_come_along_into_the_new_session(serve: Serve) -> None:
    server = serve(public=True)
    visitor = server.seated(Seat(HOST), campaign="")
    _, word = server.app.state.registry.invite("east", AXIS)
    visitor.get(f"/join/{word}")
    assert visitor.post(f"/join/{word}").status_code == 303
    assert "/c/east" in visitor.get("/").text, "still the host"


def test_a_cookie_of_another_server_is_a_stranger(serve: Serve) -> None:
    one, other = serve(public=True), serve(public=True)
    axis = one.seated(AXIS)
    stranger = other.visitor()
    stranger.cookie = axis.cookie
    assert stranger.get("/c/east").status_code == 404


@pytest.mark.parametrize("token", ["é" * 64, "\x00", "0" * 64, "A" * 5000, "💥"])
def test_a_forged_token_is_turned_away(home: Visitor, token: str) -> None:
    answer = home.post("/c/east/do", {"token": token, "order": '{"command": "advance"}'})
    assert answer.status_code == 403


@pytest.mark.parametrize(
    "origin", ["null", "http://localhost.evil.example", "http://localhost:81", "https://evil.example/localhost", "x"]
)
def test_a_foreign_origin_is_turned_away(home: Visitor, origin: str) -> None:
    assert home.post("/c/east/do", {"order": '{"command": "advance"}'}, origin=origin).status_code == 403


def test_a_session_alone_does_not_open_the_api_for_writing(serve: Serve) -> None:
    axis = serve(public=True).seated(AXIS)
    headers = {"cookie": axis.cookie, "content-type": "application/json"}
    body = json.dumps({"order": {"command": "advance"}})
    refused = axis.client.post(f"{API}/do", content=body, headers=headers)
    assert refused.status_code == 403
    axis.client.cookies.clear()
    done = axis.client.post(f"{API}/do", content=body, headers=headers | {"x-token": axis.token})
    assert done.status_code == 200


@pytest.mark.parametrize("path", ["/c/east/do", "/c/east/losses", f"{API}/do", f"{API}/losses"])
def test_a_body_of_untold_length_is_cut_off(home: Visitor, path: str) -> None:
    kind = "application/json" if path.startswith("/api") else "application/x-www-form-urlencoded"
    sent = (b"x" * 65536 for _ in range(100))
    answer = home.client.post(path, content=sent, headers={"content-type": kind, "cookie": home.cookie})
    assert answer.status_code == 413


OUTLANDISH = [
    "/c/east/journal/" + "9" * 5000,
    "/c/east/journal?before=" + "9" * 5000,
    "/c/east/journal?before=٣",
    f"{API}/log?before={'9' * 5000}",
    "/c/east/pool?from=" + "9" * 5000,
    "/c/east/map?at=@9999999999.1&view=1.²",
    "/c/east/unit/%ff%fe",
    "/c/east/find?q=%00",
    "/c/east/order?order=" + "[" * 3000,
    '/c/east/order?order={"command":"%5Cud800"}',
    "/c/east/rules/%E2%80%AE",
]


@pytest.mark.parametrize("path", OUTLANDISH)
def test_an_outlandish_address_is_no_server_error(home: Visitor, path: str) -> None:
    assert home.get(path).status_code < 500


@pytest.mark.parametrize(
    "order",
    [
        '{"command": "note", "text": "\\ud800"}',
        '{"command": "note", "text": "a\\u0000b\\u202e"}',
        '{"command": "\\ud800"}',
        '{"command": ["advance"]}',
        "[" * 5000,
        "9" * 5000,
        '{"command": "advance", "x": ' + "9" * 5000 + "}",
    ],
)
def test_an_outlandish_order_is_no_server_error(home: Visitor, order: str) -> None:
    home.client._transport.raise_server_exceptions = False  # type: ignore[attr-defined]
    assert home.post("/c/east/do", {"order": order}).status_code < 500
    assert home.get("/c/east/journal").status_code == 200
    body = f'{{"order": {order}}}'.encode()
    sent = home.client.post(f"{API}/do", content=body, headers={"content-type": "application/json"})
    assert sent.status_code < 500


def test_a_name_cannot_smuggle_a_header(serve: Serve) -> None:
    server = serve(public=True)
    referee = server.seated(Seat(REFEREE))
    wish = {"role": "side", "side": "Axis", "name": 'Otto\r\nset-cookie: x=y\r\n\r\n<script>"'}
    made = referee.post("/c/east/seats/invite", wish, accept="text/html")
    assert made.status_code == 200
    assert "set-cookie" not in made.headers
    assert "<script>" not in made.text.replace('<script type="module"', "")
    back = referee.post(
        "/c/east/do",
        {"order": '{"command": "note", "text": "x"}', "back": "/c/east\r\nset-cookie: x=y"},
        accept="text/html",
    )
    assert "set-cookie" not in back.headers
    away = referee.post(
        "/c/east/do", {"order": '{"command": "note", "text": "x"}', "back": "//evil.example/"}, accept="text/html"
    )
    assert away.headers["location"].startswith("/c/east")


def test_nothing_of_a_campaign_is_kept_by_the_browser_or_told_to_other_sites(home: Visitor) -> None:
    for path in ("/", "/c/east", "/c/east/pool", "/c/east/journal", f"{API}/units", "/c/east/ob/download", "/c/none"):
        answer = home.get(path)
        assert answer.headers["cache-control"] == "no-store", path
        assert answer.headers["referrer-policy"] in ("no-referrer", "same-origin"), path
        assert answer.headers["x-content-type-options"] == "nosniff", path


def test_secrets_are_told_once_and_never_stand_in_an_address(serve: Serve) -> None:
    server = serve(public=True)
    axis = server.seated(AXIS)
    made = axis.post("/c/east/seats/key", {}, accept="text/html")
    key = re.search(r"fp_[\w-]{20,}", made.text)
    assert key
    assert "location" not in made.headers
    assert key[0] not in axis.get("/c/east/seats").text
    assert server.client.get(API, headers={"authorization": f"Bearer {key[0]}"}).status_code == 200
    assert server.client.get(f"{API}?key={key[0]}&authorization={key[0]}").status_code == 401
    server.client.cookies.clear()


@pytest.mark.parametrize("header", ["cookie", "authorization"])
def test_made_up_cookies_and_keys_do_not_lift_the_pace(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, header: str
) -> None:
    monkeypatch.setattr(security, "time", SimpleNamespace(monotonic=lambda: 0.0))
    guard = security.Guard(serve(public=True).app, public=True)
    scope = {"path": "/c/east", "client": ("192.0.2.1", 1)}
    allowed = [guard._in_pace(scope, Headers({header: f"x={number}"}), False) for number in range(1600)]
    assert (allowed[0], allowed[-1]) == (True, False)
    assert guard._in_pace(scope | {"client": ("192.0.2.2", 1)}, Headers({}), False), "others are not held up"
