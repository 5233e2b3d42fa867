"""Plays the demonstration campaign through the engine, from its screenplay, and writes it as plain text.

    python -m tools.east1941.play            writes the journal that ships with the scenario
    python -m tools.east1941.play FILE       leaves the campaign in FILE as well, to look at

The screenplay, campaign.txt, is what two players and their rear areas did in six turns: where the armies went, what was
lost, what was bought. Every line becomes a command of the seat it belongs to; whatever the checklist calls due and the
screenplay does not mention is done as the checklist proposes it.
"""

import re
import shlex
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, cast

from forcepool import __version__, games
from forcepool.engine.agenda import DUE, agenda
from forcepool.engine.campaign import Campaign, Done
from forcepool.engine.command import BadCommand, Command, command_name
from forcepool.engine.desk import Advance, Declare
from forcepool.engine.desk import Note as Remark
from forcepool.engine.dice import RollNeeded
from forcepool.engine.options import options
from forcepool.engine.verdicts import Refusal
from forcepool.engine.world import find_unit
from forcepool.games.europa.air.rebasing import RebaseAir
from forcepool.games.europa.mapfacts.moving import MoveUnits
from forcepool.games.europa.mapfacts.still_standing import to_be_cleared
from forcepool.games.europa.mapfacts.taking import TakeHexes
from forcepool.games.europa.reinforcements.appearing import Reinforce
from forcepool.games.europa.replacements.general.placement import PlaceUnit
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.book import load
from forcepool.store.open import campaign_file, create_campaign
from forcepool.store.textfile import export_text
from forcepool.views.losses import read_losses
from forcepool.views.orders import from_words
from forcepool.views.scenarios import shipped_scenario
from tools.east1941 import geography

HERE = Path(__file__).parent
SCREENPLAY = HERE / "campaign.txt"
JOURNAL = HERE.parent.parent / "src" / "forcepool" / "scenarios" / "east-1941.journal"
SCENARIO, GAME = "east-1941", "europa"
SEATS = ("Axis", "Soviet")
PLACES = (Reinforce, PlaceUnit)
PURCHASES = ("replace", "rebuild-cadre", "rebuild-substitute")
SEED = sha256(b"the demonstration of forcepool, 2").digest()
BEGUN = datetime(2026, 9, 5, 17, 30, tzinfo=UTC)
"""The evening of the first turn; a week later they play the next."""

_ALL = re.compile(r"all (?P<side>Axis|Soviet)(?: (?P<kind>.+?))? at (?P<place>.+?)(?P<how> isolated| -> cadre)?")
_WHEN = re.compile(r"(?P<turn>\w{3} \d \d\d), (?P<player>\w+) (?P<phase>\w+)")


class Wrong(Exception):
    """A line of the screenplay that cannot be played."""


class Line(NamedTuple):
    """One line, and where it stands."""

    number: int
    text: str


class Scene(NamedTuple):
    """A phase, and what was done in it."""

    turn: str
    player: str
    phase: str
    lines: list[Line]


def scenes(text: str) -> Iterator[Scene]:
    """The screenplay, phase by phase."""
    scene: Scene | None = None
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.partition("#")[0].rstrip()
        if not line:
            continue
        if found := _WHEN.fullmatch(line):
            if scene:
                yield scene
            scene = Scene(found["turn"], found["player"], found["phase"], [])
        elif scene is None:
            raise Wrong(f"line {number}: '{line}' stands before the first phase")
        else:
            scene.lines.append(Line(number, line.strip()))
    if scene:
        yield scene


