"""Every folder with a journal is replayed whole: nothing is changed, every point is accounted for, it ends as known."""

import pytest

from forcepool import games
from forcepool.engine import desk
from forcepool.engine.campaign import Campaign
from forcepool.engine.command import Question
from forcepool.engine.events import Noted, Overruled
from forcepool.engine.journal import check_chain
from forcepool.engine.places import HEX
from forcepool.engine.state import evolve, restore, to_bytes
from forcepool.engine.verdicts import Verdict, no, rule
from forcepool.store.verify import verify
from tests.campaigns import fixtures
from tests.campaigns.wars import WARS
from tests.support.any_game import sit_down
from tests.support.conservation import books, unaccounted
from tests.support.table import CENTRE

MOST_TOLD = 10


@rule("52.A/1")
def never(q: Question) -> Verdict:
    """A rule that was not there when the journal was written."""
    return no("not any more")


every_fixture = pytest.mark.parametrize("name", fixtures.names())


def test_the_recorded_wars_are_all_there() -> None:
    assert set(WARS) <= set(fixtures.names())


@every_fixture
def test_a_campaign_replays_to_what_it_is_known_to_lead_to(name: str) -> None:
    journal = fixtures.journal_of(name)
    assert list(check_chain(journal.read())) == []
    campaign = Campaign(journal, games.build_world)
    found, known = fixtures.summary(campaign), fixtures.golden(name)
    different = {
        key: (found.get(key), known.get(key)) for key in {**found, **known} if found.get(key) != known.get(key)
    }
    assert not different, f"if that is meant, run: python -m tests.campaigns.record {name}"


@every_fixture
def test_every_point_and_counter_of_a_campaign_is_accounted_for_turn_by_turn(name: str) -> None:
    campaign = Campaign(fixtures.journal_of(name), games.build_world)
    state = restore(campaign.beginning.state)
    begun, turn = set(state.units), state.clock.turn
    for entry in campaign.entries():
        if not campaign.history.counts(entry):
            continue
        evolve(state, entry.events)
        if state.clock.turn != turn:
            turn = state.clock.turn
            assert list(unaccounted(state)) == [], campaign.world.turn_name(turn)
            assert begun <= set(state.units)
            on_map = sorted(unit.id for unit in state.units.values() if unit.place.kind == HEX)
            assert sorted(unit for stack in state.stacks.values() for unit in stack) == on_map
    assert to_bytes(state) == to_bytes(campaign.state)
    assert any(books(state).received.values())


@every_fixture
def test_todays_rules_decide_a_campaign_as_it_was_recorded(name: str) -> None:
    differences = list(fixtures.decided_otherwise(fixtures.journal_of(name)))
    told = "\n".join(differences[:MOST_TOLD])
    assert not differences, (
        f"{len(differences)} of the first {fixtures.FIRST} entries are decided otherwise today:\n{told}\n"
        f"if that is meant, run: python -m tests.campaigns.record {name}"
    )


def test_a_rule_that_decides_otherwise_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    seat = sit_down("europa", CENTRE)
    seat.do("note", text="as it was")
    seat.do("put-unit", unit="24 Inf XX", at="Orsha")
    assert list(fixtures.decided_otherwise(seat.campaign.journal)) == []
    monkeypatch.setattr(desk.Note, "effects", lambda order, q: iter([Noted(text="as it is now")]))
    monkeypatch.setattr(desk.PutUnit, "requires", (never,))
    told = list(fixtures.decided_otherwise(seat.campaign.journal))
    assert len(told) == 2
    assert told[0].startswith('entry 2, Oct 3 41, Axis replacement phase, note text="as it was": now also {')
    assert "as it is now" in told[0]
    assert told[1].endswith("is now refused: 52.A/1 not any more")


def test_the_western_year_has_what_it_was_recorded_for() -> None:
    done = fixtures.golden("west-year")["commands"]
    for name in ("transfer-points", "transfer-arps", "transfer-unit", "replace-air", "repair-air", "raise-air-status"):
        assert done[name] >= 20, name
    orders = [bytes(entry.do) for entry in Campaign(fixtures.journal_of("west-year"), games.build_world).entries()]
    for word in (b'"mix"', b'"mediterranean":true'):
        assert sum(word in order for order in orders) >= 3, word


@pytest.mark.parametrize("name", sorted(WARS))
def test_a_recorded_war_has_slips_taken_back_and_rules_overruled(name: str) -> None:
    campaign = Campaign(fixtures.journal_of(name), games.build_world)
    entries = list(campaign.entries())
    assert any(entry.undo for entry in entries)
    assert any(entry.redo for entry in entries)
    assert any(isinstance(event, Overruled) for entry in entries for event in entry.events)
    assert campaign.history.undone


@every_fixture
def test_a_fixture_is_sound(name: str) -> None:
    report = verify(fixtures.journal_of(name))
    assert report.findings == (), report.findings
