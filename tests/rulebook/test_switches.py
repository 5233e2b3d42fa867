"""The rulings that groups are known to play differently are switches of the campaign."""

import pytest

from forcepool import games

REPLACEMENTS = [
    "52.A.10.a/5",
    "52.A.2/6",
    "52.A.2/8",
    "52.A.9.a/6",
    "52.A.10.b/1",
    "52.A.8/2",
    "52.A/4",
    "52.A.11/24",
    "52.A.11/13",
    "52.A.1/3",
    "52.A.1/10",
    "52.A.12/2",
    "52.F.2",
    "52.F.1",
    "52.F.5.b",
    "52.F.4.b",
    "52.D.1.a",
    "52.D.2.c.3",
    "52.E",
    "52.J.2.a",
    "52.I.2.b",
    "52.D.2.d.v/3",
    "52.F.4.a/3",
    "52.F.4.b/5",
    "52.D.1.b/6",
    "52.I.2.a",
    "52.G/5",
]


def _is_under(clause: str, heading: str) -> bool:
    return clause == heading or clause.startswith((f"{heading}/", f"{heading}."))


@pytest.mark.parametrize("wanted", REPLACEMENTS)
def test_a_ruling_of_replacements_that_groups_differ_on_is_a_switch(wanted: str) -> None:
    clauses = [each.clause for each in games.game("europa").switches]
    assert any(_is_under(clause, wanted) for clause in clauses), f"no switch for {wanted}"
