"""Counters as pictures: the symbol of the type, the strength of the step, readable colours, a label to be heard."""

from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from forcepool.drawing.counters import BADGE, BAND, ON_BADGE, ON_BAND, badges, colours_of, counter, glyph_sheet, palette
from forcepool.drawing.glyphs import glyph_id, layers, layers_of, types
from forcepool.engine.units import UnitSpec
from forcepool.orderofbattle.aircraft import parse_aircraft
from forcepool.orderofbattle.unit_strings import parse_unit

SVG = "{http://www.w3.org/2000/svg}"


def unit(text: str, nation: str = "Germany") -> UnitSpec:
    return replace(parse_unit(text).spec, nation=nation)


def fighter() -> UnitSpec:
    found = parse_aircraft("7F8 P-51B 2-1/18")
    assert found is not None
    return replace(found, nation="United States")


def drawn(svg: str) -> ElementTree.Element:
    """The picture as a tree: it must be well formed."""
    return ElementTree.fromstring(svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1))


def written(svg: str) -> list[str]:
    return [text.text or "" for text in drawn(svg).iter(f"{SVG}text")]


def brightness(colour: str) -> float:
    digits = colour.removeprefix("#")
    digits = "".join(2 * digit for digit in digits) if len(digits) == 3 else digits
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    dark, light = sorted((brightness(one), brightness(other)))
    return (light + 0.05) / (dark + 0.05)


# ------------------------------------------------------------------------------------------------ what is written


@pytest.mark.parametrize(("step", "strength"), [("full", "12-10"), ("cadre", "5-8"), ("remnant", "½-8")])
def test_a_counter_shows_the_strength_of_its_step(step: str, strength: str) -> None:
    assert written(counter(unit("12-10 Pz XX (5-8) (1/2-8) 6"), step)) == ["XX", strength]


def test_a_split_strength_is_shown_whole() -> None:
    assert "5-7-6" in written(counter(unit("5-7-6 Inf XX 252")))


def test_an_air_counter_shows_its_ratings_bombs_and_range() -> None:
    assert written(counter(fighter())) == ["7F8", "2-1/18"]


def test_a_cadre_stands_on_a_band_and_a_full_unit_does_not() -> None:
    spec = unit("7-6 Inf XX (3-6) (1-6)")
    assert BAND not in counter(spec)
    assert BAND in counter(spec, "cadre")
    assert BAND in counter(spec, "remnant")
    assert counter(spec, "cadre") != counter(spec, "remnant").replace("1-6", "3-6").replace("remnant", "cadre")


def test_a_counter_can_be_heard() -> None:
    svg = drawn(counter(unit("7-6 Inf XX (3-6)"), "cadre", name="24 Inf XX", marks=["isolated supply"]))
    label = "24 Inf XX: infantry division of Germany, cadre 3-6, isolated supply"
    assert svg.get("role") == "img"
    assert svg.get("aria-label") == label
    title = svg.find(f"{SVG}title")
    assert title is not None
    assert title.text == label


def test_what_a_player_named_a_unit_cannot_break_the_page() -> None:
    svg = counter(unit("7-6 Inf XX"), name='"><script>alert(1)</script>', marks=["<b>"])
    assert "<script" not in svg
    assert drawn(svg).get("aria-label", "").startswith('"><script>')


def test_a_counter_is_small() -> None:
    usual = counter(unit("7-6 Inf XX (3-6)"), name="24 Inf XX")
    marked = counter(unit("7-6 Inf XX (3-6)"), "cadre", name="24 Inf XX", marks=["mp 2"])
    assert len(usual.encode()) < 600
    assert len(marked.encode()) < 900


# ------------------------------------------------------------------------------------------------------- markers


@pytest.mark.parametrize(
    ("marks", "expected"),
    [
        ([], []),
        (["mp 2"], ["+2"]),
        (["isolated supply"], ["ISO"]),
        (["isolated"], ["ISO"]),
        (["isolated no"], []),
        (["isolatedness"], []),
        (["supply none"], ["U"]),
        (["supply regular"], []),
        (["reserve operational"], ["OR"]),
        (["reserve strategic"], ["SR"]),
        (["reserve none"], []),
        (["mp 1", "isolated supply"], ["ISO", "+1"]),
        (["returns on 93212"], []),
    ],
)
def test_a_mark_has_its_badge(marks: list[str], expected: list[str]) -> None:
    assert badges(marks) == expected


