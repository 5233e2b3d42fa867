"""The theatre of war: nations, areas with their pools and boxes, and places."""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, cast

from msgspec import Raw, Struct

from forcepool.engine import codec, naming
from forcepool.engine.calendar import Sequence
from forcepool.engine.command import BadCommand
from forcepool.engine.events import Value
from forcepool.engine.facts import Fact, subject_key
from forcepool.engine.hexmap.drawing import Drawing
from forcepool.engine.hexmap.hexmap import HexMap
from forcepool.engine.ledger import SINK, SOURCE
from forcepool.engine.places import Place
from forcepool.engine.sentence import Told, the_pool, the_pools
from forcepool.engine.standing import ALLOWANCE, COMING, COUNT, POOL, Standing
from forcepool.engine.state import State, Unit
from forcepool.games.europa import homes
from forcepool.games.europa.atlas import Atlas, Spot
from forcepool.games.europa.chapter import EuropaGame
from forcepool.games.europa.charts import Charts
from forcepool.games.europa.facts import SIDES_WITH, EuropaFacts
from forcepool.games.europa.general_pools import GENERAL, general_pool
from forcepool.games.europa.place_words import box_in_words
from forcepool.games.europa.point_words import forfeit_said, kind_called
from forcepool.games.europa.profile import Profile
from forcepool.games.europa.switches import PHASE_ORDER
from forcepool.rulebook.citations import computed

NATIONAL = homes.NATIONAL
LOCAL = "local/"
THEATRE = "theatre/"
LOSSES = "losses/"
DISRUPTED = "disrupted/"
DUE = "due/"
FORFEIT = "forfeit/"
MOVED = "moved/"
RECEIVED = "received/"
"""What a pool has received in this phase, and may still allot."""
NOT_POOLS = (LOSSES, DISRUPTED, DUE, SOURCE, SINK)
"""Accounts that keep count of points nobody can spend from there."""
BOOKS = ("losses", "disrupted", "debt", "deficit", "forfeit", "air-owed", "air-marker")
"""The first words of accounts that count what was lost or is owed."""
ALLOWANCES = ("limited", "capacity")
"""The first words of accounts that say how much may be done, and buy nothing."""

ELIMINATED = "eliminated"
ISOLATED = "isolated"
FORMING = "forming"
FORMING_BOX = "forming-box"
REINFORCEMENT_TRACK = "reinforcements"
SET_UP_BOX = "set-up"
"""Units listed at start whose hex their owner chooses."""
MIX = "mix"
"""Counters of the mix that no order of battle has brought into play."""


