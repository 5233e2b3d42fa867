"""Fair play on a public server: nobody chooses dice, overrules unseen, or rolls again by undoing."""

import json
from typing import Any

from forcepool.engine.dice import CAMPAIGN, SERVER, commitment
from forcepool.engine.events import Overruled, Rolled
from forcepool.store.verify import verify
from forcepool.web.chair import HOST, REFEREE, SIDE, Seat
from tests.web.conftest import Serve, Server, Visitor

AXIS, SOVIET = Seat(SIDE, "Axis", name="Otto"), Seat(SIDE, "Soviet", name="Ivan")
ROLL = {"command": "roll-deployment", "nation": "Germany"}
TOO_EARLY = "because we agreed so on the telephone"


def give(visitor: Visitor, order: dict[str, Any], **fields: str) -> Any:
    return visitor.post("/c/east/do", {"order": json.dumps(order)} | fields)


def campaign_of(server: Server) -> Any:
    return server.app.state.shelf.table("east").campaign


def rolled(server: Server) -> list[Rolled]:
    return [event for entry in campaign_of(server).entries() for event in entry.events if isinstance(event, Rolled)]


def test_a_seat_that_enters_dice_where_the_program_rolls_asks_the_other_side(serve: Serve) -> None:
    server = serve(public=True)
    axis, soviet = server.seated(AXIS), server.seated(SOVIET)
    answer = give(axis, ROLL, override=TOO_EARLY, die="6")
    assert (answer.status_code, answer.json()["kind"]) == (202, "asked")
    assert answer.json()["seats"] == ["Soviet"]
    assert rolled(server) == []
    asking = campaign_of(server).seq
    assert "it would enter dice by hand where the program rolls" in soviet.get("/c/east").text
    assert axis.post("/c/east/agree", {"entry": str(asking)}).status_code == 400, "nobody agrees with himself"
    assert soviet.post("/c/east/agree", {"entry": str(asking), "answer": "yes"}).json()["accepted"]
    [first, *_] = rolled(server)
    assert (first.result, first.by_hand) == (6, True)
    told = soviet.get("/c/east/journal").text
    assert "entered by hand" in told
    assert TOO_EARLY in told


def test_what_was_declined_is_not_done(serve: Serve) -> None:
    server = serve(public=True)
    axis, soviet = server.seated(AXIS), server.seated(SOVIET)
    give(axis, ROLL, override=TOO_EARLY, die="6")
    asking = campaign_of(server).seq
    assert soviet.post("/c/east/agree", {"entry": str(asking), "answer": "no"}).json()["accepted"]
    assert soviet.post("/c/east/agree", {"entry": str(asking), "answer": "yes"}).status_code == 400
    assert rolled(server) == []


def test_a_program_that_sends_dice_asks_likewise(serve: Serve) -> None:
    server = serve(public=True)
    registry = server.app.state.registry
    server.seated(AXIS), server.seated(SOVIET)
    key = registry.new_key(registry.invitations("east")[0].id)
    headers = {"authorization": f"Bearer {key}"}
    wish = {"order": ROLL, "dice": [6], "override": TOO_EARLY}
    answer = server.client.post("/api/campaigns/east/do", json=wish, headers=headers)
    assert (answer.status_code, answer.json()["kind"]) == (202, "asked")
    assert rolled(server) == []


def test_an_overrule_is_told_to_the_other_side_without_the_order(serve: Serve) -> None:
    server = serve(public=True)
    axis, soviet = server.seated(AXIS), server.seated(SOVIET)
    order = {"command": "receive-points", "nation": "Germany", "points": "1000 inf"}
    assert give(axis, order, override=TOO_EARLY).json()["accepted"]
    [over] = [
        event
        for event in next(campaign_of(server).entries(campaign_of(server).seq)).events
        if isinstance(event, Overruled)
    ]
    told = soviet.get("/c/east/journal").text
    assert TOO_EARLY in told
    assert over.clauses[0] in told
    assert "1000" not in told
    assert "1,000" not in told


def test_where_the_group_wants_it_an_overrule_waits_for_the_others_or_the_referee(serve: Serve) -> None:
    for option, asked in (("agreed", ["Soviet"]), ("referee", ["referee"])):
        server = serve(public=True)
        axis, soviet, referee = server.seated(AXIS), server.seated(SOVIET), server.seated(Seat(REFEREE))
        give(referee, {"command": "house-rule", "rule": "overrules", "option": option})
        answer = give(axis, ROLL, override=TOO_EARLY)
        assert answer.json()["seats"] == asked
        asking = campaign_of(server).seq
        if option == "referee":
            assert soviet.post("/c/east/agree", {"entry": str(asking)}).status_code == 400
        assert referee.post("/c/east/agree", {"entry": str(asking)}).json()["accepted"]
        assert rolled(server)
        [done] = list(campaign_of(server).entries(campaign_of(server).seq))
        assert (done.seat, done.by, done.answers) == ("Axis", "Otto", asking)


