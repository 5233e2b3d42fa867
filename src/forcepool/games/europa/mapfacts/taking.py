"""Hexes that change hands on the map, many at a time, and the chapter that puts the map into the game."""

from collections.abc import Iterator

from forcepool.engine.command import BadCommand, Command, Question
from forcepool.engine.desk import Declare, Declaring
from forcepool.engine.events import Event
from forcepool.engine.given import Side, Spots
from forcepool.engine.sentence import the_field
from forcepool.engine.state import evolve
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.mapfacts.answers import ACTIVITY, BATTLE
from forcepool.games.europa.mapfacts.positions import TAKEN


class TakeHexes(Command, tag="take-hexes", frozen=True):
    """Say that hexes have changed hands: those an advance went through, or a whole pocket."""

    hexes: Spots
    by: Side
    """The side that owns them now."""

    def effects(self, q: Question) -> Iterator[Event]:
        if not self.hexes:
            raise BadCommand(f"say which hexes with {the_field('hexes')}, separated by commas")
        # The last city of a district is the last only once the others have gone, so each hex sees those before it.
        after = q.state.copy()
        for each in self.hexes:
            place = q.world.parse_place(each)
            said = Declare(fact="owner", value=self.by, about=place.of)
            events = tuple(said.effects(Declaring(q.world, after, said, q.seat)))
            yield from events
            evolve(after, events)


CHAPTER = Chapter(
    heading="map",
    commands=(TakeHexes,),
    switches=(BATTLE, ACTIVITY, TAKEN),
    charts={"coalitions": tuple[tuple[str, ...], ...]},
)
