"""Tried from outside: dice nobody chooses or foresees, nothing overruled or undone unseen, nobody's secrets told."""

import base64
import hashlib
import json
import re
import shutil
import sqlite3
import zlib
from pathlib import Path
from typing import Any

import pytest

from forcepool import games
from forcepool.cli.files import begin_campaign
from forcepool.engine.desk import Note
from forcepool.engine.journal import GENESIS, seal
from forcepool.store.open import campaign_file
from tests.outside.conftest import Begin, Outside, forcepool, told_by

ROLL = {"command": "roll-deployment", "nation": "Germany"}
ROLL_WORDS = ("roll-deployment", "nation=Germany")
AGREED = "because we agreed so on the telephone"


def entry_of(file: Path, number: int) -> Any:
    """An entry as it stands in the file."""
    db = sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)
    try:
        return json.loads(db.execute("SELECT body FROM entry WHERE seq = ?", (number,)).fetchone()[0])
    finally:
        db.close()


def rolled(file: Path) -> list[Any]:
    """The dice of a campaign's last roll."""
    db = sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)
    try:
        bodies = [json.loads(body) for (body,) in db.execute("SELECT body FROM entry WHERE seq > 1 ORDER BY seq")]
    finally:
        db.close()
    dice = [[each["result"] for each in body.get("events", ()) if "sides" in each] for body in bodies]
    return next((each for each in reversed(dice) if each), [])


# ------------------------------------------------------------------------------------------------- 1: dice


def test_a_seat_cannot_choose_its_dice(outside: Outside) -> None:
    axis, soviet = outside.seated("Axis"), outside.seated("Soviet")
    status, answer = axis.do(ROLL, die="6", override=AGREED)
    assert (status, answer["accepted"], answer["kind"]) == (202, False, "asked")
    status, answer = axis.program("/do", {"order": ROLL, "dice": [6], "override": AGREED})
    assert (status, answer["kind"]) == (202, "asked")
    assert not rolled(outside.file)
    assert "enter dice by hand" in soviet.ask("/c/east")[1]


def test_dice_entered_by_hand_with_consent_are_told_to_all_and_counted(outside: Outside) -> None:
    axis, soviet = outside.seated("Axis"), outside.seated("Soviet")
    asking = axis.do(ROLL, die="6", override=AGREED)[1]["seq"]
    assert json.loads(soviet.ask("/c/east/agree", {"entry": str(asking), "answer": "yes"})[1])["accepted"]
    assert "entered by hand" in soviet.ask("/c/east/journal")[1]
    assert told_by("verify", outside.file)["dice_by_hand"] == 1


# ------------------------------------------------------------------------------------------ 2: the secrets


def test_a_note_written_first_changes_no_roll(tmp_path: Path) -> None:
    one, other = tmp_path / "one.fp", tmp_path / "other.fp"
    begin_campaign(str(one), "smolensk")
    shutil.copy(one, other)
    assert forcepool("do", other, "note", "text=first").returncode == 0
    for file in (one, other):
        ran = forcepool("do", file, *ROLL_WORDS, "--override", AGREED)
        assert ran.returncode == 0, ran.stderr
    assert rolled(one) == rolled(other) != []


def test_whoever_reads_the_campaigns_file_cannot_foresee_a_roll_of_the_server(outside: Outside) -> None:
    """Without the server's part nothing is rolled, however the file is copied."""
    axis = outside.seated("Axis")
    told_by("backup", outside.file, outside.folder / "copies")
    [copy] = (outside.folder / "copies").iterdir()
    ran = forcepool("do", copy, *ROLL_WORDS, "--override", AGREED, "--as", "Axis")
    assert not rolled(copy), ran.stdout
    assert axis.do(ROLL, override=AGREED)[0] == 200
    assert rolled(outside.file)


def test_at_the_end_anyone_checks_every_roll(outside: Outside) -> None:
    axis = outside.seated("Axis")
    assert axis.do(ROLL, override=AGREED)[0] == 200
    before = told_by("verify", outside.file)
    assert (before["sound"], before["dice"]) == (True, 0)
    assert before["sealed_dice"]
    outside.host.ask("/c/east/seats")
    assert outside.host.ask("/c/east/seats/dice", {"open": "yes"})[0] == 200
    after = told_by("verify", outside.file)
    assert (after["sound"], after["dice"], after["sealed_dice"]) == (True, before["sealed_dice"], 0)


def test_two_sides_by_file_each_have_a_part_in_the_dice(tmp_path: Path) -> None:
    file = tmp_path / "east.fp"
    begin_campaign(str(file), "smolensk", seats=("Axis", "Soviet"))
    assert forcepool("dice", "promise", file, "--as", "Soviet").returncode == 0
    sent = tmp_path / "sent"
    sent.mkdir()
    shutil.copy(file, sent / "east.fp")
    ran = forcepool("do", sent / "east.fp", *ROLL_WORDS, "--override", AGREED, "--as", "Axis")
    assert not rolled(sent / "east.fp"), "the Axis player rolled without the Soviet part"
    assert "Soviet" in ran.stdout + ran.stderr


