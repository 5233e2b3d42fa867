"""51.B.5  Disbanding Soviet units for infantry RPs: the conditions that NKVD and militia have in common."""

from collections.abc import Iterator
from fractions import Fraction

from forcepool.engine.command import BadCommand, lazy
from forcepool.engine.events import Event, Moved, Transferred
from forcepool.engine.facts import PLAYER_TURN, subject_key
from forcepool.engine.places import OUT_OF_PLAY
from forcepool.engine.points import show_counted
from forcepool.engine.sentence import the_field, the_place, the_pool
from forcepool.engine.state import Unit
from forcepool.engine.tally import Tally
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.europa import homes
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import NOT_ISOLATED, REGULAR
from forcepool.games.europa.ground.placing import ARMY_OR_HIGHER
from forcepool.games.europa.ground.pools import is_the_enemys
from forcepool.games.europa.ground.sources import listed, reaches_a_source
from forcepool.games.europa.ground.soviet_pools import (
    SOVIET_UNION,
    city_pool,
    md_pool,
)
from forcepool.games.europa.question import EuropaQuestion, next_turn
from forcepool.games.europa.replacements.soviet.volunteers import is_militia
from forcepool.games.europa.standing_still import holds_still, stood_still
from forcepool.games.europa.world import LOCAL
from forcepool.rulebook.citations import computed

DISBANDED = "source/disbanded"
DISBANDED_RES = Tally("disbanded_res", "area", "REs disbanded this turn", PLAYER_TURN)
TOWN = "town"


class Disbanding(EuropaQuestion):
    """A Soviet unit about to be disbanded."""

    @lazy
    def hex(self) -> str:
        return self.unit.place.of

    @lazy
    def md(self) -> str:
        """The MD whose pool takes the points: the one named, else the one the unit stands in."""
        named = self.command.md
        around = self.world.spot(self.hex).area
        return md_pool(named) if named else homes.home_in(self.world, self.facts, around, self.nation) if around else ""

    @lazy
    def store(self) -> str:
        """Where a unit is cut off, the pool of its pocket or the store of the replacement city it stands in."""
        if self.facts.isolated(self.unit) == NOT_ISOLATED:
            return ""
        if pocket := self.facts.of_unit(self.unit, "pocket"):
            return LOCAL + pocket.casefold()
        city = self.facts.city_of(self.hex)
        own = self.nation == SOVIET_UNION and self.facts.is_cut_off(self.side, city) and stands_in_a_source(self)
        return city_pool(city) if own else ""

    @lazy
    def theatre(self) -> str:
        return subject_key("area", self.world.theatre_of(self.md))


# ---------------------------------------------------------------------------------- what all have in common


@rule("51.B.5/4")
def stands_in_a_city_or_with_an_hq(q: Disbanding) -> Verdict:
    """A unit is disbanded in a city, or with an army HQ that has not moved."""
    if _in_a_city(q):
        return YES
    if unmoved_hqs(q):
        return YES
    return no(f"{q.unit} stands neither in a city nor with an unmoved army HQ", remedy="move it to a city first")


def _in_a_city(q: Disbanding) -> bool:
    return q.facts.is_city(q.hex)


def unmoved_hqs(q: Disbanding) -> list[Unit]:
    """The friendly army HQs in the hex that have not moved."""
    side = q.world.side_now(q.state, q.unit.spec.nation)
    return [
        each
        for each in q.state.stack(q.hex)
        if q.world.has_role(each.spec, "hq")
        and each.spec.size in ARMY_OR_HIGHER
        and q.world.side_now(q.state, each.spec.nation) == side
        and stood_still(q.world, q.state, each)
    ]


@rule("51.B.5/5")
def is_in_no_enemy_zoc(q: Disbanding) -> Verdict:
    """Not in an enemy zone of control."""
    zones = [zone for zone in q.facts.enemy_zocs(q.unit) if q.world.zone_rank(zone)]
    if not zones:
        return YES
    return no(f"{q.unit} stands in an enemy ZOC ({', '.join(zones)})", remedy="move it out first")


