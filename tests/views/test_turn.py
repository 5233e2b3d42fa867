"""The turn: the checklist by kind and clause, the phases, and what others did since."""

from forcepool.engine.agenda import agenda
from forcepool.views.turn import AgendaLine, agenda_lines, grouped, since, turn_view
from tests.support.table import CENTRE, Table


def test_the_checklist_gathers_what_one_clause_opens(autumn: Table) -> None:
    view = turn_view(autumn.campaign, side="Axis")
    [cadres] = [group for group in view.of_kind("open") if group.clause == "52.A.9.d/1"]
    assert cadres.title == "Rebuild cadres to full strength"
    assert [line.command for line in cadres.lines] == [
        'rebuild-cadre unit="2 Inf XX" pay_from=front/centre',
        'rebuild-cadre unit="10 Inf XX" pay_from=front/centre',
    ]
    assert view.counts["open"] == sum(len(group.lines) for group in view.groups if group.kind == "open")


def test_the_ready_order_of_a_line_can_be_given_as_it_is(autumn: Table) -> None:
    line = next(line for line in agenda_lines(autumn.campaign.world, autumn.campaign.state) if line.order is not None)
    assert line.order is not None
    before = autumn.campaign.seq
    autumn.campaign.do(line.order)
    assert autumn.campaign.seq == before + 1


def test_grouping_loses_no_line_and_keeps_the_order(autumn: Table) -> None:
    lines = agenda_lines(autumn.campaign.world, autumn.campaign.state)
    assert sorted(line.text for group in grouped(lines) for line in group.lines) == sorted(line.text for line in lines)
    kinds = [group.kind for group in grouped(lines)]
    assert kinds == sorted(kinds, key=["due", "lapses", "open", "news"].index)


def test_the_phases_before_the_present_one_have_passed(autumn: Table) -> None:
    marks = turn_view(autumn.campaign).phases
    stands = [mark.stands for mark in marks]
    now = stands.index("now")
    assert (marks[now].player, marks[now].phase) == ("Axis", "replacement")
    assert set(stands[:now]) == {"passed"}
    assert set(stands[now + 1 :]) == {"to come"}


def test_since_an_entry_each_seat_has_its_sentence() -> None:
    table = Table(CENTRE, seats=("Axis", "Soviet"))
    table.give("rebuild-cadre", seat="Axis", unit="24 Inf XX", pay_from="front/centre")
    table.give("note", seat="Soviet", text="the first snow")
    news = since(table.campaign, 1)
    assert [each.seat for each in news.seats] == ["Axis", "Soviet"]
    assert news.seats[0].sentence == "Axis: rebuilt 1 cadre."
    assert news.seats[1].entries == (3,)
    assert [line.entry for line in news.lines] == [2, 3]


def test_one_hears_what_others_did_not_what_one_did_oneself() -> None:
    table = Table(CENTRE, seats=("Axis", "Soviet"))
    table.give("rebuild-cadre", seat="Axis", unit="24 Inf XX", pay_from="front/centre")
    assert since(table.campaign, 1, seat="Axis").seats == ()
    assert [each.seat for each in since(table.campaign, 1, seat="Soviet").seats] == ["Axis"]
    assert since(table.campaign, 2).lines == ()


def test_an_overruling_and_an_undo_are_told_with_their_entries(autumn: Table) -> None:
    autumn.give("rebuild-cadre", unit="10 Inf XX", pay_from="md/iii", override="agreed")
    autumn.do("rebuild-cadre", unit="2 Inf XX", pay_from="front/centre")
    autumn.campaign.undo()
    [news] = since(autumn.campaign, 1).seats
    assert "overruled the rules in entry 2" in news.sentence
    assert "entry 3 undone since" in news.sentence
    assert news.sentence.startswith("all sides: rebuilt 1 cadre")


def test_a_house_rule_on_the_order_of_phases_holds_from_the_next_player_turn(autumn: Table) -> None:
    def order(player: str) -> list[str]:
        return [mark.phase for mark in turn_view(autumn.campaign).phases if mark.player == player]

    before = order("Axis")
    autumn.do("house-rule", rule="phase-order", option="both-open")
    assert order("Axis") == before
    soviet = order("Soviet")
    assert soviet.index("replacement") < soviet.index("movement")
    while autumn.campaign.world.phasing(autumn.campaign.state) == "Axis":
        autumn.do("advance")
    assert order("Soviet") == soviet


def test_units_are_listed_by_their_numbers() -> None:
    lines = tuple(
        AgendaLine("open", text, "52.A.9.d/1", side)
        for side, text in (("Axis", "101 Lt XX"), ("Axis", "13 Inf XX"), ("Soviet", "2 Rif XX"), ("Axis", "7 Inf XX"))
    )
    [group] = grouped(lines)
    assert [line.text for line in group.lines] == ["7 Inf XX", "13 Inf XX", "101 Lt XX", "2 Rif XX"]


def test_lines_that_tell_of_turns_are_listed_by_them_and_not_by_the_alphabet() -> None:
    turns = ((7, "Apr I 41"), (6, "Mar II 41"), (5, "Mar I 41"))
    lines = tuple(AgendaLine("news", text, "52.D.1/2", "Axis", when=turn) for turn, text in turns)
    [group] = grouped(lines)
    assert [line.text for line in group.lines] == ["Mar I 41", "Mar II 41", "Apr I 41"]


def test_points_of_july_are_told_before_those_of_august() -> None:
    table = Table(
        """
        turn: Jul 1 41
        player: Axis
        phase: initial
        charts: {receipts: [{nation: Germany, points: {inf: 12}}]}
        pools: {national/Germany: {German: {inf: 1}}}
        """
    )
    texts = [item.text for item in agenda(table.campaign.world, table.campaign.state) if "receives" in item.text]
    assert [text.partition(":")[0] for text in texts] == ["Jul 1 41", "Aug 1 41"]