# --------------------------------------------------------------------------------- 3: overruling, 4: undoing


def test_an_overrule_is_told_to_every_seat_with_clause_and_note(outside: Outside) -> None:
    axis, soviet = outside.seated("Axis"), outside.seated("Soviet")
    order = {"command": "receive-points", "nation": "Germany", "points": "1000 inf"}
    status, answer = axis.do(order, override=AGREED)
    assert status == 200
    [over] = [each for each in entry_of(outside.file, answer["entry"])["events"] if each.get("note") == AGREED]
    told = soviet.ask("/c/east/journal")[1]
    assert AGREED in told
    assert over["clauses"][0] in told
    assert "1000" not in told.replace("1,000", "1000")


def test_where_the_group_wants_it_an_overrule_waits_for_the_other_side(outside: Outside) -> None:
    axis, soviet = outside.seated("Axis"), outside.seated("Soviet")
    assert outside.host.do({"command": "house-rule", "rule": "overrules", "option": "agreed"})[0] == 200
    status, answer = axis.do(ROLL, override=AGREED)
    assert (status, answer["seats"]) == (202, ["Soviet"])
    assert not rolled(outside.file)
    assert soviet.ask("/c/east/agree", {"entry": str(answer["seq"]), "answer": "yes"})[0] == 200
    assert rolled(outside.file)


def test_undoing_rolls_nothing_again(outside: Outside) -> None:
    """The campaign was begun without seats; those who sit there now are asked, and the die falls as it fell."""
    axis, soviet = outside.seated("Axis"), outside.seated("Soviet")
    axis.do(ROLL, override=AGREED)
    first = rolled(outside.file)
    status, answer = axis.ask("/c/east/undo", {})
    assert (status, json.loads(answer)["seats"]) == (202, ["Soviet"])
    assert soviet.ask("/c/east/consent", {})[0] == 200
    assert axis.do(ROLL, override=AGREED)[0] == 200
    assert rolled(outside.file) == first


# -------------------------------------------------------------------------------------------- 5: the anchor


def sealed_anew(lines: list[str], change: tuple[str, str]) -> list[str]:
    """An export with an entry rewritten and every seal after it made anew."""
    previous, body, found = GENESIS, b"", []
    for line in lines:
        word, _, rest = line.partition(" ")
        if word in ("text", "base64"):
            body = base64.b64decode(rest) if word == "base64" else rest.encode()
            body = body.replace(change[0].encode(), change[1].encode())
            line = f"base64 {base64.b64encode(body).decode()}"
        elif word == "hash":
            previous = seal(previous, 1, body).hash
            line = f"hash {previous}"
        elif word == "end":
            line = f"end {rest.split()[0]} {previous}"
        found.append(line)
    return found


def test_a_seal_that_was_noted_holds_the_file_to_it(outside: Outside, tmp_path: Path) -> None:
    axis = outside.seated("Axis")
    seal = told_by("status", outside.file)["head"]
    for page in ("/c/east", "/c/east/journal", "/c/east/pool"):
        assert seal[:16] in axis.ask(page)[1]
    assert seal[:16] in forcepool("report", outside.file).stdout
    assert axis.do({"command": "note", "text": "the truth"})[0] == 200
    noted = told_by("status", outside.file)["head"]
    assert forcepool("verify", outside.file, "--head", noted).returncode == 0
    outside.end()
    text, forged = tmp_path / "east.txt", tmp_path / "forged.fp"
    assert forcepool("export", outside.file, "-o", text, "--with-secret").returncode == 0
    lines = sealed_anew(text.read_text("utf-8").split("\n"), ("the truth", "a lie"))
    text.write_text("\n".join(lines), "utf-8")
    assert forcepool("import", text, forged).returncode == 0, "it fits together"
    ran = forcepool("verify", forged, "--head", noted)
    assert ran.returncode == 1
    assert "rewritten" in ran.stdout
    # Begun again, or its end cut off: the entry that was noted is not there.
    again = tmp_path / "again.fp"
    begin_campaign(str(again), "smolensk")
    assert forcepool("verify", again, "--head", noted).returncode == 1


