"""52.J.2.e  Local drafts: men raised where a city changes hands, by the Soviets and in the Spanish Civil War."""

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct

from forcepool.engine.agenda import LAPSES, Item
from forcepool.engine.command import BadCommand, Command, lazy
from forcepool.engine.desk import Declaring
from forcepool.engine.events import Event, Marked, Transferred
from forcepool.engine.facts import WORDS, YES_NO, Fact, place_key
from forcepool.engine.given import Spot
from forcepool.engine.options import choice
from forcepool.engine.points import show_points
from forcepool.engine.sentence import the_field, the_place, the_places
from forcepool.engine.state import State
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.ground.ownership import facts_of, takings, turn_fact
from forcepool.games.europa.ground.soviet_pools import AXIS, INF, SOVIET, SOVIET_UNION, city_pool
from forcepool.games.europa.question import EuropaQuestion
from forcepool.games.europa.world import NATIONAL, EuropaWorld
from forcepool.rulebook.citations import computed

DRAFT = "source/draft"
DRAFTED, FIRST_OWNER, LOST_BY = "drafted", "first_owner", "lost_by"


class SpanishCity(Struct, frozen=True, forbid_unknown_fields=True):
    """A line of a Spanish replacement chart: a city, whose it is, and the infantry RPs it produces."""

    city: str
    nation: str
    inf: Fraction


class Drafting(EuropaQuestion):
    """A city that has just changed hands, and the player who would draft there."""

    command: "Draft"

    @lazy
    def city(self) -> str:
        if not self.command.city.strip():
            raise BadCommand(f"say in which city the draft is held with {the_field('city')}")
        return self.world.hex_name(self.command.city.strip())

    @lazy
    def by(self) -> str:
        """The player whose turn it is: cities change hands in it."""
        return self.world.phasing(self.state)

    @lazy
    def spanish(self) -> str:
        """The nation that fights a civil war on that side; empty in any other war."""
        at_war = (
            nation
            for nation in self.world.profile.nations
            if self.facts.fights_a_civil_war(nation) and self.world.side_now(self.state, nation) == self.by
        )
        return next(at_war, "")

    @lazy
    def soviet(self) -> bool:
        return self.by == SOVIET and not self.spanish

    @lazy
    def hexes(self) -> list[str]:
        """The hexes of the city: the place itself unless it has several."""
        return self.facts.parts_of(self.city) or [self.city]

    @lazy
    def just_taken(self) -> bool:
        """Whether it, or a hex of it, was taken in this player-turn."""
        marks = (self.state.mark(place_key(each), "taken_on") for each in (self.city, *self.hexes))
        return any(mark is not None and mark.since == self.state.player_turn for mark in marks)

    @lazy
    def line(self) -> SpanishCity | None:
        """The city's line on the chart of the nation that drafts."""
        lines: tuple[SpanishCity, ...] = self.world.chart("spanish_replacements")
        return next((each for each in lines if self._is_ours(each)), None)

    def _is_ours(self, line: SpanishCity) -> bool:
        same = self.world.hex_name(line.city) == self.city
        return same and self.world.nation_named(line.nation) == self.spanish


@rule("52.J.2.e/1")
def force_may_draft(q: Drafting) -> Verdict:
    """Only the Soviets, and the two sides of the Spanish Civil War, hold drafts."""
    return YES if q.soviet or q.spanish else no(f"the {q.by} player holds no drafts")


# -------------------------------------------------------------------------------------------------- Soviets


@rule("52.J.2.e.1/1")
def liberates_a_soviet_city(q: Drafting) -> Verdict:
    """The draft is held at once where a city of the Soviet Union returns from Axis to Soviet hands."""
    if not q.soviet:
        return YES
    country = q.world.country_of(q.world.spot(q.city).area)
    if country and q.world.nation_named(country) != SOVIET_UNION:
        return no(f"{the_place(q.city)} lies in {country}, not in the Soviet Union")
    regained = q.facts.owner(q.city) == SOVIET and q.facts.of_place(q.city, "taken_from") == AXIS
    if not regained:
        return no(f"{the_place(q.city)} was not regained from the Axis", remedy="declare its new owner first")
    return (
        YES
        if q.just_taken
        else no(f"{the_place(q.city)} was not regained in this player-turn; a draft is held at once")
    )


