"""What lint finds in an entry by itself: what its verb needs and does not have."""

from collections.abc import Callable, Collection, Iterator

from msgspec import Struct

from forcepool.orderofbattle.model import NOT_UNDERSTOOD, Entry, Finding, PlaceSpec
from forcepool.orderofbattle.printing import print_entry
from forcepool.orderofbattle.words import BOXES, CHANGES, VERBS, spelt_one_way


class Need(Struct, frozen=True):
    """Something the entries of a verb must have."""

    verb: str
    clause: str
    has: Callable[[Entry], object]
    lacks: str
    hint: str


NEEDS = (
    Need("convert", "51.B.3/1", lambda e: e.results, "what the units become", "write → and the new units"),
    Need("upgrade", "51.B.18/1", lambda e: e.results, "what the units become", "write → and the new units"),
    Need("upgrade", "51.B.18/1", lambda e: e.cost, "a cost", "write it as for 3 inf, 1 arm"),
    Need("reorganize", "51.B.14/2", lambda e: e.results, "what the units become", "write → and the new units"),
    Need("disband", "51.B.5/1", lambda e: e.yields, "the RPs it gives", "write it as gives 1 inf, or gives 0 inf"),
    Need("conditional", "51.B.2/3", lambda e: e.conditions, "a condition", "write it as if … or when …"),
    Need("transfer", "51.B.17/1", lambda e: e.place or e.source, "a theatre", "write it as to theatre East"),
    Need("add to garrison", "51.B.1/1", lambda e: _md(e.place), "an MD", "write it as in MD Leningrad"),
    Need("release from garrison", "51.B.11/1", lambda e: _md(e.place), "an MD", "write it as in MD Leningrad"),
    Need(
        "remove from breakdown box",
        "51.B.12/2",
        lambda e: any(link.kind == "assembly" for link in e.links),
        "the assembly it waits for",
        "write it as assembly of 5 Mtn XX",
    ),
    Need(
        "available for assembly",
        "51/4",
        lambda e: all(item.designations for item in e.items),
        "designations",
        "components are matched by designation, so name every one",
    ),
    Need(
        "form",
        "51.B.6/2",
        lambda e: all(item.spec is None or item.spec.size == "XX" for item in e.items),
        "a division",
        "only divisions are formed; use Reinforce for smaller units",
    ),
)


def misshapen(entry: Entry) -> Iterator[Finding]:
    """What an entry lacks, or has and may not."""
    if entry.verb == NOT_UNDERSTOOD:
        return
    for need in NEEDS:
        if need.verb == entry.verb and not need.has(entry):
            yield Finding(entry.line, need.clause, f"{entry.verb}: the line lacks {need.lacks}", need.hint)
    if entry.results and VERBS[entry.verb].effect != CHANGES:
        text = f"{entry.verb}: the line has an arrow, but this verb changes nothing into anything"
        yield Finding(entry.line, "51.B/1", text, "use Convert, Upgrade or Reorganize")
    if not entry.turn and not entry.conditions and entry.verb != "at start":
        text = f"{entry.verb}: the line has neither a turn nor a condition"
        yield Finding(entry.line, "51.A/1", text, "put a turn above it, or add if … or when …")
    for item in entry.items:
        if item.force.lower() == "forces" and not entry.source:
            text = f"{print_entry(entry)}: it is not said where the forces come from"
            yield Finding(entry.line, "51.B.1.b/2", text, "write it as forces from MTO")


def strange_words(entry: Entry, places: Collection[str] | None, types: Collection[str] | None) -> Iterator[Finding]:
    """Places and types that are not in the lists given, and boxes that rule 51 does not know."""
    known = None if places is None else {name.casefold() for name in places}
    for place in places_of(entry):
        if place.kind == "box":
            if place.names[0] not in BOXES:
                text = f"there is no box {place.names[0]}"
                yield Finding(entry.line, "51.A.5/1", text, f"choose from {', '.join(BOXES)}")
        elif known is not None and place.kind not in ("map_edge", "sea"):
            for name in place.names:
                if name.casefold() not in known:
                    text = f"{name} is not in the list of places"
                    yield Finding(entry.line, "51.A.5/1", text, "mend the name, or add it to the list")
    if types is not None:
        yield from _strange_types(entry, {spelt_one_way(name) for name in types})


def _strange_types(entry: Entry, known: Collection[str]) -> Iterator[Finding]:
    for item in (*entry.items, *entry.results):
        if item.spec and spelt_one_way(item.spec.type) not in known:
            text = f"{item.spec.type} is not in the list of types"
            yield Finding(entry.line, "51/3", text, "mend the type, or add it to the list")


def places_of(entry: Entry) -> Iterator[PlaceSpec]:
    """Every place an entry names, each with those around it."""
    for place in (entry.section, entry.place, entry.source):
        while place is not None:
            yield place
            place = place.inside


def _md(place: PlaceSpec | None) -> bool:
    while place is not None:
        if place.kind in ("md", "multi_md", "area"):
            return True
        place = place.inside
    return False
