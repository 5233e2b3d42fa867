"""A counter that is put where it really is: what was so of it only where the record had it does not go along."""

from collections.abc import Iterator

from forcepool.engine.chapter import Chapter
from forcepool.engine.desk import PutUnit
from forcepool.engine.events import Event, Marked
from forcepool.engine.facts import unit_key
from forcepool.engine.places import HEX
from forcepool.games.eastern_front.chapter import Order
from forcepool.games.eastern_front.facts import DISPERSED, FORTIFIED, HELD_SINCE, ISOLATED, SUPPLY
from forcepool.games.eastern_front.irreplaceable import LOST_BY
from forcepool.games.eastern_front.losses import ON_ITS_WAY, WHERE_IT_STOOD
from forcepool.games.eastern_front.world import SIBERIA

ON_THE_MAP = (LOST_BY, HELD_SINCE)
BEYOND_IT = (LOST_BY, FORTIFIED, ISOLATED, SUPPLY)
OUT_OF_PLAY = (DISPERSED, *WHERE_IT_STOOD, *ON_ITS_WAY)


def leaves_what_was_wrong(q: Order) -> Iterator[Event]:
    """On the map a unit is neither lost nor held, and out of play no factory is on a train."""
    to = q.world.parse_place(q.command.at).kind if q.command.at else q.unit.place.kind
    if to == q.unit.place.kind:
        return
    on = unit_key(q.unit.id)
    for name in {HEX: ON_THE_MAP, SIBERIA: BEYOND_IT}.get(to, OUT_OF_PLAY):
        if q.state.mark(on, name) is not None:
            yield Marked(on=on, mark=name)


CHAPTER = Chapter(heading="desk", also={PutUnit: (leaves_what_was_wrong,)})