class Player:
    """Plays a screenplay on a campaign."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign, self.minutes = campaign, 0
        self.first = campaign.state.clock.turn
        table = geography.cities()
        self.around = geography.surroundings(table, geography.grid(table))

    # ------------------------------------------------------------------------------------- giving orders

    def when(self) -> str:
        """A time that advances by a minute an entry, and a week a turn."""
        week = timedelta(weeks=self.campaign.state.clock.turn - self.first)
        self.minutes += 1
        return (BEGUN + week + timedelta(minutes=self.minutes)).strftime("%Y-%m-%dT%H:%M:%SZ")

    @property
    def phasing(self) -> str:
        side = self.campaign.world.phasing(self.campaign.state)
        return side if side in SEATS else ""

    def seat_for(self, unit: str) -> str:
        nation = find_unit(self.campaign.state, unit).spec.nation
        return self.campaign.world.side_now(self.campaign.state, nation)

    def give(self, command: Command, seat: str, override: str = "") -> None:
        """Give a command that must go through."""
        outcome = self.campaign.do(command, seat=seat, override=override, when=self.when())
        if isinstance(outcome, Refusal):
            reasons = "; ".join(f"{each.clause} {each}" for each in outcome.reasons)
            raise Wrong(f"{command} was refused: {reasons}")

    def names(self, text: str) -> list[str]:
        """Names parted by commas; 'all Axis Inf XX at Suwalki' is every such ground unit that stands there."""
        found: list[str] = []
        for each in text.split(","):
            if every := _ALL.fullmatch(each.strip()):
                there = [unit for unit in self.campaign.state.stack(every["place"]) if "air" not in unit.spec.traits]
                names = [unit.id for unit in there if unit.id.endswith(every["kind"] or "")]
                names = [name for name in names if self.seat_for(name) == every["side"]]
                if not names:
                    raise Wrong(f"there is nothing like '{each.strip()}'")
                found += [f"{name}{every['how'] or ''}" for name in names]
            elif each.strip():
                found.append(each.strip())
        return found

    # -------------------------------------------------------------------------------------------- scenes

    def play(self, scene: Scene) -> None:
        """Go on to the phase of a scene, and do what it says."""
        self.go_to(scene)
        for line in scene.lines:
            try:
                self.act(line.text)
            except (Wrong, BadCommand, RollNeeded, ValueError) as error:
                raise Wrong(f"{SCREENPLAY.name}:{line.number}: {line.text}: {error}") from None

    def go_to(self, scene: Scene) -> None:
        world = self.campaign.world
        goal = f"{scene.turn}, {scene.player} {scene.phase} phase"
        latest = world.calendar.parse(scene.turn).turn
        while (now := world.when(self.campaign.state)) != goal:
            if self.campaign.state.clock.turn > latest:
                raise Wrong(f"{goal} never comes; it is {now}")
            self.do_what_is_due()
            self.see_who_stands_where()
            self.minutes = 0 if self.phasing == SEATS[0] and self.campaign.state.clock.phase == 0 else self.minutes
            self.give(Advance(), self.phasing)

    def do_what_is_due(self) -> None:
        """What the checklist proposes, until it has nothing to propose that goes through."""
        tried: set[Command] = set()
        while True:
            items = agenda(self.campaign.world, self.campaign.state, side=self.phasing)
            due = [item.command for item in items if item.kind == DUE and item.command not in tried]
            command = next((each for each in due if each is not None), None)
            if command is None:
                return
            tried.add(command)
            try:
                outcome = self.campaign.do(self.emptiest(command), seat=self.phasing, when=self.when())
            except (BadCommand, RollNeeded):
                continue
            if isinstance(outcome, Done):
                tried.discard(command)

    def see_who_stands_where(self) -> None:
        """Attackers move into the hex they attack; once the battle is over nobody stands on the enemy's ground."""
        world, state = self.campaign.world, self.campaign.state
        if world.phase(state) == "movement":
            return
        if left := [item.text for item in to_be_cleared(cast(EuropaWorld, world), state)]:
            raise Wrong(f"{world.when(state)}: {'; '.join(left)}")

    def emptiest(self, command: Command) -> Command:
        """The same placement at the least crowded of the places that are open to it."""
        if not isinstance(command, PLACES):
            return command
        state = self.campaign.state
        listed = options(self.campaign.world, state, find_unit(state, command.unit), names={command_name(command)})
        found = [each.command for each in listed if each.open and isinstance(each.command, PLACES)]
        return min(found, key=lambda each: (len(list(state.stack(each.at))), each.at), default=command)

    # --------------------------------------------------------------------------------------------- lines

    def act(self, text: str) -> None:
        word, _, rest = text.partition(" ")
        acts: dict[str, Callable[[str], None]] = {
            "take": self.take,
            "move": self.move,
            "lose": self.lose,
            "pocket": self.pocket,
            "relieve": self.relieve,
            "overrule": self.overrule,
            "spend": self.spend,
            "note": self.note,
            "undo": self.undo,
            "axis": lambda rest: self.order(rest, "Axis"),
            "soviet": lambda rest: self.order(rest, "Soviet"),
        }
        if word in acts:
            acts[word](rest)
        else:
            self.order(text, self.phasing)

    def order(self, text: str, seat: str, override: str = "") -> None:
        name, *words = shlex.split(text)
        self.give(from_words(self.campaign.world.game, name, words), seat, override)

    def take(self, rest: str) -> None:
        """take Minsk, Lida: the phasing side owns them now, and the country around them; of 3:4602 that hex alone."""
        places = self.names(rest)
        for place in places:
            left = [unit.id for unit in self.campaign.state.stack(place) if self.seat_for(unit.id) != self.phasing]
            if left:
                raise Wrong(f"{', '.join(left)} still stand at {place}")
        hexes = [label for place in places for label in self.around.get(place, [place])]
        self.give(TakeHexes(hexes=hexes, by=self.phasing), self.phasing)

    def move(self, rest: str) -> None:
        """move Kaunas: 3 Mot XX, 8 Pz XX"""
        place, _, named = rest.partition(": ")
        names, state, to = self.names(named), self.campaign.state, place.strip()
        flying = [name for name in names if "air" in find_unit(state, name).spec.traits]
        for name in flying:
            self.give(RebaseAir(unit=name, at=to), self.seat_for(name))
        if going := [name for name in names if name not in flying]:
            self.give(MoveUnits(units=going, to=to), self.seat_for(going[0]))

    def lose(self, rest: str) -> None:
        """lose 56 Rif XX, 6 Pz XX -> cadre: as a player would paste it."""
        # Attackers stand in the hex already: whoever is not said to be cut off still had a way out of it.
        losses = [each if "isolated" in each else f"{each} not isolated" for each in self.names(rest)]
        for line in read_losses(self.campaign, "\n".join(losses)).lines:
            if line.command is None or not line.taken:
                raise Wrong(f"'{line.text}': {line.problem}")
            self.give(line.command, self.seat_for(line.command.unit))  # type: ignore[attr-defined]

    def pocket(self, rest: str) -> None:
        """pocket Smolensk: 46 Rif XX, 152 Rif XX"""
        name, _, units = rest.partition(":")
        for unit in self.names(units):
            seat = self.seat_for(unit)
            for fact, value in (("isolated", "supply"), ("supply", "none"), ("pocket", name.strip())):
                self.give(Declare(fact=fact, unit=unit, value=value), seat)

    def relieve(self, rest: str) -> None:
        """relieve 46 Rif XX: it has broken out."""
        for unit in self.names(rest):
            for fact in ("isolated", "supply", "pocket"):
                self.give(Declare(fact=fact, unit=unit), self.seat_for(unit))

    def overrule(self, rest: str) -> None:
        """overrule "why" rebuild-cadre …"""
        why, *words = shlex.split(rest)
        command = from_words(self.campaign.world.game, words[0], words[1:])
        self.give(command, self.phasing, why)

    def spend(self, rest: str) -> None:
        """spend md/moscow on 3: buy back or rebuild three units from the pool, those lost first."""
        pool, _, number = rest.partition(" on ")
        left, state = int(number), self.campaign.state
        units = [unit for unit in state.units_in_order() if self.seat_for(unit.id) == self.phasing]
        for unit in sorted(units, key=lambda each: each.place.kind != "eliminated"):
            listed = options(self.campaign.world, self.campaign.state, unit, names=set(PURCHASES)) if left else []
            ways = [each.command for each in listed if each.open and getattr(each.command, "pay_from", "") == pool]
            if ways:
                self.give(ways[0], self.phasing)
                left -= 1
        if left:
            raise Wrong(f"{left} too many: nothing more is open to {pool}")

    def note(self, rest: str) -> None:
        self.give(Remark(text=rest), self.phasing)

    def undo(self, rest: str) -> None:
        self.campaign.undo(seat=self.phasing, when=self.when())