@pytest.mark.parametrize("sealed", [False, True])
def test_a_snapshot_that_was_written_into_the_file_is_not_believed(tmp_path: Path, sealed: bool) -> None:
    """One that does not fit its entry is passed over; one that was sealed to it anew is found by verify."""
    file = tmp_path / "east.fp"
    begin_campaign(str(file), "smolensk")
    with campaign_file(file, games.build_world) as campaign:
        campaign.do(Note(text="the state before this is kept"))
        campaign.keep_snapshot()
        campaign.do(Note(text="with this"))
    before = told_by("ledger", file)
    db = sqlite3.connect(file)
    [(seq, body, digest)] = db.execute("SELECT seq, body, digest FROM snapshot").fetchall()
    spoilt = zlib.compress(zlib.decompress(body).replace(b'"inf"],"', b'"inf"],"45'))
    assert zlib.decompress(spoilt) != zlib.decompress(body)
    if sealed:
        [(entry,)] = db.execute("SELECT hash FROM entry WHERE seq = ?", (seq,)).fetchall()
        digest = hashlib.sha256(f"{seq} {entry} ".encode() + spoilt).hexdigest()
    db.execute("UPDATE snapshot SET body = ?, digest = ? WHERE seq = ?", (spoilt, digest, seq))
    db.commit()
    db.close()
    if sealed:
        ran = forcepool("verify", file)
        assert (ran.returncode, "has a snapshot that" in ran.stdout) == (1, True), ran.stdout + ran.stderr
    else:
        assert told_by("ledger", file) == before


# --------------------------------------------------------------------------------------------- 6: secrets


def test_ending_a_phase_tells_a_side_its_own_part_only(outside: Outside) -> None:
    """On the page, and by the API even when it is only tried."""
    axis, soviet = outside.seated("Axis"), outside.seated("Soviet")
    ended = 0
    for _ in range(14):
        mover, enemy = (
            (axis, "Soviet Union") if "Axis" in told_by("status", outside.file)["player"] else (soviet, "Germany")
        )
        _, tried = mover.program("/do", {"order": {"command": "advance"}, "dry_run": True})
        status, answer = mover.do({"command": "advance"}, override="to go on")
        for told in (tried, answer):
            assert not [line for line in told.get("words", ()) if f"of {enemy}" in line], told
        ended += status == 200
    assert ended > 6


def test_a_fronts_commander_reads_his_own_notes_only(outside: Outside) -> None:
    axis, commander = outside.seated("Axis"), outside.seated("Axis", "front", "front/centre", "Otto")
    assert axis.do({"command": "note", "text": "the plan for the summer"})[0] == 200
    assert commander.do({"command": "note", "text": "short of horses"})[0] == 200
    for page in ("/c/east/journal", "/c/east", "/api/campaigns/east/journal"):
        told = commander.ask(page)[1]
        assert "the plan for the summer" not in told
    assert "short of horses" in commander.ask("/c/east/journal")[1]


# --------------------------------------------------------------------------------------------- 7: the rules


def test_every_order_is_judged_again_by_todays_rules(outside: Outside, tmp_path: Path) -> None:
    outside.seated("Axis").do(ROLL, override=AGREED)
    outside.end()
    assert told_by("verify", outside.file, "--rules")["otherwise"] == []
    # A die that pays otherwise than the rules have it, sealed as if it had been so.
    text, forged = tmp_path / "east.txt", tmp_path / "forged.fp"
    assert forcepool("export", outside.file, "-o", text).returncode == 0
    lines = sealed_anew(text.read_text("utf-8").split("\n"), ('"base_number","value":', '"base_number","value":9'))
    text.write_text("\n".join(lines), "utf-8")
    assert forcepool("import", text, forged).returncode == 0, "it could have been played so"
    ran = forcepool("verify", forged, "--rules", "--json")
    assert ran.returncode == 1
    assert len(json.loads(ran.stdout)["otherwise"]) == 1


def test_a_campaign_says_with_which_version_it_is_played(begin: Begin, tmp_path: Path) -> None:
    file, older, text = tmp_path / "east.fp", tmp_path / "served" / "east.fp", tmp_path / "east.txt"
    begin_campaign(str(file), "smolensk")
    assert "forcepool" in told_by("status", file)["ruleset"]
    assert forcepool("export", file, "-o", text, "--with-secret").returncode == 0
    ours = re.search(r"forcepool \d+\.\d+\.\d+", told_by("status", file)["ruleset"])
    assert ours
    lines = sealed_anew(text.read_text("utf-8").split("\n"), (ours[0], "forcepool 0.1.0"))
    text.write_text("\n".join(lines), "utf-8")
    older.parent.mkdir()
    ran = forcepool("import", text, older)
    assert ran.returncode == 0, ran.stderr
    assert "0.1.0" in forcepool("status", older).stdout
    assert told_by("status", older)["changes"], "what has changed since is told"
    axis = begin().seated("Axis")
    assert "Begun with an older version" in axis.ask("/c/east")[1]
    assert "forcepool 0.1.0" in axis.ask("/c/east/rules")[1]
