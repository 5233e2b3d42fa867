"""52.D.2.c.1 and 52.D.2.d.ii  Stores of isolated cities and factories: whom they buy back, and what falls with them."""

from collections.abc import Iterator

from forcepool.engine.desk import Declaring
from forcepool.engine.events import Event, Moved
from forcepool.engine.places import Place
from forcepool.engine.sentence import the_place, the_pool
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.ground.ownership import facts_of, md_of, takings, world_of
from forcepool.games.europa.ground.placing import TRACKS
from forcepool.games.europa.ground.soviet_pools import CITY, FACTORY, city_pool, factory_pool
from forcepool.games.europa.replacements.general.eliminated import Replace, Replacing
from forcepool.games.europa.world import ELIMINATED, ISOLATED, NATIONAL, EuropaWorld
from forcepool.rulebook.citations import computed

BUYS = switch(
    "store-buys",
    "52.D.2.d.ii/2",
    "which eliminated units the store of an isolated city or factory buys back",
    of_the_theatre="any that lies in an ELIMINATED BOX of its theatre, as an MD's pool does",
    of_its_md="those in the ELIMINATED BOX of its own MD",
)
WAITING = switch(
    "store-track",
    "52.D.2.c.1/1",
    "what becomes of units on the track of an isolated city or factory that is captured",
    isolated="they go to the nation's ELIMINATED ISOLATED BOX",
    eliminated="they go back to the ELIMINATED BOX of the MD",
)


@rule("52.D.2.d.ii/2", "52.D.2.c.1/2")
def store_reaches_the_box(q: Replacing) -> Verdict:
    """Where the group rules so, a store buys back only what lies in the box of its own MD."""
    if not q.payer.startswith((CITY, FACTORY)) or q.switch(BUYS.key) != "of-its-md":
        return YES
    md = md_of(q.world, q.facts, q.world.hex_name(q.payer.partition("/")[2]))
    if not md or q.unit.place.of == md or q.unit.place.kind != ELIMINATED:
        return YES
    return no(
        f"{q.unit} lies in the box of {the_pool(q.unit.place.of)}, and {the_pool(q.payer)} buys back units of "
        f"{the_pool(md)}",
        remedy=f"pay from another pool, or transfer the unit to {the_pool(md)}",
        clause="52.D.2.c.1/2" if q.payer.startswith(FACTORY) else "",
    )


def captured(q: Declaring) -> Iterator[Event]:
    """What a captured city or factory has bought and not yet sent out is lost with it."""
    world, state = world_of(q), q.state
    for place, _, now in takings(q):
        stores = (city_pool(place), factory_pool(place)) if now else ()
        for unit in state.units_in_order() if stores else ():
            theirs = unit.place.kind in TRACKS and unit.place.of in stores
            if theirs and world.side_now(state, unit.spec.nation) != now:
                yield lost_with_it(q, world, unit.id, place)


@computed("52.D.2.c.1/1")
def lost_with_it(q: Declaring, world: EuropaWorld, unit_id: str, place: str) -> Event:
    """To the ELIMINATED ISOLATED BOX, as all that is lost in isolation, unless the group plays otherwise."""
    unit = q.state.units[unit_id]
    md = md_of(world, facts_of(q), place)
    back = q.switch(WAITING.key) == "eliminated" and md
    to = Place(ELIMINATED, md) if back else Place(ISOLATED, NATIONAL + unit.spec.nation)
    return Moved(unit=unit.id, frm=unit.place, to=to, because="52.D.2.c.1/1", says=f"{the_place(place)} is captured")


CHAPTER = Chapter(
    heading="52.D.2.d.ii",
    guards={Replace: (store_reaches_the_box,)},
    declared={"owner": (captured,)},
    switches=(BUYS, WAITING),
)
