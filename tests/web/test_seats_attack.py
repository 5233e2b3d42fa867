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
from typing import Any, get_type_hints
from urllib.parse import quote, unquote_plus, urlencode

import pytest
from starlette.testclient import TestClient

from forcepool import games
from forcepool.engine import codec
from forcepool.engine.agenda import agenda
from forcepool.engine.campaign import Campaign
from forcepool.engine.command import BadCommand, Command, command_name
from forcepool.engine.desk import CORRECTION, Advance, Note
from forcepool.engine.dice import RollNeeded
from forcepool.engine.events import Transferred
from forcepool.engine.journal import Entry
from forcepool.engine.ledger import is_pool
from forcepool.engine.options import options
from forcepool.engine.state import State, evolve
from forcepool.store.open import import_campaign, open_campaign
from forcepool.views.fields import (
    AREAS,
    COUNTER,
    FACTS,
    KINDS,
    NATIONS,
    PLACES,
    POOLS,
    STEPS_,
    UNITS,
    YES_NO,
    Field,
    fields_of,
    filled_in,
    in_words,
)
from forcepool.views.orders import from_words
from forcepool.views.scenarios import shipped_journal
from forcepool.web.app import make_app
from forcepool.web.pages import all_pages
from forcepool.web.seats import FRONT, OBSERVER, SIDE, Seat, Sight
from forcepool.web.security import Pace
from tests.web.conftest import Server, Visitor

AXIS, SOVIET = Seat(SIDE, "Axis"), Seat(SIDE, "Soviet")
CENTRE, WATCHER = Seat(FRONT, "Axis", "front/centre"), Seat(OBSERVER, "Axis")
DEMONSTRATION = "east-1941"
API = "/api/campaigns/east"
SECRET = "Xanthippe"
EXAMPLES = re.compile(r'placeholder="[^"]*"|<details class="how-to">.*?</details>', re.DOTALL)
ODD = 1009
ODD_POINTS = re.compile(rf"\d+/{ODD}\b")
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
        campaign._write(Entry(n=campaign.seq + 1, at=campaign.state.clock, do=Note(text="x"), events=events))
        evolve(campaign.state, events)
        self.table.tell()

    # ------------------------------------------------------------------------------------- what was learned

    def heard(self, where: str, text: str, asked: str = "") -> None:
        """Note what an answer tells of what is hidden, apart from what was asked in the first place."""
        text = unescape(EXAMPLES.sub("", text))
        known = set(self._names.findall(asked)) | self._examples
        told = {name for name in self._names.findall(text) if name not in known} & set(self.hidden)
        told |= set(ODD_POINTS.findall(text))
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
        for on, marks in state.marks.items():
            kind, _, name = on.partition("/")
            if (kind == "unit" and name in self.hidden) or (kind == "nation" and not self.sight.nation(name)):
                found[on] = dict(marks)
        return found

    def try_order(self, order: Command) -> None:
        text = codec.encode(order).decode()
        before = self.theirs(self.campaign.state)
        for wish in ({"dry_run": True}, {"override": "because I say so", "dice": [3]}):
            answer = self.give(order, **wish)
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
        client = TestClient(app)
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
            UNITS: self.units,
            NATIONS: [each for each in nations if not sight.nation(each)] or nations,
            POOLS: pools,
            AREAS: areas[:: max(len(areas) // 5, 1)],
            PLACES: places[:: max(len(places) // 4, 1)],
            FACTS: ["owner", "activity", "supplied", "isolated"],
            KINDS: ["inf", "arm"],
            STEPS_: ["cadre", "remnant"],
        }

        self.entries = list(_entries(attack))

    def for_field(self, field: Field) -> list[str]:
        """What of theirs could stand in a field."""
        pools = self.by_sort[POOLS]
        if field.takes == YES_NO:
            return ["yes", ""]
        if field.takes == COUNTER:
            return ["4-6 Inf XX"]
        if field.name == "about":
            return [f"unit/{self.units[0]}", *self.by_sort[PLACES], f"nation/{self.by_sort[NATIONS][0]}", *self.units]
        if field.name in ("amount", "points"):
            return ["1", "99999999999"]
        if field.name == "entry":
            return self.entries or ["1"]
        if field.name in ("frm", "from_", "to", "source", "target", "account"):
            return pools
        return self.by_sort.get(field.offers, []) or ["1", self.units[-1], *pools[:2], *self.by_sort[NATIONS][:1]]


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
    for order in [*made_up(it), *mixed(it), *list(ready(it))[:MOST_READY]]:
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
    for place in theirs.by_sort[PLACES]:
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
