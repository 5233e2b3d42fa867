"""Orders of battle as players type them, short and in their own order."""

import pytest

from forcepool.orderofbattle.model import PlaceSpec
from forcepool.orderofbattle.printing import print_entry
from forcepool.orderofbattle.reading import parse
from tests.orderofbattle.test_orders import one


def read(line: str) -> list[str]:
    """What a line was read as, verb and all."""
    ob = parse(f"Jul 1 41\nGerman\n{line}")
    assert ob.problems == ()
    return [f"{entry.verb}: {print_entry(entry)}" for entry in ob.entries]


def warned(line: str) -> list[str]:
    return [each.message for each in parse(f"Jul 1 41\nGerman\n{line}").warnings]


@pytest.mark.parametrize(
    ("short", "verb"),
    [
        ("Arr.", "arrive"),
        ("Conv", "convert"),
        ("Disb.", "disband"),
        ("Mob:", "mobilize"),
        ("Reinf", "reinforce"),
        ("REINFS:", "reinforce"),
        ("Reorg:", "reorganize"),
        ("Ret:", "return"),
        ("Xfer", "transfer"),
        ("Trans.", "transfer"),
        ("Upgr:", "upgrade"),
        ("W/D", "withdraw"),
        ("Wdr:", "withdraw"),
        ("wd", "withdraw"),
        ("Withdr.", "withdraw"),
        ("Add to Repl. Pool", "add to replacement pool"),
        ("Remove from Pool:", "remove from replacement pool"),
        ("Add to Nat'l Reserve", "add to reserves"),
    ],
)
def test_a_verb_may_be_shortened_on_its_line_and_as_a_heading(short: str, verb: str) -> None:
    assert one(f"{short} 1x 8-6 Inf XX 24").verb == verb
    assert one(f"{short.rstrip(':')}:\n1x 8-6 Inf XX 24").verb == verb


