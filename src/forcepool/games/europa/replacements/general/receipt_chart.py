"""52.D  The chart of receipts as a group enters it, and its lines as they are read."""

from collections.abc import Collection, Mapping
from fractions import Fraction

from msgspec import Struct

from forcepool.engine.command import BadCommand
from forcepool.engine.facts import fixed
from forcepool.games.europa.ground.soviet_pools import COAST, INF, SOVIET_UNION, VOL
from forcepool.games.europa.replacements.kinds.resources import RESOURCES
from forcepool.games.europa.world import NATIONAL, EuropaWorld
from forcepool.rulebook.citations import COMPUTED, computed, heard, meets_one_of


class Receipt(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, rename={"from_": "from"}):
    """A line of a replacement chart or OB: what a nation receives while the line holds."""

    nation: str
    points: dict[str, Fraction]
    pool: str = ""
    """The pool that receives them, such as an MD's; left out, the nation's."""
    from_: str = ""
    """The first turn it holds; left out, from the beginning."""
    until: str = ""
    """The last turn it holds."""
    turns: tuple[str, ...] = ()
    """The turns it falls due, where it is not monthly."""
    weeks: tuple[int, ...] = ()
    """The turns of a month it falls due; left out, the first."""
    clause: str = ""


class Line(Struct, frozen=True):
    """A line with its names and turns read."""

    nation: str
    pool: str
    points: Mapping[str, Fraction]
    clause: str
    weeks: tuple[int, ...]
    first: int = 0
    last: int | None = None
    turns: tuple[int, ...] = ()


def kinds_received(world: EuropaWorld, nation: str) -> tuple[str, ...]:
    """What a chart may give a nation: its kinds of RP, its forces' infantry, volunteers, resources, coast defence."""
    return (*rps_received(world, nation), *RESOURCES, COAST)


@meets_one_of("52.C/1", "52.C/2", "52.D.2/5")
def rps_received(world: EuropaWorld, nation: str) -> tuple[str, ...]:
    """A nation's kinds of RP, with its forces' infantry and the Soviet volunteers; no supply points and no ARPs."""
    if world.profile.nations[nation].contingent_of == SOVIET_UNION:
        heard("52.D.2/5", COMPUTED)
        # Their armour and artillery are the Soviets' own (52.D.2/3).
        rps: tuple[str, ...] = (INF,)
    else:
        rps = world.rp_kinds(nation)
    forces = tuple(str(row.kind) for row in world.chart("force_infantry") if nation in row.nations)
    volunteers = (VOL,) if nation == SOVIET_UNION else ()
    return (*rps, *dict.fromkeys(forces), *volunteers)


@fixed
def lines(world: EuropaWorld) -> tuple[Line, ...]:
    """Every line of the charts, in the order they stand."""
    return tuple(_read(world, row) for row in world.chart("receipts"))


@computed("52.D.2.e/1")
def _pool(world: EuropaWorld, nation: str, named: str, kinds: Collection[str]) -> str:
    """The pool that a line names, else the nation's; infantry of a contingent of the Soviet Army belongs to no MD."""
    contingents = world.profile.nations[nation].contingent_of == SOVIET_UNION and INF in kinds
    return world.pool_named(named) if named and not contingents else NATIONAL + nation


def _kind(world: EuropaWorld, nation: str, word: str) -> str:
    """A kind of point that the nation receives."""
    try:
        kind = world.kind_named(word)
    except BadCommand:
        kind = ""
    if kind in (known := kinds_received(world, nation)):
        return kind
    there_are = "receives no" if kind else "there are no"
    raise BadCommand(f"receipts of {nation}: {there_are} '{word}' points; its kinds are {', '.join(known)}")


def _read(world: EuropaWorld, row: Receipt) -> Line:
    nation = world.nation_named(row.nation)
    points = {_kind(world, nation, word): amount for word, amount in row.points.items()}
    most = world.calendar.turns_per_month
    if bad := [week for week in row.weeks if not 1 <= week <= most]:
        raise BadCommand(f"receipts of {nation}: there is no turn {bad[0]} of a month; a month has {most} turns")
    turn = world.calendar.parse
    return Line(
        nation=nation,
        pool=_pool(world, nation, row.pool, points),
        points={kind: points[kind] for kind in world.kinds_of_point if kind in points},
        clause=row.clause,
        weeks=row.weeks or (int(world.numbers["receipt_week"]),),
        first=turn(row.from_).turn if row.from_ else 0,
        last=turn(row.until).turn if row.until else None,
        turns=tuple(turn(each).turn for each in row.turns),
    )