def test_two_badges_are_drawn_and_all_marks_are_spoken() -> None:
    marks = ["isolated supply", "supply none", "mp 1"]
    svg = counter(unit("7-6 Inf XX"), marks=marks)
    assert [text for text in written(svg) if text in ("ISO", "U", "+1")] == ["ISO", "U"]
    assert "mp 1" in drawn(svg).get("aria-label", "")


# ------------------------------------------------------------------------------------------------------- symbols


def test_every_layer_a_word_calls_for_is_there_and_every_layer_is_called_for() -> None:
    called = {layer for group in (types().words, types().aircraft) for word in group.values() for layer in word.draw}
    assert called <= set(layers())
    assert len(layers()) >= 60


@pytest.mark.parametrize(
    ("type_", "expected"),
    [
        ("Inf", ("infantry",)),
        ("Rifle", ("infantry",)),
        ("Mot", ("infantry", "wheels")),
        ("Mot AT", ("wheels", "anti-tank")),
        ("Pz", ("armour",)),
        ("PzG", ("infantry", "armour")),
        ("Mtn Trng", ("infantry", "mountain", "training")),
        ("Trng", ("infantry", "training")),
        ("Mtn Art", ("mountain", "artillery")),
        ("Gds Tk", ("guards", "armour")),
        ("SS Pz", ("armour",)),
        ("XYZ", ()),
    ],
)
def test_a_type_is_drawn_by_its_words(type_: str, expected: tuple[str, ...]) -> None:
    assert layers_of(type_) == expected


def test_types_drawn_alike_share_one_glyph_and_others_do_not() -> None:
    assert glyph_id("Inf") == glyph_id("Rifle")
    assert len({glyph_id(each) for each in ("Inf", "Mot", "Pz", "Cav", "Art", "HQ", "XYZ", "XYW")}) == 8


def test_an_unknown_type_is_written_out() -> None:
    assert "Zouav" in written(counter(unit("2-6 Zouave X"), on_sheet=False))


def test_a_sheet_holds_each_glyph_once_and_all_that_its_counters_use() -> None:
    specs = [unit("7-6 Inf XX"), unit("4-6 Rifle XX"), unit("12-10 Pz XX"), fighter()]
    ids = [symbol.get("id") for symbol in drawn(glyph_sheet(specs)).iter(f"{SVG}symbol")]
    assert len(ids) == len(set(ids)) == 3
    for spec in specs:
        [use] = drawn(counter(spec)).iter(f"{SVG}use")
        assert use.get("href", "").removeprefix("#") in ids


def test_a_counter_off_the_sheet_brings_its_own_glyph() -> None:
    svg = counter(unit("7-6 Inf XX"), on_sheet=False)
    assert "<use" not in svg
    assert "M1 1 35 25" in svg


@pytest.mark.parametrize("letters", list(types().aircraft))
def test_air_units_have_no_frame_but_a_silhouette(letters: str) -> None:
    spec = replace(fighter(), type=letters)
    assert layers_of(letters, True)
    assert drawn(counter(spec, on_sheet=False)) is not None


def test_fighter_bomber_and_transport_look_different() -> None:
    assert len({layers_of(letters, True) for letters in types().aircraft}) == len(types().aircraft)


# ------------------------------------------------------------------------------------------------------- colours


def test_at_least_thirty_nations_have_colours_of_their_own() -> None:
    assert len(palette().nations) >= 30
    assert {"Germany", "Italy", "Soviet Union", "Britain", "France", "United States"} <= set(palette().nations)


def test_text_can_be_read_on_every_ground() -> None:
    colours = [*palette().nations.values(), *palette().forces.values(), *palette().others]
    assert min(contrast(each.ground, each.ink) for each in colours) >= 4.5
    assert contrast(BADGE, ON_BADGE) >= 4.5
    assert contrast(BAND, ON_BAND) >= 4.5


def test_the_ss_is_told_from_the_army_and_the_air_force_from_both() -> None:
    army, ss = unit("12-10 PzG XX"), unit("12-10 SS PzG XX")
    air = replace(army, force="Luftwaffe")
    assert len({colours_of(army).ground, colours_of(ss).ground, colours_of(air).ground}) == 3
    assert colours_of(army, "Reich SS PzG XX") == colours_of(ss)


def test_a_nation_not_listed_always_has_the_same_colours() -> None:
    one = unit("2-6 Inf XX", "Ruritania")
    assert colours_of(one) == colours_of(unit("12-10 Pz XX", "Ruritania"))
    assert colours_of(one) in palette().others