def test_a_type_that_looks_like_a_short_verb_is_a_type() -> None:
    assert read("Reinforce: Mob Inf XX 4-6") == ["reinforce: 1x 4-6 Mob Inf XX"]


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("Reinforce 8-6 Inf XX 24 @ Minsk", "reinforce: 1x 8-6 Inf XX 24 at Minsk"),
        ("Forming: 2x 4-6 Rif XX @ MD Orel (full Aug 1 41)", "forming: 2x 4-6 Rif XX in MD Orel, full Aug 1 41"),
        ("Withdraw 1x 7-6 Inf XX (3-6) @ front Centre", "withdraw: 1x 7-6 Inf XX (3-6) in front Centre"),
        ("Reinforce 1x 8-6 Inf XX 24 @ any city", "reinforce: 1x 8-6 Inf XX 24 in any city"),
        ("- Reinforce: 1x 8-6 Inf XX 24 at Minsk.", "reinforce: 1x 8-6 Inf XX 24 at Minsk"),
        ("Reinforce: one 8-6 Inf XX and two 7-6 Inf XX", "reinforce: 1x 8-6 Inf XX + 2x 7-6 Inf XX"),
        ("Convert: two 8-6 Inf XX to two 7-6 Inf XX", "convert: 2x 8-6 Inf XX → 2x 7-6 Inf XX"),
        ("Upgrade 5-8 Pz X → 6-8 Pz X, 1 arm each", "upgrade: 1x 5-8 Pz X → 1x 6-8 Pz X for 1 arm"),
        ("Upgrade 5-8 Pz X → 6-8 Pz X; cost 1 arm + 1 inf", "upgrade: 1x 5-8 Pz X → 1x 6-8 Pz X for 1 arm, 1 inf"),
        ("Forming: 7-6 ID 330 in MD III; becomes full Sep 1 41", "forming: 1x 7-6 Inf XX 330 in MD III, full Sep 1 41"),
        ("Return: 12-10 Pz XX 7 (full)", "return: 1x 12-10 Pz XX 7 as full"),
        (
            "Transfer: 8-6 Inf XX 24 from East Theatre to Near East Command",
            "transfer: 1x 8-6 Inf XX 24 from theatre East to command Near East",
        ),
        ("Release: 2 REs", "release from national reserve: 2 RE"),
        ("ARPs: 8", "resources: 8 ARP"),
        ("Reinforce 1x 8-6 Inf XX in any German city", "reinforce: 1x 8-6 Inf XX in any city in Germany"),
        ("Reinforce 1x 8-6 Inf XX at any friendly city", "reinforce: 1x 8-6 Inf XX in any city"),
        ("Reinforce 1x 8-6 Inf XX in MDs III, IV and V", "reinforce: 1x 8-6 Inf XX in MDs III or IV or V"),
        ("Reinforce 1x 8-6 Inf XX at 2A:1234", "reinforce: 1x 8-6 Inf XX at hex 2A:1234"),
        ("Arrive 1x 8-6 Inf XX on the east edge of map 2A", "arrive: 1x 8-6 Inf XX at map edge 2A east"),
        ("Reinforce 1x 8-6 Inf XX, appears at Minsk", "reinforce: 1x 8-6 Inf XX at Minsk"),
        ("Withdraw 1x 8-6 Inf XX if possible", "withdraw: 1x 8-6 Inf XX"),
        ("Reinforce 1x 8-6 Inf XX after Minsk falls", "reinforce: 1x 8-6 Inf XX when Minsk falls"),
        ("Forming (MD Orel): 2x 4-6 Rif XX", "forming: 2x 4-6 Rif XX in MD Orel"),
        ("Forming: 1x 7-6 ID 330 (MD Posen) Full: Sep 1 41", "forming: 1x 7-6 Inf XX 330 in MD Posen, full Sep 1 41"),
        ("Reinforce: 2x 3-8 Cav XX, Orel MD", "reinforce: 2x 3-8 Cav XX in MD Orel"),
        ("Reinforce: 2x 8-6 Inf XX (3-6) (112 & 197)", "reinforce: 2x 8-6 Inf XX (3-6) 112, 197"),
        ("Reinforce: 1x 8-6 Inf XX 6 at Minsk in Reserve", "reinforce: 1x 8-6 Inf XX 6 at Minsk, in reserve"),
        ("Reinforce: 1x 8-6 Inf XX 6 at Minsk (in reserve)", "reinforce: 1x 8-6 Inf XX 6 at Minsk, in reserve"),
        ("Wdr 8-6 Inf XX 24 (returns Oct 1 41)", "withdraw: 1x 8-6 Inf XX 24, return Oct 1 41"),
        ("Disband: 1x 2-6 Inf Rgt (+1 inf RP)", "disband: 1x 2-6 Inf III gives 1 inf"),
        ("Disband: 1x 2-6 Inf III, 1 inf RP", "disband: 1x 2-6 Inf III gives 1 inf"),
        ("Upgrade: 1x 5-8 Pz X -> 1x 6-8 Pz X (1 arm)", "upgrade: 1x 5-8 Pz X → 1x 6-8 Pz X for 1 arm"),
        ("Upgrade: 1x 5-8 Pz X > 1x 6-8 Pz X cost: 1 arm", "upgrade: 1x 5-8 Pz X → 1x 6-8 Pz X for 1 arm"),
        ("Upgrade: 1x 5-8 Pz X = 1x 6-8 Pz X 9, 1 arm", "upgrade: 1x 5-8 Pz X → 1x 6-8 Pz X 9 for 1 arm"),
        ("Conv 2x 2-6 Inf III => 1x 5-6 Inf XX 9 (forming)", "convert: 2x 2-6 Inf III → 1x 5-6 Inf XX 9 as forming"),
        ("Transfer to West: 1x 8-6 Inf XX", "transfer: 1x 8-6 Inf XX to West"),
        ("Xfer: 1x 8-6 Inf XX East to West", "transfer: 1x 8-6 Inf XX from East to West"),
        ("Transfer 1x 8-6 Inf XX -> West", "transfer: 1x 8-6 Inf XX to West"),
        ("Add 1x 1-4 Sec III 57 to garrison of MD Kiev", "add to garrison: 1x 1-4 Sec III 57 in MD Kiev"),
        ("Release 1x 1-4 Sec III from garrison (MD Kiev)", "release from garrison: 1x 1-4 Sec III in MD Kiev"),
        ("Release from garrison of MD Kiev: 1x 1-4 Sec III", "release from garrison: 1x 1-4 Sec III in MD Kiev"),
        ("Add to the garrison of Norway: 1x 1-4 Sec III", "add to garrison: 1x 1-4 Sec III in MD Norway"),
        ("Release 1x 4-6 Inf XX from national reserve", "release from national reserve: 1x 4-6 Inf XX"),
        ("Remove 1x 4-6 Inf XX from the pool", "remove from replacement pool: 1x 4-6 Inf XX"),
        ("Resources: +4 Inf RP, 2 Arm RPs", "resources: 4 inf, 2 arm"),
        ("RPs: Inf 4, Arm 2", "resources: 4 inf, 2 arm"),
        ("Reorg: any number of 3-10 AA X -> 2-10 AA X", "reorganize: any 3-10 AA X → 1x 2-10 AA X"),
    ],
)
def test_a_line_is_read_as_it_is_meant(line: str, meant: str) -> None:
    assert read(line) == [meant]