def stands_in_a_source(q: Disbanding) -> bool:
    """Whether its own city is a replacement source of its nation: its line there is none at all."""
    city, spec = q.facts.city_of(q.hex), q.unit.spec
    return q.facts.owner(city) in ("", q.side) and city in listed(q.world, q.facts, spec.nation, spec.force)


@rule("51.B.5/3")
def has_a_line_to_a_source(q: Disbanding) -> Verdict:
    """It needs a supply line over land to a replacement source, and so is not isolated unless it stands in one."""
    facts = q.facts
    if stands_in_a_source(q):
        return YES
    cut_off = facts.isolated(q.unit) != NOT_ISOLATED or facts.supply(q.unit) != REGULAR
    if not cut_off and reaches_a_source(q.world, facts, q.unit):
        return YES
    return no(f"{q.unit} has no supply line to a replacement source", remedy="open one first")


@rule("51.B.5.c/1")
def three_res_a_theatre(q: Disbanding) -> Verdict:
    """A player disbands no more than 3 REs a theatre and turn."""
    limit = q.world.numbers["disband_res"]
    total = DISBANDED_RES.so_far(q.facts, q.theatre) + q.world.res(q.unit.spec, q.unit.step)
    if total <= limit:
        return YES
    return no(
        f"with {q.unit} {show_counted(total, 'RE')} would be disbanded this turn",
        remedy=next_turn(q, "wait for the next turn"),
        have=total,
        need=limit,
    )


@rule("51.B.5/6", "52.J.2.b/4")
def points_go_to_its_own_md(q: Disbanding) -> Verdict:
    """The MD in which it stands takes the points; one is named only where nobody has said which that is."""
    around = q.world.spot(q.hex).area
    own = homes.home_in(q.world, q.facts, around, q.nation)
    if not around or q.md == own or (q.md in q.world.line_of(around) and not is_the_enemys(q, q.md)):
        return YES
    clause = "52.J.2.b/4" if is_militia(q.world, q.unit.spec) else ""
    return no(
        f"{the_pool(own)} takes the points of {q.unit}, not {the_pool(q.md)}",
        remedy=f"leave {the_field('md')} out",
        clause=clause,
    )


CONDITIONS = (
    stands_in_a_city_or_with_an_hq,
    is_in_no_enemy_zoc,
    has_a_line_to_a_source,
    three_res_a_theatre,
    points_go_to_its_own_md,
)


def leaves_play(q: Disbanding) -> Iterator[Event]:
    """The unit is out of the game for good, and its REs count against the limit."""
    if not q.md:
        raise BadCommand(
            f"the scenario does not say which MD {the_place(q.hex)} lies in; name it with {the_field('md')}"
        )
    yield Moved(unit=q.unit.id, frm=q.unit.place, to=OUT_OF_PLAY, because="51.B.5.b/1", says="disbanded")
    yield DISBANDED_RES.counts(q.facts, q.theatre, q.world.res(q.unit.spec, q.unit.step), "51.B.5.c/1")
    if not _in_a_city(q):
        for hq in unmoved_hqs(q)[:1]:
            yield from holds_still(q.world, q.state, hq, f"served to disband {q.unit}")


@computed("51.B.5/6", "52.D.2.d.ii/1", "52.A.9.c/8")
def pool_that_takes(q: Disbanding) -> str:
    """Points of a unit that is cut off are cut off with it: in its pocket's pool, or its isolated city's store."""
    return q.store or q.md


def points_of(q: Disbanding, amount: Fraction, kind: str, pool: str, because: str, says: str) -> Transferred:
    return Transferred(
        amount=amount, kind=kind, nation=SOVIET_UNION, frm=DISBANDED, to=pool, because=because, says=says
    )


CHAPTER = Chapter(
    heading="51.B.5",
    facts=(DISBANDED_RES.fact,),
)
