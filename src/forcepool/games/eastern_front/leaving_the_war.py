"""EF.reinforcements/24: a nation that is declared out of the war, or gone over, sends nothing more from then on."""

from collections.abc import Iterator

from forcepool.engine.chapter import Chapter
from forcepool.engine.desk import Declaring
from forcepool.engine.events import Event
from forcepool.games.eastern_front.facts import AT_WAR, WAR
from forcepool.games.eastern_front.nations import sends_nothing_more
from forcepool.games.eastern_front.world import EasternWorld


def a_nation_leaves_the_war(q: Declaring) -> Iterator[Event]:
    """What it had saved and what it still had coming is gone at once, as where its capital falls."""
    assert isinstance(q.world, EasternWorld)
    if q.value not in (None, "", AT_WAR):
        yield from sends_nothing_more(q.world, q.state, q.on.removeprefix("nation/"))


CHAPTER = Chapter(heading="EF.reinforcements (out of the war)", declared={WAR: (a_nation_leaves_the_war,)})
