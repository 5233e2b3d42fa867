"""A sentence is made of parts; whoever shows it knows what each name in it is."""

import json

import pytest

from forcepool.engine import codec
from forcepool.engine.sentence import (
    NOTE,
    PLACE,
    POOL,
    UNIT,
    WORDS,
    Part,
    Told,
    capital,
    kept,
    parts,
    plain,
    plain_json,
    pools_in,
    the_note,
    the_place,
    the_places,
    the_pool,
    the_pools,
    the_unit,
    the_units,
)
from forcepool.engine.verdicts import No, Remedy, no, yes
from tests.support.sentences import letters

SENTENCE = f"{the_unit('6 Pz XX')} at {the_place('Minsk')} traces to {the_pool('front/centre')}: {the_note('at=Minsk')}"


def test_a_sentence_is_read_from_left_to_right() -> None:
    assert list(parts(SENTENCE)) == [
        Part(UNIT, "6 Pz XX"),
        Part(WORDS, " at "),
        Part(PLACE, "Minsk"),
        Part(WORDS, " traces to "),
        Part(POOL, "front/centre"),
        Part(WORDS, ": "),
        Part(NOTE, "at=Minsk"),
    ]


def test_in_plain_letters_it_is_what_one_types() -> None:
    assert plain(SENTENCE) == "6 Pz XX at Minsk traces to front/centre: at=Minsk"
    assert plain("nothing in it") == "nothing in it"


def test_several_names_are_several_parts() -> None:
    assert [part.name for part in parts(the_units(["1 Inf XX", "2 Inf XX"])) if part.kind == UNIT] == [
        "1 Inf XX",
        "2 Inf XX",
    ]
    assert plain(the_places(["Minsk", "Orsha"], " or ")) == "Minsk or Orsha"
    assert pools_in(the_pools(["front/north", "theatre/east"], " – ")) == ["front/north", "theatre/east"]


def test_no_name_is_no_part() -> None:
    assert the_place("") == ""
    assert (the_pool("") or "no pool") == "no pool"


def test_what_may_not_stay_gives_way_to_other_words_and_the_rest_stays_in_parts() -> None:
    veiled = kept(SENTENCE, lambda part: part.kind != UNIT, "a unit you do not see")
    assert plain(veiled) == "a unit you do not see at Minsk traces to front/centre: at=Minsk"
    assert Part(PLACE, "Minsk") in parts(veiled)


def test_json_tells_names_as_one_types_them() -> None:
    data = {"says": SENTENCE, "note": "typed \\u0002u by hand, and \\\\u0003"}
    told = json.loads(plain_json(codec.encode(data)))
    assert told == {"says": plain(SENTENCE), "note": data["note"]}


def test_a_refusal_is_made_of_parts_and_reads_as_text() -> None:
    refused = no(f"{the_unit('6 Pz XX')} is cut off", Remedy(f"pay from {the_pool('front/south')}"))
    assert isinstance(refused, No)
    assert (refused.says, refused.remedy) == ("6 Pz XX is cut off", "pay from front/south")
    assert str(refused) == "6 Pz XX is cut off. Pay from front/south"
    assert pools_in(refused.whole) == ["front/south"]
    assert yes("52.A/1", f"in {the_place('Minsk')}").says == "in Minsk"


def test_a_remedy_that_begins_with_a_name_keeps_its_letters() -> None:
    assert plain(capital(the_pool("front/south"))) == "front/south"
    assert capital("wait") == "Wait"
    assert capital("") == ""


def test_an_error_is_told_in_plain_letters_and_kept_in_parts() -> None:
    with pytest.raises(Told, match=r"^there is no unit '6 Pz', but 6 Pz XX$") as found:
        raise Told(f"there is no unit '6 Pz', but {the_unit('6 Pz XX')}")
    assert Part(UNIT, "6 Pz XX") in parts(found.value.sentence)


def test_a_name_in_the_words_between_the_parts_is_found() -> None:
    known = {"6 Pz XX", "Minsk", "front/centre"}
    assert letters(known, SENTENCE) == []
    assert letters(known, f"{the_unit('6 Pz XX')} at Minsk, for front/centre") == ["Minsk", "front/centre"]
    assert letters({"Minsk"}, "Minsker Strasse") == []
