"""Air units in the order of battle."""

from tests.lint.conftest import Lint, told

GIVEN = """\
places: {Kiev: {front: theatre/east, city: yes, airbase: yes}}
units: {JG 51: {spec: 7F8 Me109F 2/18, nation: German, at: Kiev}}
ob: |
  Jul 2 41
    German
      %s
"""


def test_an_air_unit_is_withdrawn_by_the_air_ob(lint: Lint) -> None:
    lines = told(lint(GIVEN % "Withdraw 1x 7F8 Me109F 2/18"), "")
    assert any("28.F/1  withdraw:" in line and "list it under air_ob, with does: withdraw" in line for line in lines)


def test_one_that_arrives_in_words_is_none_of_this(lint: Lint) -> None:
    assert not any("air_ob" in line for line in told(lint(GIVEN % "Reinforce 1x 7F8 Me109F 2/18 at airbase Kiev"), ""))
