"""The set-up of the whole game, the shipped scenario, and files that are wrong."""

import re
from importlib.resources import files

import pytest

from forcepool import games
from forcepool.engine.places import HEX
from forcepool.files.problems import BadFile
from forcepool.files.yamltext import read_yaml
from forcepool.games.eastern_front.world import EasternWorld
from tests.support.any_game import sit_down

SHIPPED = files("forcepool").joinpath("scenarios/eastern-front.yaml").read_text("utf-8")


def problems(text: str) -> str:
    """Everything a file is told to be wrong with."""
    with pytest.raises(BadFile) as bad:
        games.game("eastern_front").set_up(read_yaml(text, "given.yaml"), ())
    return "\n".join(map(str, bad.value.problems))


@pytest.mark.clause("EF.expansion/1", "EF.expansion/2", "EF.expansion/13")
def test_the_shipped_game_begins_with_eleven_factories_where_printed_and_thirteen_to_expand_with() -> None:
    campaign = sit_down("eastern_front", SHIPPED).campaign
    world = campaign.world
    assert isinstance(world, EasternWorld)
    works = world.works
    on_map = [name for name in works if campaign.state.units[name].place.kind == HEX]
    assert len(on_map) == 11
    assert all(campaign.state.units[name].place.of == works[name].printed for name in on_map)
    assert sum(bool(each.letter) for each in works.values()) == 13
    # Boxes and the track are no points of the map, though units begin there.
    assert not [
        name for name in world.points if name.partition(" ")[0] in ("siberia", "unused", "dead", "track", "out")
    ]
    # A factory defends itself; it neither attacks nor moves by itself.
    assert {str(campaign.state.units[name].spec.full) for name in works} == {"0-1-0"}


@pytest.mark.clause("EF.expansion/1")
def test_a_set_up_with_the_first_expansion_factory_on_the_map_is_wrong() -> None:
    text = SHIPPED.replace("letter: A, months: odd}", "letter: A, months: odd, at: Gorki}", 1)
    assert "11 factories on the map, not 12 (EF.expansion/1)" in problems(text)


@pytest.mark.clause("EF.expansion/2")
def test_a_starting_factory_away_from_its_printed_point_is_wrong() -> None:
    text = SHIPPED.replace("printed: Kharkov, months: odd}", "printed: Kharkov, months: odd, at: Moscow}")
    assert re.search(r"given.yaml:\d+:\d+: Tank Kharkov starts at Kharkov.*EF.expansion/2", problems(text))


@pytest.mark.clause("EF.expansion/13")
def test_a_fourteenth_expansion_factory_is_wrong() -> None:
    text = SHIPPED.replace("  Tank A:", "  Tank Z: {kind: tank, letter: Z}\n  Tank A:", 1)
    assert "13 factories to expand with, not 14" in problems(text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("turn: Smarch 41", "there is no month"),
        ("player: Nobody", "there is no player"),
        ("phase: tea", "there is no phase"),
        ("points: {Kiev: {country: Ruritania}}", "there is no nation 'Ruritania'"),
        ("points: {Kiev: {control: Nobody}}", "a point is controlled by Axis or Soviet"),
        ("lines: {A: {ends: [Kiev, upper edge]}}", "there is no upper edge"),
        ("lines: {A: {ends: [Kiev, Minsk], kind: canal}}", "there is no kind of line 'canal'"),
        ("units: {A: {spec: nothing, at: Kiev}}", "given.yaml:1:"),
        ("units: {A: {spec: 1-4 Inf XXXX, at: Kiev, supply: plenty}}", "supply is one of"),
        ("factories: {A: {kind: cheese, at: Kiev}}", "no factory makes 'cheese'"),
        ("factories: {A: {kind: tank, at: Kiev, months: some}}", "months are odd, even or a list"),
        ("factories: {A: {kind: tank, at: Kiev, months: [13]}}", "months run from 1 to 12"),
        ("factories: {A: {kind: tank}}", "say where A is"),
        ("factories: {A: {kind: tank, at: Kiev}}\nunits: {A: {spec: 1-4 Inf XXXX}}", "there is a unit 'A' too"),
        ("track: {Jun 41: {cheese: 1}}", "there are no 'cheese' points"),
        ("capacity: {Nobody: 3}", "there is no side 'Nobody'"),
        ("numbers: {cheese: 3}", "there is no number 'cheese'"),
        ("dates: {cheese: Jun 41}", "there is no date 'cheese'"),
        ("dates: {polish_army: never}", "there is no month"),
        ("pools: {cheese: {Soviet: {tank: 1}}}", "there is no pool 'cheese'"),
        ("pools: {siberia: {Soviet: {cheese: 1}}}", "there are no 'cheese' points"),
        ("house_rules: {cheese: on}", "there is no house rule 'cheese'"),
        ("units: {A: {spec: 1-4 Inf XXXX, at: reinforcements Narnia Jun 41}}", "say whose reinforcements"),
    ],
)
def test_a_wrong_word_is_told_with_its_place(text: str, says: str) -> None:
    found = problems(text)
    assert says in found
    assert found.startswith("given.yaml:")


def test_a_counter_of_no_known_kind_is_warned_of() -> None:
    given = read_yaml("units: {A: {spec: 1-4 Ski XX, at: Kiev}}", "given.yaml")
    assert games.game("eastern_front").set_up(given, ()).warnings == ("A: no kind of unit of this game is a Ski XX",)


def test_places_are_known_by_their_words() -> None:
    world = sit_down("eastern_front", SHIPPED).campaign.world
    assert world.show_place(world.parse_place("Siberia")) == "Siberia"
    assert world.show_place(world.parse_place("dead pile")) == "dead pile"
    assert world.show_place(world.parse_place("kiev")) == "Kiev"
    assert world.show_place(world.parse_place("track Oct 41")) == "turn record track of factories, due Oct 41"
    assert world.show_place(world.parse_place("reinforcements Soviet Union Jun 44")) == (
        "reinforcements of Soviet Union, due Jun 44"
    )
    with pytest.raises(ValueError, match="did you mean Kiev"):
        world.parse_place("Kyiv")
    with pytest.raises(ValueError, match="did you mean Warsaw line"):
        world.subject("line", "Warsav line")
