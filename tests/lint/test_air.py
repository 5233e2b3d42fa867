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


def test_several_air_units_that_become_one_are_nothing_rule_28_knows(lint: Lint) -> None:
    lines = told(lint(GIVEN % "Convert 2x 7F8 Me109F 2/18 → 1x 8F9 FW190A 2/20"), "")
    assert any("28.E/1  convert:" in line and "list it under air_ob, with does: convert" in line for line in lines)


def test_a_plain_withdrawal_in_words_is_carried_out_by_rule_28(lint: Lint) -> None:
    assert not any("air_ob" in line for line in told(lint(GIVEN % "Withdraw 1x 7F8 Me109F 2/18"), ""))


def test_one_that_arrives_in_words_is_none_of_this(lint: Lint) -> None:
    assert not any("air_ob" in line for line in told(lint(GIVEN % "Reinforce 1x 7F8 Me109F 2/18 at airbase Kiev"), ""))
