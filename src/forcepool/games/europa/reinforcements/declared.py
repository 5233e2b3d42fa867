"""51.B.9, 51.G  What an entry's own words declare is so from its turn on, without anybody's order."""

from msgspec.structs import replace

from forcepool.engine.decide import decide
from forcepool.engine.desk import Declare, Declaring
from forcepool.engine.events import Event
from forcepool.engine.sentence import Told
from forcepool.engine.state import State, evolve
from forcepool.engine.verdicts import Refusal, no
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.reinforcements.falling_due import Brought
from forcepool.games.europa.world import EuropaWorld
from forcepool.orderofbattle.declarations import Declaration, declarations
from forcepool.orderofbattle.model import Entry
from forcepool.orderofbattle.words import FREE_TEXT
from forcepool.rulebook.citations import computed


@computed("51.B.9/1")
def declares(world: EuropaWorld, state: State, entry: Entry) -> Brought:
    """The facts an entry declares, with all that follows from them; other words are for the players to carry out."""
    own = state.copy()
    events: list[Event] = []
    for each in declarations(entry.note):
        try:
            outcome = decide(world, own, order_of(world, each))
        except Told as error:
            return no(str(error), clause="51.B.9/1")
        if isinstance(outcome, Refusal):
            return replace(outcome.reasons[0], clause="51.B.9/1")
        found = [event if event.because else replace(event, because="51.B.9/1") for event in outcome.events]
        evolve(own, found)
        events += found
    return events or no("the players see to it", clause="51.B.9/1")


def order_of(world: EuropaWorld, said: Declaration) -> Declare:
    """The declaration as a player would give it."""
    fact = world.fact(said.fact)
    of_a_unit = fact is not None and fact.on == ("unit",)
    return Declare(
        fact=said.fact, value=said.value, unit=said.about if of_a_unit else "", about="" if of_a_unit else said.about
    )


def unreadable(world: EuropaWorld, state: State, entry: Entry) -> list[str]:
    """What is wrong with the facts that an entry declares, a sentence each; units it names may be still to come."""
    found: list[str] = []
    for each in declarations(entry.note) if entry.verb in FREE_TEXT else ():
        q = Declaring(world, state, order_of(world, each))
        try:
            _ = q.fact, q.value, q.command.unit or q.on
        except Told as error:
            found.append(str(error))
    return found


CHAPTER = Chapter(heading="51.B.9", comes_about=dict.fromkeys(FREE_TEXT, declares))