def test_units_that_are_received_are_reinforcements_and_points_among_reinforcements_are_resources() -> None:
    assert read("Rcv: 2x 8-6 Inf XX 1, 2 and 3 inf") == ["reinforce: 2x 8-6 Inf XX 1, 2", "resources: 3 inf"]
    assert read("Reinforce: 1x 8-6 Inf XX 5 + 3 inf") == ["reinforce: 1x 8-6 Inf XX 5", "resources: 3 inf"]
    assert read("Conditional: 3 inf if Moscow falls") == ["resources: 3 inf if Moscow falls"]
    assert warned("Rcv: 1x 8-6 Inf XX") == ["units are no points: read as reinforce"]


def test_points_that_a_verb_has_no_use_for_are_told_of() -> None:
    assert warned("Withdraw 1x 8-6 Inf XX 5, 3 inf") == ["the points beside the units say nothing under withdraw"]
    assert warned("Withdraw 1x 8-6 Inf XX 5 for 3 inf") == []


def test_the_two_theatres_of_the_rules_are_headings_by_themselves() -> None:
    ob = parse("Allied, British\nMTO\nJan 1 42\nReinforce 1x 7-8 Inf XX 50\nETO:\nReinforce 1x 7-8 Inf XX 51")
    assert ob.problems == ()
    assert [entry.section.names for entry in ob.entries if entry.section] == [("MTO",), ("ETO",)]


def test_places_of_two_kinds_on_a_line_are_not_taken_for_one() -> None:
    (problem,) = parse("Jul 1 41\nGerman\nReinforce 1x 8-6 Inf XX at Berlin or in MD III").problems
    hint = "name those of one kind, and the kind once, as in MDs V, VI"
    assert (problem.column, problem.message, problem.hint) == (38, "the line names places of two kinds", hint)


@pytest.mark.parametrize(
    ("words", "kind", "names"),
    [
        ("in MD V or MD VI", "multi_md", ("V", "VI")),
        ("in MD V or in MD VI", "multi_md", ("V", "VI")),
        ("in MD V and MD VI", "multi_md", ("V", "VI")),
        ("in MD IV, MD V, or MD VI", "multi_md", ("IV", "V", "VI")),
        ("in Kiev MD or Odessa MD", "multi_md", ("Kiev", "Odessa")),
        ("in Kiev MD", "md", ("Kiev",)),
        ("at Kiev or at Minsk", "city", ("Kiev", "Minsk")),
    ],
)
def test_places_of_one_kind_may_each_have_their_word(words: str, kind: str, names: tuple[str, ...]) -> None:
    ob = parse(f"Jul 1 41\nGerman\nReinforce 1x 8-6 Inf XX {words}")
    assert ob.problems == ob.warnings == ()
    assert ob.entries[0].place == PlaceSpec(kind, names)