@rule("52.J.2.e.1/2")
def axis_held_it_long(q: Drafting) -> Verdict:
    """The Axis must have owned it throughout the four turns before."""
    since, now = turn_fact(q.facts, q.city, "held_since"), turn_fact(q.facts, q.city, "taken_on")
    need = q.world.numbers["draft_turns"]
    if not q.soviet or since is None or now is None or now - since >= need:
        return YES
    return no(
        f"the Axis owned {the_place(q.city)} from {q.world.turn_name(since)} on, {_turns(now - since)}",
        have=Fraction(now - since),
        need=need,
    )


def _turns(number: int) -> str:
    return f"{number} turn" if number == 1 else f"{number} turns"


@rule("52.J.2.e.1/3")
def first_draft_of_the_hex(q: Drafting) -> Verdict:
    """A hex is drafted from once a game, and a city of several hexes hex by hex."""
    if q.soviet and q.hexes != [q.city]:
        return no(f"{the_place(q.city)} has several hexes", remedy=f"hold a draft in each: {the_places(q.hexes)}")
    if not q.soviet or not is_drafted(q):
        return YES
    return no(f"a draft was held at {the_place(q.city)} before")


def is_drafted(q: Drafting) -> bool:
    return q.facts.place_is(q.city, DRAFTED)


@computed("52.J.2.e.1/5")
def men_by_size(q: Drafting) -> Fraction:
    """From a tenth for a town to five for a full hex city; a hex of a city is of its size unless it has its own."""
    drafts: dict[str, Fraction] = q.world.chart("drafts")
    size = q.facts.size_of(q.city)
    return drafts.get(size or ("town" if q.facts.place_is(q.city, "town") else ""), Fraction(0))


@computed("52.J.2.e.1/4")
def soviet_pool(q: Drafting) -> str:
    """The men join the infantry of the MD the city lies in."""
    return q.world.spot(q.city).area or NATIONAL + SOVIET_UNION


@rule("52.J.2.e.1/5")
def its_size_is_known(q: Drafting) -> Verdict:
    """Men come by the size of the place, so that has to be known."""
    if not q.soviet or men_by_size(q):
        return YES
    return no(f"nobody has said what kind of place '{the_place(q.city)}' is", remedy="declare its city_size first")


# ---------------------------------------------------------------------------------------- Spanish Civil War


@rule("52.J.2.e.2/1")
def takes_an_enemy_city(q: Drafting) -> Verdict:
    """A player drafts at once in a replacement city of his that was in enemy hands when the game began."""
    if not q.spanish:
        return YES
    if q.line is None:
        return no(f"{the_place(q.city)} is no replacement city of {q.spanish}")
    if q.facts.of_place(q.city, FIRST_OWNER) in ("", q.by):
        return no(f"{the_place(q.city)} was not in enemy hands when the game began")
    if q.by in sides_that_lost_it(q.facts, q.city):
        return no(f"{the_place(q.city)} was yours before, and a draft is held when a city is first taken")
    return (
        YES if q.just_taken else no(f"{the_place(q.city)} was not taken in this player-turn; a draft is held at once")
    )


@rule("52.J.2.e.2/4")
def first_draft_of_the_city(q: Drafting) -> Verdict:
    """A city gives one draft a game."""
    if not q.spanish or not is_drafted(q):
        return YES
    return no(f"{the_place(q.city)} has given its draft")


@rule("52.J.2.e.2/5")
def all_hexes_are_his(q: Drafting) -> Verdict:
    """A city of several hexes gives no draft until all are friendly-owned."""
    lost = [each for each in q.hexes if q.facts.owner(each) != q.by]
    if not q.spanish or not lost:
        return YES
    have = Fraction(len(q.hexes) - len(lost))
    return no(f"{the_places(lost)} is not yours", remedy="take it first", have=have, need=Fraction(len(q.hexes)))


@computed("52.J.2.e.2/2")
def men_by_chart(q: Drafting) -> Fraction:
    """As many as the city produces."""
    return q.line.inf if q.line is not None else Fraction(0)


@computed("52.J.2.e.2/3")
def spanish_pool(q: Drafting) -> str:
    """The national pool, or the city itself if it is isolated."""
    return city_pool(q.city) if q.facts.is_cut_off(q.by, q.city) else NATIONAL + q.spanish