class Area(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A military district, front or theatre: what has a chart, boxes and a pool of its own."""

    within: str = ""
    """The front or theatre it belongs to."""
    country: str = ""


if TYPE_CHECKING:
    ChartBytes = Any
else:
    ChartBytes = Raw


class Setting(Struct, frozen=True, omit_defaults=True):
    """What the journal's first entry keeps of profile and scenario."""

    profile: Profile
    areas: dict[str, Area] = {}
    spots: dict[str, Spot] = {}
    charts: dict[str, ChartBytes] = {}
    map: Drawing | None = None


_setting = codec.decoder(Setting)
OF_NATIONS = ("replacement_city", "capital", "contingent", "depot_of", "possession_of", "entry_of")
"""The facts that name a nation, or several."""


class EuropaWorld(Charts):
    """The fixed surroundings of one campaign of this game."""

    game: EuropaGame

    def __init__(self, game: EuropaGame, setting: Setting, chart_types: Mapping[str, Any]) -> None:
        profile = setting.profile
        orders = sorted(profile.phase_orders.items())
        charts = {name: codec.decoder(chart_types[name]).decode(bytes(data)) for name, data in setting.charts.items()}
        super().__init__(
            game,
            Sequence(profile.players, profile.phases, tuple(phases for _, phases in orders), profile.phase_names),
            profile,
            charts,
        )
        self.setting = setting
        self.areas: Mapping[str, Area] = setting.areas
        self.spots: Mapping[str, Spot] = setting.spots
        naming.remember(self.areas)
        self._orders = {option: order for order, (option, _) in enumerate(orders, 1)}
        self._nations = profile.called()
        self._mothers = {name.casefold(): nation for name, nation in profile.mother_countries.items()}
        self.atlas = Atlas(setting.spots, setting.map)
        self._area_names = {name.casefold(): name for name in self.areas}
        self.kinds_of_point = (*profile.points, *game.points)
        self._pool_names: dict[str, str] = {}
        self._lines: dict[str, tuple[str, ...]] = {}

    if TYPE_CHECKING:

        def facts(self, state: State) -> EuropaFacts: ...

    def new_facts(self, state: State) -> EuropaFacts:
        knows = self.game.with_map if self.setting.map is not None else None
        return (knows or EuropaFacts)(self, state)

    @property
    def has_map(self) -> bool:
        return self.setting.map is not None

    @property
    def plays_reserves(self) -> bool:
        """Whether there are operational and strategic reserves; an edition may know none."""
        # Campaigns begun before there was a choice play them.
        return self.numbers.get("reserves_played", 1) != 0

    @property
    def unplayed(self) -> tuple[str, ...]:
        reserves = () if self.plays_reserves else ("reserves",)
        return reserves if "Soviet" in self.sequence.players else (*reserves, "replacements.soviet")

    @property
    def hexes(self) -> HexMap | None:
        """The hex map; None in a campaign that declares what is on the map."""
        return self.atlas.hexes

    def order_of_phases(self, state: State) -> int:
        """The order of the group's ruling on 51.A/2; a change of it holds from the next player-turn on."""
        return self.order_by(state.switches)

    @computed("51.A/2")
    def order_by(self, switches: Mapping[str, str]) -> int:
        """The order of phases that house rules ask for."""
        return self._orders.get(switches.get(PHASE_ORDER.key) or self.default_rulings[PHASE_ORDER.key], 0)

    def side_now(self, state: State, nation: str) -> str:
        """The side a nation fights on: that of the profile, until it is declared to have changed."""
        # Asked of every unit many times over; in most campaigns nobody changes sides.
        if not state.marked.get(SIDES_WITH):
            return self.side_of(nation)
        changed = state.mark(subject_key("nation", nation), SIDES_WITH)
        return str(changed.value) if changed else self.side_of(nation)

    def has_the_turn(self, state: State, side: str) -> bool:
        """Whether it is a side's player-turn; neutrals have none of their own and go with the last player's."""
        players, phasing = self.sequence.players, self.phasing(state)
        return phasing == side or (side not in players and phasing == players[-1])

    # ------------------------------------------------------------------------------------ names and pools

    def nation_named(self, text: str) -> str:
        """'German' and 'germany' are Germany."""
        found = self._nations.get(text.casefold())
        if not text.strip():
            raise BadCommand("say which nation, such as Germany")
        if found is None:
            close = get_close_matches(text.casefold(), sorted(self._nations), 1)
            hint = f"did you mean {self._nations[close[0]]}?" if close else "the profile lists the nations"
            if ours := self.profile.nations_of(text):
                hint = f"it is a side; name one of its nations, such as {ours[0]}"
            raise BadCommand(f"there is no nation '{text}'; {hint}")
        return found

    def holder_named(self, pool: str, text: str) -> str:
        """Whose points are meant: a nation's, or what a side has in common, such as Axis in capacity/axis."""
        common = pool.partition("/")[2] == text.strip().casefold() and self.profile.nations_of(text)
        return common[0] if common else self.nation_named(text)

    def pool_named(self, text: str) -> str:
        """An area's pool ('front/centre', or 'Centre' if only one is called so), a nation's or a pocket's."""
        known = self._pool_names.get(text)
        if known is None:
            known = self._find_pool(text)
            if known in self.areas or known.startswith(NATIONAL):
                # Those that exist are few; what a player may type is not.
                self._pool_names[known] = known
        return known

    def _find_pool(self, text: str) -> str:
        name = text.strip().casefold()
        if name.startswith(NATIONAL):
            return NATIONAL + self.nation_named(text.strip()[len(NATIONAL) :])
        if name.startswith(LOCAL):
            return name
        first, _, rest = name.partition("/")
        if first == GENERAL:
            return general_pool(text, rest)
        if first in self.game.kept_pools:
            return f"{first}/{self.pool_named(text.strip().partition('/')[2])}" if "/" in rest else name
        # As pages show it: 'front Centre', 'MD General Government'.
        level, _, called = name.partition(" ")
        plain = {folded.replace("-", " "): full for folded, full in self._area_names.items()}
        for typed in (name, f"{level}/{' '.join(called.split())}"):
            if found := self._area_names.get(typed) or plain.get(typed.replace("-", " ")):
                return found
        ends = [full for folded, full in sorted(self._area_names.items()) if folded.partition("/")[2] == name]
        if len(ends) == 1:
            return ends[0]
        if name in self._nations:
            return NATIONAL + self._nations[name]
        if level == GENERAL:
            return general_pool(text, called)
        if ends:
            raise BadCommand(f"'{text}' could be {the_pools(ends, ' or ')}; write it in full")
        names = {folded.partition("/")[2]: full for folded, full in sorted(self._area_names.items())} | self._area_names
        close = list(dict.fromkeys(names[each] for each in get_close_matches(name, sorted(names), 3)))
        known = the_pools(self.pools) or "none yet"
        hint = (
            f"did you mean {the_pools(close, ' or ')}?"
            if close
            else f"the pools are {known}, and a pocket's is called {LOCAL}{name}"
        )
        raise BadCommand(f"there is no pool '{text}'; {hint}")

    def area_named(self, text: str) -> str:
        """A front, MD or theatre by its name; neither a nation's pool nor one that keeps other things."""
        found = self.pool_named(text)
        if found not in self.areas:
            raise BadCommand(
                f"{the_pool(found)} is no front, MD or theatre; those are {the_pools(self.pools) or 'none yet'}"
            )
        return found

    def said_account(self, name: str) -> str:
        """'front/north from Jul 2 41' for points on their way there."""
        if name.startswith(DISRUPTED):
            return f"disruption track of {the_pool(name.removeprefix(DISRUPTED).partition('/')[2])}"
        if name.startswith(FORFEIT):
            return forfeit_said(name.removeprefix(FORFEIT), self.turn_name)
        if not name.startswith(DUE):
            return super().said_account(name)
        turn, _, pool = name.removeprefix(DUE).partition("/")
        return f"{the_pool(pool.removeprefix(MOVED))} from {self.turn_name(int(turn))}"

    def standing(self, account: str) -> Standing:
        """Points on the track are usable from their turn; losses and debts are books, limited REs allowances."""
        if account.startswith(DUE):
            turn, _, pool = account.removeprefix(DUE).partition("/")
            return Standing(pool.removeprefix(MOVED), COMING, int(turn))
        if account.startswith(RECEIVED):
            return Standing(account, becomes=account.removeprefix(RECEIVED))
        first = account.partition("/")[0]
        return Standing(account, COUNT if first in BOOKS else ALLOWANCE if first in ALLOWANCES else POOL)

    def account_named(self, text: str) -> str:
        name = text.strip()
        return name if name.startswith(NOT_POOLS) else self.pool_named(name)

    def check_fact(self, fact: Fact, value: Value) -> None:
        if fact.name in ("enemy_zoc", "zoc") and value:
            for zone in [value] if isinstance(value, str) else cast(list[str], value):
                self.zone_rank(zone)
        if fact.name in OF_NATIONS and value:
            named = [value] if isinstance(value, str) else cast(list[str], value)
            nation = [self.nation_named(each) for each in named][-1]
            if fact.name == "contingent" and not self.profile.nations[nation].major:
                powers = [name for name, each in self.profile.nations.items() if each.major]
                raise Told(f"a contingent is a major power's: {', '.join(powers)}, not {nation}'s")
        if fact.name == "adjacent":
            for area in cast(list[str], value):
                self.pool_named(area)
        if fact.name == SIDES_WITH and value and value not in (sides := self._sides()):
            raise Told(f"{SIDES_WITH} is a side: {', '.join(sides)}, not '{value}'")
        if fact.name in ("owner", "supply_source", "controlled_by") and value and value not in self.sequence.players:
            what = "the owner" if fact.name == "owner" else fact.name
            raise Told(f"{what} is a side: {', '.join(self.sequence.players)}, not '{value}'")

    def _sides(self) -> list[str]:
        """Those that play, and those of the nations that nobody plays."""
        return list(dict.fromkeys((*self.sequence.players, *(each.side for each in self.profile.nations.values()))))

    def kind_named(self, text: str) -> str:
        return kind_called(text, self.kinds_of_point)

    def subject(self, kind: str, name: str) -> str:
        if kind == "area":
            return self.pool_named(name)
        if kind == "nation":
            return self.nation_named(name)
        found = super().subject(kind, name)
        if kind == "place":
            self.atlas.check(found)
        return found

    def knows_place(self, name: str) -> bool:
        """Whether there is such a place: of a map any hex, without one any name."""
        return self.atlas.knows(name)

    @property
    def pools(self) -> list[str]:
        return sorted(self.areas)

    def line_of(self, area: str) -> tuple[str, ...]:
        """An area and everything it lies within: MD, front, theatre."""
        found = self._lines.get(area)
        if found is None:
            found = self._lines[area] = tuple(self._lies_within(area))
        return found

    def _lies_within(self, area: str) -> Iterator[str]:
        seen: set[str] = set()
        while area and area not in seen:
            yield area
            seen.add(area)
            area = self.areas[area].within if area in self.areas else ""

    def theatre_of(self, area: str) -> str:
        """The outermost area around it; an area that lies in none stands for itself."""
        return self.line_of(area)[-1] if area else ""

    def country_of(self, area: str) -> str:
        """The country an area lies in: its own, else that of what it lies within."""
        around = (self.areas[each].country for each in self.line_of(area) if each in self.areas)
        return next((country for country in around if country), "")

    def power_of(self, area: str) -> str:
        """The nation whose country an area is, or whose colony; empty where that is not known."""
        country = self.country_of(area)
        return country if country in self.sides else self._mothers.get(country.casefold(), "")

    def could_serve(self, state: State, area: str, nation: str) -> bool:
        """Whether a nation's units could come by an area: not by one of the enemy's."""
        return homes.is_open_to(self, self.facts(state), area, nation)

    def areas_of(self, unit: Unit, state: State) -> tuple[str, ...]:
        """The MD, front and theatre of its own side a unit is under, then those that its hex or box lies in."""
        area = self.spot(unit.place.of).area if unit.place.on_map else unit.place.of
        if area not in self.areas:
            return self.line_of(area)
        return homes.areas_over(self, self.facts(state), area, unit.spec.nation)

    def areas_of_pool(self, pool: str) -> tuple[str, ...] | None:
        if pool.startswith((SOURCE, SINK)):
            return None
        return self.line_of(next((pool[at:] for at in _starts(pool) if pool[at:] in self.areas), pool))

    def areas_of_subject(self, on: str) -> tuple[str, ...]:
        kind, _, name = on.partition("/")
        return self.line_of(self.spot(name).area if kind == "place" else name)

    def spot(self, name: str) -> Spot:
        return self.atlas.spot(name)

    def hex_index(self, name: str) -> int | None:
        """Where a place or hex lies on the map; None without a map, and for what is not on it."""
        return self.atlas.index(name)

    def hex_name(self, text: str) -> str:
        return self.atlas.name(text)

    def places(self) -> dict[str, str]:
        return {name: spot.area for name, spot in self.spots.items()}

    def owner_now(self, state: State, place: str) -> str:
        return self.facts(state).owner(place)

    def parse_place(self, text: str) -> Place:
        place = super().parse_place(box_in_words(text, self.game.box_names, self._nations))
        if place.kind == HEX_KIND:
            self.atlas.check(place.of)
        if place.kind in (HEX_KIND, "out", MIX, *NO_AREAS_BOXES):
            return place
        if place.kind == ISOLATED:
            nation = place.of.removeprefix(NATIONAL)
            return Place(ISOLATED, NATIONAL + self.nation_named(nation), place.due)
        return Place(place.kind, self.pool_named(place.of), place.due)


HEX_KIND = "hex"
NO_AREAS_BOXES = ("holding", "breakdown")
"""Boxes of a game chart that belong to no area: of a region off the map, or of a division."""


def _starts(pool: str) -> list[int]:
    """Where the name of an area may begin in an account such as 'due/12/front/north'."""
    return [0, *(at + 1 for at, sign in enumerate(pool) if sign == "/")]


def read_setting(data: bytes) -> Setting:
    setting: Setting = _setting.decode(data)
    return setting