@pytest.mark.parametrize(
    "words", ["at Kiev or any city in MD Minsk", "in MD Kiev and at Minsk", "in front Centre or front South"]
)
def test_no_word_of_a_place_is_taken_for_its_name(words: str) -> None:
    (problem,) = parse(f"Jul 1 41\nGerman\nReinforce 1x 8-6 Inf XX {words}").problems
    assert problem.message == "the line names places of two kinds"


def test_a_unit_or_points_behind_a_place_are_no_second_place() -> None:
    for line in ("2x 8-6 Inf XX 24 at Minsk, 31 at Pinsk", "2x 8-6 Inf XX at Minsk, 3 inf"):
        (problem,) = parse(f"Jul 1 41\nGerman\nReinforce {line}").problems
        assert "stands behind a place" in problem.message
    assert read("Reinforce 2x 8-6 Inf XX at Minsk, Pinsk") == ["reinforce: 2x 8-6 Inf XX at Minsk or Pinsk"]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("Reinforce 8-6 Inf XX 24 - Minsk", "read '-' as part of the designation '24 - Minsk'"),
        ("Reinforce 8-6 Inf XX 24: Minsk", "read ':' as part of the designation '24: Minsk'"),
        ("Reinforce: 1x 8-6 Inf XX / 24", "read '/' as part of the designation '/ 24'"),
        ("Forming 8-6 Inf XX 24 (full Sep 1)", "kept '(full Sep 1)' as a note, which changes nothing"),
        ("Remove 1x 4-6 Inf XX", "read 'Remove' as withdraw"),
        ("Disband: 1x 2-6 Inf III (1 inf)", "read '(1 inf)' as gives 1 inf"),
    ],
)
def test_what_had_to_be_guessed_is_told(line: str, told: str) -> None:
    assert told in warned(line)


def test_the_order_of_battles_own_words_stay_as_they_are() -> None:
    assert read("Other: Wdr the fleet (MD Kiev) @ Brest") == ["other: Other: Wdr the fleet (MD Kiev) @ Brest"]


def test_a_turn_behind_a_front_is_no_second_front() -> None:
    (entry,) = parse("German, front Centre, May 2 42: Reinforce 1x 8-6 Inf XX").entries
    assert (entry.turn, entry.section and entry.section.names) == ("May 2 42", ("Centre",))