def begin(path: Path) -> None:
    """The campaign on its first turn, with the dice of the demonstration."""
    game = games.game(GAME)
    set_up = game.set_up(shipped_scenario(SCENARIO), ())
    create_campaign(
        path,
        game=GAME,
        title=set_up.title,
        ruleset=f"forcepool {__version__}, rulebook {load().version}",
        world=set_up.world,
        state=set_up.state,
        seats=SEATS,
        seed=SEED,
        when=BEGUN.strftime("%Y-%m-%dT%H:%M:%SZ"),
    )


def play(path: Path, screenplay: str) -> list[str]:
    """Play a screenplay into a new file, and give the campaign as the lines of a plain text."""
    begin(path)
    with campaign_file(path, games.build_world) as campaign:
        player = Player(campaign)
        for scene in scenes(screenplay):
            player.play(scene)
        return list(export_text(campaign.journal, lambda entry: [], with_secret=True))


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(folder) / "east-1941.fp"
        lines = play(path, SCREENPLAY.read_text("utf-8"))
    JOURNAL.write_text("\n".join(lines) + "\n", "utf-8", newline="\n")
    print(f"{lines[-1].split()[1]} entries, {JOURNAL.stat().st_size // 1024} KB")


if __name__ == "__main__":
    try:
        main()
    except Wrong as error:
        raise SystemExit(str(error)) from None