def test_the_servers_part_is_promised_when_someone_sits_down_and_is_not_in_the_file(serve: Serve) -> None:
    server = serve(public=True)
    assert SERVER not in campaign_of(server).history.promises
    server.seated(AXIS)
    campaign = campaign_of(server)
    [secret] = server.app.state.registry.parts(campaign.cup.campaign)
    assert campaign.history.promises[SERVER] == commitment(secret)
    assert secret not in campaign.journal.path.read_bytes()
    assert secret.hex().encode() not in campaign.journal.path.read_bytes()


def test_a_sides_own_words_take_part_and_all_is_checked_once_the_dice_are_opened(serve: Serve) -> None:
    server = serve(public=True)
    axis, soviet, host = server.seated(AXIS), server.seated(SOVIET), server.seated(Seat(HOST), campaign="")
    soviet.get("/c/east/seats")
    assert soviet.post("/c/east/seats/dice", {"words": "too short"}).status_code == 400
    assert "nobody will guess this" in soviet.post("/c/east/seats/dice", {"words": "nobody will guess this"}).text
    assert give(axis, ROLL, override=TOO_EARLY).json()["accepted"]
    campaign = campaign_of(server)
    entry = next(campaign.entries(campaign.seq))
    assert sorted(entry.shares) == sorted([CAMPAIGN, SERVER, "Soviet"])
    before = verify(campaign.journal)
    assert before.sound
    assert (before.dice, before.sealed_dice) == (0, 2)
    axis.get("/c/east/seats")
    assert axis.post("/c/east/seats/dice", {"open": "yes"}).status_code == 403
    host.get("/c/east/seats")
    assert host.post("/c/east/seats/dice", {"open": "yes"}).status_code == 200
    assert sorted(next(campaign.entries(campaign.seq)).told) == sorted([CAMPAIGN, SERVER])
    assert verify(campaign.journal, seeds={}).sealed_dice == 2, "the Soviet part is the Soviet player's to tell"
    words = verify(campaign.journal, seeds={99: b"nobody will guess this"})
    assert words.dice == 2


def test_undo_asks_whoever_sits_there_now_though_the_campaign_was_begun_without_seats(serve: Serve) -> None:
    server = serve(public=True)
    axis, _ = server.seated(AXIS), server.seated(SOVIET)
    assert campaign_of(server).beginning.seats == []
    give(axis, ROLL, override=TOO_EARLY)
    answer = axis.post("/c/east/undo")
    assert (answer.status_code, answer.json()["seats"]) == (202, ["Soviet"])


def test_ending_a_phase_tells_a_side_its_own_part_only(serve: Serve) -> None:
    server = serve(public=True)
    axis, soviet = server.seated(AXIS), server.seated(SOVIET)
    for _ in range(14):
        phasing = campaign_of(server).world.phasing(campaign_of(server).state)
        mover, enemy = (axis, "Soviet Union") if phasing == "Axis" else (soviet, "Germany")
        tried = mover.post("/c/east/do", {"order": '{"command": "advance"}'})
        if not tried.json()["accepted"]:
            break
        assert not [line for line in tried.json()["words"] if f"of {enemy}" in line]


def test_every_page_tells_the_seal_of_the_last_entry(serve: Serve) -> None:
    server = serve(public=True)
    axis = server.seated(AXIS)
    for page in ("", "/journal", "/pool", "/seats"):
        assert campaign_of(server).hash[:16] in axis.get(f"/c/east{page}").text


def test_what_the_referee_settled_is_not_undone_from_behind_an_entry_that_is_no_order(serve: Serve) -> None:
    server = serve(public=True)
    referee, axis = server.seated(Seat(REFEREE)), server.seated(AXIS)
    order = {"command": "rebuild-cadre", "unit": "6 Pz XX", "pay_from": "front/centre"}
    settled = give(referee, order).json()["entry"]
    # A part in the dice is an entry, but no order: undoing goes back past it.
    assert axis.post("/c/east/seats/dice", {"words": "nobody will guess this"}).status_code == 200
    give(axis, {"command": "note", "text": "x"})
    assert axis.post("/c/east/undo").json()["accepted"]
    assert axis.post("/c/east/undo").status_code == 403
    assert settled not in campaign_of(server).history.undone


def test_asking_again_for_the_same_undo_fills_no_journal(serve: Serve) -> None:
    server = serve(public=True)
    axis, soviet = server.seated(AXIS), server.seated(SOVIET)
    give(soviet, {"command": "note", "text": "theirs"})
    first = axis.post("/c/east/undo")
    asked = campaign_of(server).seq
    assert (first.status_code, first.json()["seats"]) == (202, ["Soviet"])
    again = axis.post("/c/east/undo")
    assert (again.status_code, again.json()["seats"]) == (202, ["Soviet"])
    assert campaign_of(server).seq == asked
    assert soviet.post("/c/east/consent").json()["accepted"]