def test_points_of_no_kind_are_infantry_with_a_warning() -> None:
    assert read("Disband 1x 2-6 Inf III gives 1 RP") == ["disband: 1x 2-6 Inf III gives 1 inf"]
    assert warned("Resources: 4 RPs") == ["'4 RPs' is of no kind: read as infantry"]


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("Return 1x 7-6 Inf XX 5 at full strength", "return: 1x 7-6 Inf XX 5 as full"),
        ("Reinforce 1x 7-6 Inf XX (3-6) 5 at cadre strength", "reinforce: 1x 7-6 Inf XX (3-6) 5 as cadre"),
        ("Withdraw 1x 7-6 Inf XX (3-6) 5, cadre only", "withdraw: 1x 7-6 Inf XX (3-6) 5 as cadre"),
        ("Forming: 1x 7-6 Inf XX 5 in MD III to be full Aug 1 41", "forming: 1x 7-6 Inf XX 5 in MD III, full Aug 1 41"),
        (
            "Forming: 1x 7-6 Inf XX 5 in MD III, full strength Aug 1 41",
            "forming: 1x 7-6 Inf XX 5 in MD III, full Aug 1 41",
        ),
        ("Disband 1x 2-5 Sec XX 221, gain 2 inf and 1 arm", "disband: 1x 2-5 Sec XX 221 gives 2 inf, 1 arm"),
        (
            "Reorganize any 3-10 AA X into 2-10 Art X, gains 1 inf each",
            "reorganize: any 3-10 AA X → 1x 2-10 Art X gives 1 inf",
        ),
        (
            "Upgrade 1x 4-6 Inf XX 5 -> 1x 5-6 Inf XX 5 by spending 1 arm RP",
            "upgrade: 1x 4-6 Inf XX 5 → 1x 5-6 Inf XX 5 for 1 arm",
        ),
        (
            "Upgrade 1x 4-6 Inf XX 5 -> 1x 5-6 Inf XX 5 at a cost of 1 arm",
            "upgrade: 1x 4-6 Inf XX 5 → 1x 5-6 Inf XX 5 for 1 arm",
        ),
        ("Withdraw 1x 7-6 Inf XX 5, returning Oct 1 41", "withdraw: 1x 7-6 Inf XX 5, return Oct 1 41"),
        ("Conditional: 1x 7-6 Inf XX 5 on the fall of Leningrad", "conditional: 1x 7-6 Inf XX 5 when Leningrad falls"),
        ("Reinforce 1x 7-6 Inf XX 5 in Op Res", "reinforce: 1x 7-6 Inf XX 5, in OR"),
        ("Add to MD III garrison: 1x 2-5 Sec XX 5", "add to garrison: 1x 2-5 Sec XX 5 in MD III"),
        ("Release 1x 2-5 Sec XX 5 from MD III garrison", "release from garrison: 1x 2-5 Sec XX 5 in MD III"),
        ("Add to the Eliminated Box: 1x 4-6 Inf III 5", "add to replacement pool: 1x 4-6 Inf III 5"),
    ],
)
def test_a_clause_said_in_other_words_is_no_place_and_no_designation(line: str, meant: str) -> None:
    assert read(line) == [meant]
    assert warned(line) == []


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("Upgrade 1x 7-6 Inf XX → 1x 8-6 Inf XX: 0.5 arm + 1 inf", "for ½ arm, 1 inf"),
        ("Upgrade 1x 7-6 Inf XX → 1x 8-6 Inf XX 24: 1 inf", "for 1 inf"),
        ("Upgrade 1x 7-6 Inf XX → 1x 8-6 Inf XX - 1 inf", "for 1 inf"),
        ("Disband 1x 7-6 Inf XX = 2 inf, 1 art", "gives 2 inf, 1 art"),
        ("Disband 1x 7-6 Inf XX 24: 2 inf", "gives 2 inf"),
        ("Disband 1x 7-6 Inf XX to yield 2 inf RPs", "gives 2 inf"),
        ("Disband 1x 7-6 Inf XX, receive 2 inf RPs", "gives 2 inf"),
    ],
)
def test_points_behind_any_sign_are_no_designation(line: str, meant: str) -> None:
    (entry,) = read(line)
    assert entry.endswith(meant)
    assert not entry.removesuffix(meant).rstrip().endswith((":", "-", "="))


def test_points_beside_units_are_points_before_a_place_too() -> None:
    entries = parse("Jul 1 41\nGerman\nReinforce: 2x 7-6 Inf XX 24, 76, 1x 12-10 Pz XX 6, 3 inf RPs in MD Kiev").entries
    assert [print_entry(entry) for entry in entries] == [
        "2x 7-6 Inf XX 24, 76 + 1x 12-10 Pz XX 6 in MD Kiev",
        "3 inf in MD Kiev",
    ]


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("Mobilize 2x 3-6 Inf XX (cadre) to full strength", "mobilize: 2x 3-6 Inf XX as cadre"),
        ("Mobilize 2x 3-6 Inf XX cadres to full in MD V", "mobilize: 2x 3-6 Inf XX as cadre in MD V"),
        ("Mobilize 2x 7-6 Inf XX from cadre to full strength", "mobilize: 2x 7-6 Inf XX"),
        ("Return 1x 12-10 Pz XX 6 to full strength", "return: 1x 12-10 Pz XX 6 as full"),
        ("Withdraw any two 7-6 Inf XX", "withdraw: 2x 7-6 Inf XX"),
        ("Release from National Reserve: up to 6 REs", "release from national reserve: 6 RE"),
        ("Reinforce 1x 5-6 Inf XX 24 unsupported", "reinforce: 1x 5-6 Inf XX 24 as unsupported"),
        ("Reinforce 1x 7-6 Inf XX (arrive in MD Kiev)", "reinforce: 1x 7-6 Inf XX in MD Kiev"),
        ("Reinforce 1x 7-6 Inf XX at west edge of map 2A", "reinforce: 1x 7-6 Inf XX at map edge 2A west"),
        ("Sequester 1x 7-6 Inf XX to SOUTHERN FRANCE INVASION BOX", "sequester: 1x 7-6 Inf XX in box Southern France"),
        (
            "Transfer 1x 7-6 Inf XX East → Southeast for 3 inf",
            "transfer: 1x 7-6 Inf XX from East to Southeast for 3 inf",
        ),
    ],
)
def test_no_word_of_strength_or_place_is_a_name(line: str, meant: str) -> None:
    assert read(line) == [meant]


