"""Saves and logs: what lies where, in every dialect, and nothing of a password."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forcepool.vassal import BadVassal, Save, Spot, read_save
from forcepool.vassal.campaign.counters import look
from forcepool.vassal.obfuscation import DIALECTS
from forcepool.vassal.players import Player
from tests.support.vassal import ESC, HEX, PLAIN, Game, hidden, joined, layer, marks, zipped

PASSWORD = "open;sesame"


def read(game: Game, dialect: str = HEX, *, bare: bool = False) -> Save:
    return read_save(io.BytesIO(game.data(dialect, bare=bare)), name="x.vsav")


@pytest.fixture
def game() -> Game:
    return Game()


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_counter_is_read_with_all_it_carries(game: Game, dialect: str) -> None:
    piece = game.piece(
        "SPW 251/1 'Grille'",
        at=("Main", 40, 50),
        gpid="17",
        traits=[
            marks(Side="Axis", Note="a, b\\"),
            ("PROP;Steps;true,0,3,true;", "2"),
            ("label;L;Text", "near Minsk\\tomorrow"),
            layer(2, "+ full", "+ cadre", name="Step"),
            ("rotate;6;", "3"),
            ("propertysheet;0Attack~0Note;83,130;0", "8~at Minsk; no~"),
            ("table;1;2;;Losses", "1,a\\,b"),
            ("conceal;x", "kept\tas;it is"),
        ],
    )
    found = read(game, dialect).pieces[piece]
    assert (found.name, found.gpid, found.at) == ("SPW 251/1 'Grille'", "17", Spot("Main", 40, 50))
    assert found.shown_name == "SPW 251/1 'Grille' cadre"
    assert found.properties == {"Side": "Axis", "Note": "a, b\\", "Steps": "2"}
    assert found.labels == ["near Minsk\\tomorrow"]
    assert found.sheets == [["8", "at Minsk; no", ""], ["1", "a,b"]]
    assert [(each.name, each.level, each.shows) for each in found.layers] == [("Step", 2, "+ cadre")]
    assert [tuple(each) for each in found.unknown] == [("conceal;x", "kept\tas;it is")]


@pytest.mark.parametrize(("level", "shows"), [("-2", 0), ("0", 0), ("1", 1), ("2", 2), ("3", 0), ("x", 0), ("2;1", 2)])
def test_a_layer_shows_nothing_unless_its_level_is_one_it_has(game: Game, level: str, shows: int) -> None:
    kind, _ = layer(1, "full", "cadre")
    assert read_level(game, kind, level) == shows


def read_level(game: Game, kind: str, level: str) -> int:
    piece = game.piece("24", traits=[(kind, level)])
    return read(game).pieces[piece].layers[0].level


def test_layers_of_the_oldest_modules_are_read(game: Game) -> None:
    piece = game.piece("24", traits=[("emb;F;Flip;F;;;;0;0;a.gif,full;b.gif,cadre", "2")])
    [found] = read(game).pieces[piece].layers
    assert (found.level, found.names, found.images) == (2, ("full", "cadre"), ("a.gif", "b.gif"))


def test_a_layer_may_follow_what_players_set(game: Game) -> None:
    kind, state = layer(1, "full", "cadre", "remnant")
    follows = kind.replace(";false;;1;1;true", ";true;Steps;0;1;true")
    piece = game.piece("24", traits=[("PROP;Steps;", "2"), (follows, state)])
    assert read(game).pieces[piece].layers[0].shows == "remnant"


def test_a_counter_in_a_stack_is_where_the_stack_is(game: Game) -> None:
    first, second, third = (game.piece(name, at=("Main", 1, 1)) for name in "abc")
    game.stack(("Chart", 300, 400), second, first, "9999")
    game.stack(("null", 0, 0), third)
    game.stack(("Main", 5, 5))
    save = read(game)
    assert save.pieces[first].at == Spot("Chart", 300, 400)
    assert save.pieces[third].at == Spot()
    assert save.pieces[first].own_spot == Spot("Main", 1, 1)
    assert [each.pieces for each in save.stacks] == [(second, first), (third,)]
    assert save.maps == ["Chart"]


def test_a_deck_holds_its_counters(game: Game) -> None:
    piece = game.piece("card")
    game.commands.append("+/77/deck;x/" + joined(["Cup", "9", "8", "false", piece], ";"))
    save = read(game)
    assert save.pieces[piece].at == Spot("Cup", 9, 8)
    assert save.stacks[0].deck


def test_boards_players_turns_extensions_and_properties(game: Game) -> None:
    game.boards("Main", ("East", 0, 0), ("West/rev", 1, 0))
    game.player("secret", "Anna", "Soviet")
    game.commands += ["TURNTurn\tJul|2|Axis", "EXT\tDesert\t1.0", "GlobalProperty\t;Weather;mud;", "CLOCK\tx"]
    game.commands += ["GlobalProperty\t;Weather;snow;"]
    save = read(game)
    assert [(each.name, each.column, each.reversed) for each in save.boards["Main"]] == [
        ("East", 0, False),
        ("West", 1, True),
    ]
    assert save.players == (Player("Anna", "Soviet"),)
    assert save.turns == {"Turn": ("Jul", "2", "Axis")}
    assert save.extensions == {"Desert": "1.0"}
    assert save.properties == {"Weather": "snow"}
    assert [(each.kind, each.text) for each in save.other] == [("CLOCK", "CLOCK\tx")]


def test_a_very_old_save_is_the_game_alone(game: Game) -> None:
    game.commands.append("+/1/" + joined(["piece;;;a.gif;24 Inf", "Main;3;4"], "/"))
    save = read(game, PLAIN, bare=True)
    assert (save.metadata.module, save.pieces["1"].gpid, save.pieces["1"].at) == ("", "", Spot("Main", 3, 4))


def test_what_the_file_says_it_is() -> None:
    found = read_save(io.BytesIO(Game().data(comment="after <lunch>"))).metadata
    assert (found.module, found.module_version, found.vassal_version) == ("Made up", "1.2", "3.7.5")
    assert (found.saved, found.comment) == ("2023-11-14 22:13", "after <lunch>")


@pytest.mark.parametrize("password", ["sesame", PASSWORD, "a/b\\", "'q'"])
def test_no_password_is_kept_or_shown(game: Game, password: str) -> None:
    game.player(password, "Anna", "Soviet")
    seen = game.piece(
        "24", traits=[("hide;H;", password), ("obs;x", joined([password, "y"], ";")), ("info;x", password)]
    )
    game.piece("25", traits=[("restrict;Side;x", password)])
    game.commands += ["PNOTE\t" + joined(["n", password, "text"], "\t"), "OBA/" + joined([password, "1"], "/")]
    game.commands += ["+/" + joined([password], "/"), "GlobalProperty\t;" + joined(["Owner", password, ""], ";")]
    game.step(game.moved(seen, ("Main", 1, 2), password), f"CHAT{password}")
    save = read(game)
    assert password not in repr(save)
    assert save.pieces[seen].hidden_by == "Anna"
    assert save.steps[0].by == "Anna"
    assert "(Anna)" in save.steps[0].said[0]


def test_a_password_nobody_is_known_by_is_not_shown_either(game: Game) -> None:
    piece = game.piece("24", traits=[("hide;H;", "stranger's")])
    game.step(game.moved(piece, ("Main", 1, 2), "stranger's"))
    save = read(game)
    assert "stranger" not in repr(save)
    assert (save.pieces[piece].hidden_by, save.steps[0].by) == ("a player", "a player")


def test_a_counter_may_be_hidden_by_a_side(game: Game) -> None:
    game.player("secret", "Anna", "Soviet")
    piece = game.piece("24", traits=[("hide;H;;;side:", "Soviet")])
    save = read(game)
    assert save.pieces[piece].hidden_by == "Soviet"
    assert [len(look(save, None, side).seen) for side in ("", "Axis", "Soviet", "soviet")] == [0, 0, 1, 1]


def test_private_notes_are_not_kept(game: Game) -> None:
    game.commands += ["PNOTE\tstranger\tattack at dawn", "SNOTE\tn\tstranger\tx", "PYREMOVE\tstranger", "PNOTES\thello"]
    save = read(game)
    assert not any(word in repr(save) for word in ("stranger", "dawn"))
    assert [each.kind for each in save.other] == ["PNOTE", "SNOTE", "PYREMOVE", "PNOTES"]
    assert save.other[-1].text == "PNOTES\thello"


def test_properties_that_change_in_a_log_count_as_they_last_were(game: Game) -> None:
    game.commands.append("GlobalProperty\t;Weather;mud;Module")
    game.step("MutableProperty\tWeather\tmud\tsnow\tModule")
    assert read(game).properties == {"Module/Weather": "snow"}


def test_a_log_tells_its_steps_in_order_and_who_took_them(game: Game) -> None:
    game.player("one", "Anna", "Soviet")
    game.player("two", "Bert", "Axis")
    first, second = game.piece("24", at=("Main", 1, 1)), game.piece("25", at=("Main", 1, 1))
    stack = game.stack(("Main", 1, 1), first, second)
    game.step(game.moved(stack, ("Main", 9, 9), "one"), "CHAT<Anna> go")
    game.step(game.moved(second, ("Dead", 2, 2), "two"))
    game.step(f"-/{first}")
    kind, state = "piece;;;x.png;26", "Main;7;7;;0"
    game.step("+/" + joined(["500", kind, state], "/"), game.moved("500", ("Main", 8, 8), "two"))
    game.step("D/" + joined(["500", "Main;8;8;55;0", state], "/"))
    game.step(game.moved("nobody", ("Main", 8, 8), "two"))
    save = read(game)
    told = [
        [(each.piece, each.before and each.before.at, each.after and each.after.at) for each in step.changes]
        for step in save.steps
    ]
    assert told == [
        [(first, Spot("Main", 1, 1), Spot("Main", 9, 9)), (second, Spot("Main", 1, 1), Spot("Main", 9, 9))],
        [(second, Spot("Main", 9, 9), Spot("Dead", 2, 2))],
        [(first, Spot("Main", 9, 9), None)],
        [("500", None, Spot("Main", 7, 7)), ("500", Spot("Main", 7, 7), Spot("Main", 8, 8))],
        [("500", Spot("Main", 8, 8), Spot("Main", 8, 8))],
    ]
    assert [step.by for step in save.steps] == ["Anna", "Bert", "", "Bert", ""]
    assert save.steps[0].said == ("<Anna> go",)
    assert (save.pieces["500"].gpid, first in save.pieces) == ("55", False)
    assert [(each.kind, each.why) for each in save.other] == [("M", "a move of a counter that is not there")]


def test_what_a_step_brings_about_needs_no_mark_of_its_own(game: Game) -> None:
    game.player("one", "Anna", "Soviet")
    piece = game.piece("24", at=("Main", 1, 1))
    game.steps.append(joined([f"LOG\t{game.moved(piece, ('Dead', 2, 2), 'one')}", "CHAT* lost", f"-/{piece}"], ESC))
    save = read(game)
    assert [(step.by, len(step.changes), step.said) for step in save.steps] == [("Anna", 2, ("* lost",))]
    assert save.other == ()


@pytest.mark.parametrize("traits", [[], [marks(Side="Axis")], [marks(Side="Axis"), ("own;x", "a\tb")]])
def test_a_tab_in_a_name_is_no_end_of_a_trait(game: Game, traits: list[tuple[str, str]]) -> None:
    piece = game.piece("24\tInf", at=("Main", 1, 1), gpid="17", traits=traits, image="a\tb.png")
    found = read(game).pieces[piece]
    assert (found.name, found.image, found.gpid) == ("24\tInf", "a\tb.png", "17")
    assert [each.kind for each in found.traits] == [*(kind.partition(";")[0] for kind, _ in traits), "piece"]


def test_commands_in_commands_in_commands(game: Game) -> None:
    inner = joined(
        ["+/1/" + joined(["piece;;;a;x", "Main;1;1"], "/"), "+/2/" + joined(["piece;;;a;y\\", "Main;1;1"], "/")], ESC
    )
    text = joined(["begin_save", joined(["CLOCK\t1", joined([inner, "CLOCK\t2"], ESC)], ESC), "end_save"], ESC)
    save = read_save(io.BytesIO(zipped({"savedGame": hidden(text)})))
    assert [each.name for each in save.pieces.values()] == ["x", "y\\"]
    assert [each.text for each in save.other] == ["CLOCK\t1", "CLOCK\t2"]


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        ({"buildFile": b"<x/>"}, "no save.*this is a module"),
        ({"savedGame": b""}, "without 'begin_save'"),
        ({"savedGame": hidden("nothing")}, "there is no 'begin_save'"),
        ({"savedGame": hidden("begin_save") + b"ff"}, "byte 11 in the clear: this is no UTF-8"),
        ({"savedGame": hidden("begin_save"), "savedata": b"<data"}, "savedata, line 1.*no XML"),
        ({"savedGame": hidden("begin_save"), "moduledata": b"<!DOCTYPE x [<!ENTITY a 'b'>]><x>&a;</x>"}, "declares"),
        ({"savedGame": hidden(f"begin_save{ESC}" + "\\" * 90 + ESC + "x")}, "nested more than"),
    ],
)
def test_a_file_that_is_no_save_is_told_so(entries: dict[str, bytes], words: str) -> None:
    with pytest.raises(BadVassal, match=words) as error:
        read_save(io.BytesIO(zipped(entries)), name="x.vsav")
    assert str(error.value).startswith("x.vsav")


NASTY = st.text(alphabet="ab 1\t;/,'\\|~+é", max_size=8)
COUNTERS = st.lists(
    st.tuples(NASTY, NASTY, NASTY, st.integers(1, 3), st.integers(-9, 9999), st.booleans()), min_size=1, max_size=5
)


@given(COUNTERS, st.sampled_from(DIALECTS), st.booleans())
def test_whatever_is_written_is_read_back(
    written: list[tuple[str, str, str, int, int, bool]], dialect: str, bare: bool
) -> None:
    game, ids = Game(), []
    for name, value, label, level, x, _ in written:
        traits = [marks(Note=value, Other="x"), layer(level, "a", name, "c"), ("label;L", label), ("own;x", value)]
        ids.append(game.piece(name, at=("Main", x, 7), gpid=str(level), traits=traits))
    stacked = [each for each, (*_, inside) in zip(ids, written, strict=True) if inside]
    game.stack(("Chart", 5, 6), *stacked)
    save = read(game, dialect, bare=bare)
    assert list(save.pieces) == ids
    for piece, (name, value, label, level, x, inside) in zip(save.pieces.values(), written, strict=True):
        assert (piece.name, piece.gpid) == (name, str(level))
        assert piece.properties == {"Note": value, "Other": "x"}
        assert piece.labels == ([label.strip()] if label.strip() else [])
        assert (piece.layers[0].level, piece.layers[0].names) == (level, ("a", name, "c"))
        assert piece.unknown[0].state == value
        assert piece.own_spot == Spot("Main", x, 7)
        assert piece.at == (Spot("Chart", 5, 6) if inside else piece.own_spot)
    assert [each.pieces for each in save.stacks] == ([tuple(stacked)] if stacked else [])
