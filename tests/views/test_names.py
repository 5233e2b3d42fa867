"""Amounts as a player reads them."""

from fractions import Fraction

from forcepool.views.names import amounts_in_words


def test_one_of_what_is_counted_in_the_plural_is_said_in_the_singular() -> None:
    assert amounts_in_words({"moves": Fraction(1)}) == "1 move"
    assert amounts_in_words({"moves": Fraction(2), "infantry": Fraction(1)}) == "2 moves, 1 infantry"
    assert amounts_in_words({"arp": Fraction(1, 2), "inf": Fraction(7, 2)}) == "½ ARP, 3½ inf"
    assert amounts_in_words({}) == "nothing"
