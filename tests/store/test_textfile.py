"""The journal as plain text: a person can read it, and it comes back to the same bytes and hashes."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forcepool.engine.beginning import begin
from forcepool.engine.campaign import Campaign, NothingToUndo
from forcepool.engine.journal import GENESIS, MemoryJournal, seal
from forcepool.files.problems import BadFile
from forcepool.store.errors import CampaignFileError
from forcepool.store.open import campaign_file, import_campaign
from forcepool.store.sqlite import SqliteJournal
from forcepool.store.textfile import export_text, import_text
from forcepool.store.verify import verify
from tests.support import ring

ACTS = st.one_of(
    st.tuples(st.just("play"), st.integers(0, 40)),
    st.tuples(st.just("tell"), st.text(max_size=12)),
    st.tuples(
        st.just("tell"), st.sampled_from(["a\nb", "a\r\nb", "# no", "\u2028", "\x85x", "\ufeff", " \t", "end 1", "½"])
    ),
    st.tuples(st.just("undo"), st.just(0)),
    st.tuples(st.just("redo"), st.just(0)),
)


def act(campaign: Campaign, word: str, value: object) -> None:
    try:
        match word, value:
            case "play", int(number):
                ring.play(campaign, number)
            case "tell", str(text):
                campaign.do(ring.Tell(unit="1", text=text), seat="Axis")
            case "undo", _:
                campaign.undo()
            case "redo", _:
                campaign.redo()
    except NothingToUndo:
        pass


def again(lines: list[str]) -> MemoryJournal:
    journal = MemoryJournal()
    import_text(lines, journal)
    return journal


def small() -> MemoryJournal:
    """Five entries, the last but one undone."""
    journal = MemoryJournal()
    campaign = ring.start(journal)
    campaign.do(ring.RebuildUnit(unit="1"), when="2026-07-01T12:00:00Z")
    campaign.do(ring.Toss(unit="1"))
    campaign.do(ring.Tell(unit="1", text="tired\nand cold"), seat="Axis")
    campaign.undo()
    return journal


@settings(max_examples=60)
@given(st.lists(ACTS, max_size=25))
def test_an_export_comes_back_to_the_same_entries(acts: list[tuple[str, object]]) -> None:
    journal = MemoryJournal()
    campaign = ring.start(journal)
    for word, value in acts:
        act(campaign, word, value)
    lines = list(export_text(journal))
    text = "\n".join(lines)
    for copy in (lines, text.splitlines(), text.splitlines(keepends=True), text.replace("\n", "\r\n").split("\n")):
        assert again(copy).entries == journal.entries


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("last", [True, False])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_marks_of_other_programs_do_no_harm(end: str, last: bool, mark: str, tmp_path: Path) -> None:
    journal = small()
    file = tmp_path / "export.txt"
    file.write_bytes((mark + end.join(export_text(journal)) + (end if last else "")).encode())
    with file.open(encoding="utf-8") as lines:
        assert again(list(lines)).entries == journal.entries


def test_blank_lines_comments_and_spaces_at_the_end_do_no_harm() -> None:
    journal = small()
    lines = [each for line in export_text(journal) for each in (line + "  ", "", "# a remark")]
    assert again(lines).entries == journal.entries


def test_a_person_can_read_what_was_done() -> None:
    text = "\n".join(export_text(small()))
    assert "# ring: a campaign of ring, rules test" in text
    assert "# 2: turn 93168, player 1, phase 1, 2026-07-01T12:00:00Z" in text
    assert "# rebuild unit=1" in text
    assert "#   points amount=⅓ kind=inf nation=German frm=A to=sink/spent (ring.2)" in text
    assert "# undone by entry 5\n# 4: turn 93168, player 1, phase 1, Axis\n" in text
    assert "# undoes 4" in text
    assert "tired and cold" in text
    assert max(len(line) for line in text.splitlines() if line.startswith("#")) < 200


def test_what_was_redone_is_not_struck() -> None:
    journal = MemoryJournal()
    campaign = ring.start(journal)
    ring.play(campaign, 0)
    campaign.undo()
    assert "# undone by entry 3" in list(export_text(journal))
    campaign.redo()
    assert not any("undone by" in line for line in export_text(journal))


def test_the_caller_may_describe_entries_in_the_words_of_its_game() -> None:
    lines = list(export_text(small(), lambda entry: [f"act {entry.n}", "  with\nnewline"]))
    assert "# act 3" in lines
    assert "#   with newline" in lines
    assert again(lines).entries == small().entries


def test_bytes_that_no_line_can_hold_come_back_too() -> None:
    journal = MemoryJournal()
    begin(journal, game="ring", title="x", ruleset="", world=b'{\r\n "a": 1\n}', state=ring.opening())
    lines = list(export_text(journal))
    assert any(line.startswith("base64 ") for line in lines)
    assert again(lines).entries == journal.entries


def test_a_file_goes_out_as_text_and_comes_back_with_its_dice_or_without(path: Path, tmp_path: Path) -> None:
    with campaign_file(path, ring.build) as campaign:
        for number in range(20):
            ring.play(campaign, number)
        sealed = list(campaign.journal.read())
        plain = list(export_text(campaign.journal))
        secret = list(export_text(campaign.journal, with_secret=True))
    assert ring.SEED.hex() not in "".join(plain)
    assert f"seed 1 {ring.SEED.hex()}" in secret
    for name, lines, seed in (("plain", plain, b""), ("secret", secret, ring.SEED)):
        import_campaign(lines, tmp_path / name)
        with campaign_file(tmp_path / name, ring.build) as campaign:
            assert list(campaign.journal.read()) == sealed
            assert campaign.cup.at_hand(campaign.history.promises) == ({"campaign": seed} if seed else {})
            assert verify(campaign.journal).findings == ()


# ------------------------------------------------------------------------------------------ spoilt files


def problem(lines: list[str]) -> str:
    """What is said of a file, and that nothing of it was taken."""
    journal = MemoryJournal()
    with pytest.raises(BadFile) as bad:
        import_text(lines, journal, file="mail.txt")
    assert journal.entries == []
    assert len(bad.value.problems) == 1
    return str(bad.value)


def test_a_changed_entry_is_named_with_its_line() -> None:
    lines = list(export_text(small()))
    at = lines.index("entry 3")
    lines[at + 1] = lines[at + 1].replace('"unit":"1"', '"unit":"2"')
    assert problem(lines).startswith(f"mail.txt:{at + 3}:6: entry 3 was changed: this hash does not fit its text")


def test_a_missing_entry_is_named_with_its_line() -> None:
    lines = list(export_text(small()))
    at = lines.index("entry 3")
    del lines[at : at + 3]
    assert f"mail.txt:{lines.index('entry 4') + 1}:7: expected entry 3" in problem(lines)


@pytest.mark.parametrize("left", range(1, 20))
def test_a_file_cut_off_anywhere_says_what_should_come(left: int) -> None:
    lines = list(export_text(small()))
    assert "the file stops here, expected" in problem(lines[:-left])


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("forcepool journal 1", "forcepool journal 2", "1:11: expected 'forcepool journal 1'"),
        ("forcepool journal 1", "Dear Hans,", "1:1: expected 'forcepool'"),
        ("entry 2", "entry 02", ":7: expected entry 2"),
        ("entry 2", "item 2", ":1: expected 'seed' or 'entry' or 'end'"),
    ],
)
def test_a_spoilt_line_says_what_was_expected(old: str, new: str, says: str) -> None:
    assert says in problem([new if line == old else line for line in export_text(small())])


def test_a_hash_or_text_that_is_none_is_told() -> None:
    lines = list(export_text(small()))
    at = lines.index("entry 2")
    assert "expected a hash of 64 digits" in problem([*lines[: at + 2], "hash xyz", *lines[at + 3 :]])
    assert "expected the entry as base64" in problem([*lines[: at + 1], "base64 ½", *lines[at + 2 :]])
    assert "expected 'text' or 'base64'" in problem([*lines[: at + 1], *lines[at + 2 :]])
    assert "expected nothing after" in problem([*lines, "entry 6"])
    assert "expected '5 " in problem([*lines[:-1], f"end 4 {'0' * 64}"])


def test_a_file_of_no_entries_is_no_campaign() -> None:
    assert "the journal has no beginning" in problem(["forcepool journal 1", f"end 0 {GENESIS}"])
    assert "1:1: the file stops here" in problem([])


def test_entries_sealed_rightly_that_are_none_are_told() -> None:
    sealed = seal(GENESIS, 1, b'{"n":1}')
    lines = ["forcepool journal 1", "entry 1", 'text {"n":1}', f"hash {sealed.hash}", f"end 1 {sealed.hash}"]
    assert "3:6: entry 1 cannot be read" in problem(lines)


@pytest.mark.parametrize("seed", ["seed 1 00", "seed 9 00", "seed 1", "seed x 00", "seed 1 0", "seed 2 00"])
def test_a_seed_nobody_promised_is_told(seed: str) -> None:
    lines = list(export_text(small()))
    assert "2:6: expected the" in problem([lines[0], seed, *lines[1:]])


def test_a_journal_is_imported_into_an_empty_one_only(tmp_path: Path) -> None:
    journal = small()
    with pytest.raises(CampaignFileError, match="empty"):
        import_text(export_text(small()), journal)
    assert len(journal.entries) == 5
    with pytest.raises(BadFile):
        import_campaign(["nonsense"], tmp_path / "new")
    assert list(tmp_path.iterdir()) == []
    with SqliteJournal.create(tmp_path / "made") as made:
        import_text(export_text(small()), made)
        assert list(made.read()) == journal.entries