def test_a_limit_is_not_said_to_change_nothing() -> None:
    assert warned("Reorganize: any 3-10 Mot AA X → 1x 0-1-10 Trans X, at most two a turn") == []


def test_a_remark_in_square_brackets_behind_a_unit_makes_no_air_unit_of_it() -> None:
    (problem,) = parse("Jul 1 41\nGerman\nReinforce 1x 7-6 Inf XX [see rule 45C1]").problems
    assert (problem.column, problem.message) == (26, "expected a strength such as 8-6 or 5-7-6, found 'see'")


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("Reinforce 1x 7-6 Inf XX 24 In MD Kiev", "reinforce: 1x 7-6 Inf XX 24 in MD Kiev"),
        ("Reinforce 1x 7-6 Inf XX At Kiev", "reinforce: 1x 7-6 Inf XX at Kiev"),
        ("Reinforce 1x 7-6 Inf XX. If Minsk falls", "reinforce: 1x 7-6 Inf XX if Minsk falls"),
        ("Disband 1x 7-6 Inf XX Gives 2 inf", "disband: 1x 7-6 Inf XX gives 2 inf"),
        ("Reinforce 1x 4-6 Inf XX 4 In", "reinforce: 1x 4-6 Inf XX 4 In"),
        ("Reinforce 1x 7-6 Inf XX on hex 2A:1234", "reinforce: 1x 7-6 Inf XX at hex 2A:1234"),
        ("Reinforce 1x 7-6 Inf XX anywhere in MD V", "reinforce: 1x 7-6 Inf XX in MD V"),
    ],
)
def test_a_clause_behind_a_unit_may_begin_with_a_capital(line: str, meant: str) -> None:
    assert read(line) == [meant]


def test_of_two_places_the_smaller_lies_in_the_larger_in_whichever_order() -> None:
    for words in ("in front Centre at Smolensk", "at Smolensk in front Centre", "at Smolensk, front Centre"):
        (entry,) = parse(f"Jul 1 41\nGerman\nReinforce 1x 8-6 Inf XX {words}").entries
        assert entry.place == PlaceSpec("city", ("Smolensk",), inside=PlaceSpec("front", ("Centre",)))
    (entry,) = parse("Jul 1 41\nGerman\nReinforce 1x 8-6 Inf XX in theatre East at any city in MD V").entries
    assert print_entry(entry) == "1x 8-6 Inf XX in any city in MD V in theatre East"
    (entry,) = parse("Jul 1 41\nGerman\nReinforce 1x 8-6 Inf XX in Germany at Berlin").entries
    assert entry.place == PlaceSpec("city", ("Berlin",), inside=PlaceSpec("area", ("Germany",)))


def test_a_misspelt_nation_inside_a_unit_is_asked_about() -> None:
    assert warned("Withdraw 1x 4-6 Rumainan Inf XX") == ["read 'Rumainan Inf' as the type; did you mean Rumanian?"]
    for kind in ("Rumanian Inf", "Rum Inf", "Air Landing", "Fortress Inf", "Inf"):
        assert warned(f"Withdraw 1x 4-6 {kind} XX") == []
