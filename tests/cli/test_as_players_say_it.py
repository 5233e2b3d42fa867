"""The command line calls a pool what the pages call it, front Centre, and takes it typed either way."""

import re

import pytest

from tests.cli.conftest import Forcepool

TYPED = re.compile(r"(?<![\w=/\"])(?:front|md|theatre|national)/\w")
"""A pool as one types it, anywhere but behind the '=' of an order."""


@pytest.mark.parametrize(
    "words",
    [
        ("status",),
        ("todo", "--all"),
        ("units",),
        ("ledger",),
        ("log",),
        ("options", "78 Inf XX", "--all"),
        ("why", "6 Pz XX"),
        ("why", "34 Inf XX"),
        ("why", "Germany"),
        ("report",),
        ("do", "rebuild-cadre", "unit=78 Inf XX", "pay_from=front/centre"),
        ("do", "transfer-points", "pool=national/Germany", "into=theatre/east", "points=1 inf", "by=rail", "--dry-run"),
    ],
    ids=" ".join,
)
def test_pools_have_their_names_on_every_screen(east: Forcepool, words: tuple[str, ...]) -> None:
    assert east("do", "east.fp", "rebuild-cadre", "unit=6 Pz XX", "pay_from=centre").code == 0
    assert east("do", "east.fp", "lose", "34 Inf XX").code == 0
    ran = east(words[0], "east.fp", *words[1:])
    assert ran.out
    assert TYPED.findall(ran.out) == []


POOL = "front/centre"


@pytest.mark.parametrize("pool", [POOL, "front Centre", "FRONT CENTRE", "centre", "Front/Centre", "cent"])
def test_a_pool_is_understood_as_it_is_shown_and_as_it_is_typed(east: Forcepool, pool: str) -> None:
    held = east("ledger", "east.fp", "--pool", pool, "--json")
    assert {each["pool"] for each in held.data} == {POOL}
    assert east("log", "east.fp", "--pool", pool).code == 0


@pytest.mark.parametrize("words", [("front/centre",), ("front", "Centre"), ("front Centre",), ("centre",)])
def test_why_takes_a_pool_in_one_word_or_two(east: Forcepool, words: tuple[str, ...]) -> None:
    [statement] = east("why", "east.fp", *words, "Germany", "inf", "--json").data
    assert statement["account"] == {"pool": POOL, "nation": "Germany", "kind": "inf"}


@pytest.mark.parametrize("words", [("Germany,", "national"), ("Germany's", "national", "pool"), ("national/Germany",)])
def test_why_takes_a_nations_pool_as_it_is_shown(east: Forcepool, words: tuple[str, ...]) -> None:
    found = east("why", "east.fp", *words, "inf", "--json").data
    assert [each["account"]["pool"] for each in found] == ["national/Germany"]


def test_an_order_takes_a_pool_as_it_is_shown(east: Forcepool) -> None:
    assert east("do", "east.fp", "rebuild-cadre", "unit=6 Pz XX", "pay_from=front Centre").code == 0
