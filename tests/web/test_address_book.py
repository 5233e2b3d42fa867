"""The address book in a file and in a database: links that serve once, letters that one worker sends."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import pytest

from forcepool.store.database import Database
from forcepool.web.chair import SIDE, Seat
from forcepool.web.post.book import CONFIRM, ENTER, HOUR, MOST_LETTERS, NONE, SERVES, TURN, Book, Link
from forcepool.web.registry import FILE, Registry
from forcepool.web.registry_database import RegistryDatabase

NOW = 1_800_000_000
NAMES = count(1)


class Desk:
    """A register, and as many links to it as there are workers."""

    def __init__(self, registries: list[Registry]) -> None:
        self.registries = registries
        self.books = [Book(each.place) for each in registries]
        self.book = self.books[0]

    def seat(self) -> int:
        registry, name = self.registries[0], f"east {next(NAMES)}"
        invitation, word = registry.invite(name, Seat(SIDE, "Axis"))
        registry.accept(word, f"session {name}")
        return invitation.id


@pytest.fixture(params=["file", "database"])
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Desk]:
    if request.param == "file":
        made = [Registry(tmp_path / FILE) for _ in range(2)]
        yield Desk(made)
        for each in made:
            each.close()
        return
    stocks = [Database(request.getfixturevalue("database")) for _ in range(2)]
    yield Desk([Registry(RegistryDatabase(each.link)) for each in stocks])
    for stock in stocks:
        stock.close()


def test_a_link_serves_once_for_half_an_hour_and_dies_of_a_newer_one(desk: Desk) -> None:
    seat, book = desk.seat(), desk.book
    link = Link(CONFIRM, f"a{seat}@example.org", seat)
    first, second = (book.new_link(link, NOW) for _ in range(2))
    assert book.use(CONFIRM, first, NOW) is None
    assert book.link(ENTER, second, NOW) is None, "it serves for what it was sent for"
    assert book.link(CONFIRM, second, NOW + SERVES) is None
    with ThreadPoolExecutor(2) as pool:
        used = list(pool.map(lambda each: each.use(CONFIRM, second, NOW + SERVES - 1), desk.books))
    assert sorted(each is not None for each in used) == [False, True]
    more = [book.new_link(link, NOW) for _ in range(MOST_LETTERS)]
    assert [bool(each) for each in more] == [True] * (MOST_LETTERS - 2) + [False] * 2
    assert book.new_link(link, NOW + HOUR)


def test_a_letter_is_queued_and_claimed_by_one_worker(desk: Desk) -> None:
    seat, book = desk.seat(), desk.book
    mail = f"B{seat}@example.org"
    book.bind(seat, mail, "4.0", 7)
    assert book.seats_of(mail.lower()) == [seat]
    bound = book.of(seat)
    assert bound is not None
    assert (bound.wish, bound.told, bound.entry, bound.queued) == (TURN, "4.0", 7, "")
    with ThreadPoolExecutor(2) as pool:
        queued = list(pool.map(lambda each: each.queue(bound, TURN, "4.1", NOW), desk.books))
        assert sorted(queued) == [False, True]
        due = book.of(seat)
        assert due is not None
        claimed = list(pool.map(lambda each: each.claim(due, NOW + 900), desk.books))
    assert sorted(claimed) == [False, True]
    book.again(seat, 1, NOW + 60)
    book.sent(seat, 12, NOW)
    found = book.of(seat)
    assert found is not None
    assert (found.queued, found.tries, found.entry, found.sent) == ("", 0, 12, NOW)
    book.give_up(seat, "refused")
    assert [each.wants for each in book.every() if each.invitation == seat] == [False]
    book.wish(seat, NONE)
    found = book.of(seat)
    assert found is not None
    assert (found.wish, found.problem) == (NONE, "")
    # A new address keeps what was wished; with the seat everything goes.
    book.bind(seat, f"c{seat}@example.org", "", 0)
    again = book.of(seat)
    assert again is not None
    assert again.wish == NONE
    invitation = desk.registries[0].invitation(seat)
    assert invitation is not None
    desk.registries[0].end(seat, invitation.campaign)
    assert book.of(seat) is None
    assert book.seats_of(f"c{seat}@example.org") == []
    assert desk.registries[0].invitation(seat) is None