# -------------------------------------------------------------------------------------------------- command


class Draft(Command, tag="draft", frozen=True):
    """Hold a draft in a city that has just been liberated or captured."""

    city: Spot
    """The city, or the hex of a Soviet city of several hexes."""

    question = Drafting
    needs = (its_size_is_known,)
    requires = (
        force_may_draft,
        liberates_a_soviet_city,
        axis_held_it_long,
        first_draft_of_the_hex,
        takes_an_enemy_city,
        first_draft_of_the_city,
        all_hexes_are_his,
    )

    def side(self, q: Drafting) -> str:
        return q.by

    def effects(self, q: Drafting) -> Iterator[Event]:
        if q.spanish:
            nation, amount, pool = q.spanish, men_by_chart(q), spanish_pool(q)
            because, once = "52.J.2.e.2/2 52.J.2.e.2/3", "52.J.2.e.2/4"
        else:
            nation, amount, pool = SOVIET_UNION, men_by_size(q), soviet_pool(q)
            because, once = "52.J.2.e.1/4 52.J.2.e.1/5", "52.J.2.e.1/3"
        says = f"draft at {the_place(q.city)}"
        if amount:
            yield Transferred(amount=amount, kind=INF, nation=nation, frm=DRAFT, to=pool, because=because, says=says)
        yield Marked(on=place_key(q.city), mark=DRAFTED, value=True, because=once)


def remember_first_owners(world: EuropaWorld, state: State) -> Iterator[Event]:
    """In a civil war, who owned each place when the game began is kept."""
    facts = world.facts(state)
    if not any(facts.fights_a_civil_war(nation) for nation in world.profile.nations):
        return
    for on in sorted(state.marked.get("owner", ())):
        owner = state.mark(on, "owner")
        if on.startswith("place/") and owner is not None and state.mark(on, FIRST_OWNER) is None:
            yield Marked(on=on, mark=FIRST_OWNER, value=owner.value)


def remembers_who_lost_it(q: Declaring) -> Iterator[Event]:
    """In a civil war, who owned a whole city and lost it, or a hex of it, is kept: he has taken it once."""
    facts = facts_of(q)
    for place, was, _ in takings(q):
        city = facts.city_of(place)
        known = facts.value(place_key(city), FIRST_OWNER)
        before = sides_that_lost_it(facts, city)
        if known and was and facts.owner(city) == was and was not in before:
            yield Marked(on=place_key(city), mark=LOST_BY, value=[*before, was])


def sides_that_lost_it(facts: EuropaFacts, city: str) -> list[str]:
    said = facts.value(place_key(city), LOST_BY)
    return said if isinstance(said, list) else []


def drafts_open(world: EuropaWorld, state: State) -> Iterator[Item]:
    """Drafts that may be held now and lapse with the player-turn."""
    places = [
        on.removeprefix("place/")
        for on in sorted(state.marked.get("taken_on", ()))
        if (mark := state.mark(on, "taken_on")) and mark.since == state.player_turn
    ]
    for place in places:
        command = Draft(city=place)
        found = choice(world, state, command)
        if found.open:
            text = f"draft at {the_place(place)}: {show_points(_men(world, state, command))} inf, now or never"
            yield Item(LAPSES, text, "52.J.2.e/1", world.phasing(state), command)


def _men(world: EuropaWorld, state: State, command: Draft) -> Fraction:
    q = Drafting(world, state, command)
    return men_by_chart(q) if q.spanish else men_by_size(q)


CHAPTER = Chapter(
    heading="52.J.2.e",
    commands=(Draft,),
    facts=(
        Fact(DRAFTED, ("place",), "a draft was held there", False, YES_NO),
        Fact(FIRST_OWNER, ("place",), "the side that owned it when the game began", ""),
        Fact(LOST_BY, ("place",), "the sides that owned it in this game and lost it", [], WORDS, by_hand=False),
    ),
    declared={"owner": (remembers_who_lost_it,)},
    opening=(remember_first_owners,),
    agenda=(drafts_open,),
    charts={"drafts": dict[str, Fraction], "spanish_replacements": tuple[SpanishCity, ...]},
)
