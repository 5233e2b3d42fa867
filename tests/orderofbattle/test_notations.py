"""The notations of the trade: every line of the table, in both directions."""

import pytest

from forcepool.engine.units import Strength, UnitSpec
from forcepool.orderofbattle.notations import Example, groups, told
from forcepool.orderofbattle.reading import parse
from forcepool.orderofbattle.unit_strings import BadUnit, Parsed, parse_unit, print_units

EXAMPLES = [example for group in groups() for example in group.examples]
# A colon behind a model is a heading's in a line of an order of battle.
IN_A_LINE = [each for each in EXAMPLES if not each.text.startswith("Me109E4:")]


def content(parsed: Parsed) -> tuple[object, ...]:
    return parsed.count, parsed.spec, parsed.designations, parsed.state


def test_the_table_is_long_enough_to_trust() -> None:
    assert len({example.text for example in EXAMPLES}) >= 150


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda each: each.text)
def test_a_notation_means_what_the_table_says(example: Example) -> None:
    parsed = parse_unit(example.text)
    assert told(parsed) == example.means
    assert "; ".join(parsed.warnings) == example.doubt
    assert print_units(parsed) == example.printed


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda each: each.text)
def test_what_we_print_reads_back_without_a_doubt(example: Example) -> None:
    again = parse_unit(example.printed)
    assert content(again) == content(parse_unit(example.text))
    assert again.warnings == ()
    assert print_units(again) == example.printed


def test_every_notation_is_a_line_of_an_order_of_battle() -> None:
    for example in IN_A_LINE:
        ob = parse(f"Jul 2 41\nSwiss\nReinforce:\n{example.text} in MD Leningrad\n")
        assert ob.problems == (), example.text
        (item,) = ob.entries[0].items
        parsed = parse_unit(example.text)
        assert item.spec is not None
        assert (item.count, item.designations, item.spec.full) == (
            parsed.count,
            parsed.designations,
            parsed.spec.full,
        ), example.text
        assert (item.contingent or "", item.state) == (parsed.spec.nation, parsed.state), example.text


def test_the_nation_of_the_heading_is_not_said_twice_and_another_is_kept() -> None:
    ob = parse("Jul 2 41\nBritish\nReinforce:\n1x 3-8 Br Mot X 4\n1x 4-8 Aus Inf X 16\n")
    assert [(entry.nation, entry.items[0].contingent) for entry in ob.entries] == [
        ("British", ""),
        ("British", "Australian"),
    ]


def test_where_no_heading_names_a_nation_the_unit_does() -> None:
    ob = parse("Jul 2 41\nReinforce:\n1x 3-8 Br Mot X 4\n")
    assert [(entry.nation, entry.items[0].contingent) for entry in ob.entries] == [("British", "")]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "44 HuD Inf XX",
            "17 GvB (SS)",
            "24 Inf XX cadre 3-6",
            "6 Pz 12-10",
            "Rif XX 100-102",
            "MD Kiev 8-6 Inf XX 24",
        ),
        *(
            "Remove HQ 5",
            "Army HQ units arrive here",
            "½ RE Inf II 5",
            "24 Inf XX 8-6, 76 Inf XX 8-6",
            "Me109E4 6F5 2 12",
        ),
    ],
)
def test_what_lacks_a_strength_or_has_two_is_refused_and_not_guessed(text: str) -> None:
    with pytest.raises(BadUnit):
        parse_unit(text)


def test_a_star_that_only_some_bear_is_said_to_be_doubtful() -> None:
    parsed = parse_unit("2x 7-6 Inf XX 17*, 18")
    assert (parsed.spec.starred, parsed.designations) == (False, ("17*", "18"))
    assert parsed.warnings == ("only 17* has the star; give starred units a line of their own",)


def test_two_units_with_their_strengths_behind_them_are_two() -> None:
    ob = parse("Jul 2 41\nGerman\nReinforce:\n24 Inf XX 8-6, 6 Pz XX 12-10 and 76 ID 8-6 in MD Leningrad\n")
    assert ob.problems == ()
    assert [(str(item.spec.full), item.designations) for item in ob.entries[0].items if item.spec] == [
        ("8-6", ("24",)),
        ("12-10", ("6",)),
        ("8-6", ("76",)),
    ]


# Two readings that the sentences above could hide: written out once by hand.
def test_a_nation_a_star_and_two_numbers_come_apart() -> None:
    unit = UnitSpec(Strength(3, 3, 6), "Inf", "XX", starred=True, nation="Italian")
    assert content(parse_unit("2x It *3-6 Inf XX 60L 61L")) == (2, unit, ("60L", "61L"), "")


def test_an_aircraft_is_kept_by_its_model() -> None:
    spec = UnitSpec(Strength(6, 5, 12), "F", "", traits=("air", "bombs 2"), designation="Me109E4")
    assert content(parse_unit("1x Me109E4 6F5 2/12")) == (1, spec, (), "")


@pytest.mark.parametrize(
    ("text", "type_"),
    [("2-6 Pol III", "Pol"), ("8-8 Gr XX", "Gr"), ("3-6 It XX", "It"), ("2-6 Pol Mot III", "Pol Mot")],
)
def test_a_word_that_may_be_a_type_is_no_nation(text: str, type_: str) -> None:
    parsed = parse_unit(text)
    assert (parsed.spec.type, parsed.spec.nation) == (type_, "")
