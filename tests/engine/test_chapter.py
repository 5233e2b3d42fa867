"""Chapters together make a game: what one heading adds to another's commands is attached by class."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest

from forcepool.engine.chapter import Chapter, parts
from forcepool.engine.command import Command, Question, carried_out
from forcepool.engine.events import Event, Noted
from forcepool.engine.facts import YES_NO, Fact
from forcepool.engine.state import State
from forcepool.engine.verdicts import YES, Rule, Verdict
from tests.support import ring


class Buys(Command, frozen=True):
    """What several headings add to."""


class BuyOne(Buys, tag="buy-one", frozen=True):
    """Buys by the general rule."""

    def effects(self, q: Question) -> Iterator[Event]:
        yield Noted(text="bought")


class BuyAnother(Command, tag="buy-another", frozen=True):
    """Stands in the place of the first, and does without one of its rules."""

    asked_like = BuyOne


class Nothing(Command, tag="nothing", frozen=True):
    """A command of no chapter."""


def asked(name: str) -> Rule[Any]:
    @ring.house_rule(name)
    def rule(q: Question) -> Verdict:
        return YES

    return rule


def paid(q: Question) -> Iterator[Event]:
    yield Noted(text="paid")


FIRST, SECOND, THIRD = map(asked, ("ring.1", "ring.2", "ring.3"))


def test_what_is_added_to_a_class_is_added_to_all_that_derive_from_it_in_the_order_of_the_chapters() -> None:
    made = parts(
        [
            Chapter(heading="1", commands=(BuyOne,), guards={BuyOne: (FIRST,)}),
            Chapter(heading="2", guards={Buys: (SECOND, FIRST)}),
        ]
    )
    assert made["guards"] == {BuyOne: (FIRST, SECOND)}


def test_a_command_in_anothers_place_is_asked_what_that_is_asked_but_for_what_it_does_without() -> None:
    class Without(BuyAnother, tag="without", frozen=True):
        """Does without the second."""

        not_asked = (SECOND,)

    made = parts(
        [
            Chapter(heading="1", commands=(BuyOne, BuyAnother, Without), guards={Buys: (FIRST, SECOND)}),
            Chapter(heading="2", guards={BuyAnother: (THIRD,)}),
        ]
    )
    assert made["guards"] == {BuyOne: (FIRST, SECOND), BuyAnother: (FIRST, SECOND, THIRD), Without: (FIRST, THIRD)}


def test_what_is_added_to_a_command_that_the_game_does_not_have_is_an_error() -> None:
    with pytest.raises(TypeError, match="2 adds to Nothing, but no command of the game is one"):
        parts([Chapter(heading="1", commands=(BuyOne,)), Chapter(heading="2", also={Nothing: (paid,)})])


@pytest.mark.parametrize("part", ["forbids", "declared"])
def test_what_is_said_of_a_fact_that_the_game_does_not_have_is_an_error(part: str) -> None:
    known = Fact("moved", ("unit",), "it has moved", False, YES_NO)
    says: Any = {part: {"mvoed": (FIRST if part == "forbids" else paid,)}}
    with pytest.raises(TypeError, match=f"there is no fact mvoed, of which a chapter says what is {part}"):
        parts([Chapter(heading="1", facts=(known,), **says)])


class World:
    """As much of a world as this asks for."""

    def __init__(self, chapter: Chapter) -> None:
        self.game = SimpleNamespace(**parts([chapter]))


def test_the_engine_carries_out_what_other_headings_add() -> None:
    command, nothing = BuyOne(), None
    world: Any = World(Chapter(heading="1", commands=(BuyOne,), also={Buys: (paid,)}))
    q = Question(world, cast("State", nothing), command)
    assert [event.text for event in carried_out(command, q) if isinstance(event, Noted)] == ["bought", "paid"]
