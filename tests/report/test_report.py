"""The turn's report: what it holds, what it keeps from the other side, and how it reads as text and as a page."""

import re
from html.parser import HTMLParser
from importlib.resources import files

import pytest
from msgspec.structs import replace

import forcepool
from forcepool.report.contents import Alike, Moment, report
from forcepool.report.page import as_html, css_string, rows
from forcepool.report.text import WIDTH, as_text
from forcepool.report.words import SHEETS, listed
from forcepool.views.forcepool import Column, force_pool
from forcepool.views.journal import entry_lines
from tests.support.any_game import Seat, sit_down

SHIPPED = {"smolensk": "europa", "eastern-front": "eastern_front"}
EMPTY = {"meta", "br", "link", "input", "img", "hr"}


def campaign_of(name: str) -> Seat:
    text = files("forcepool.scenarios").joinpath(f"{name}.yaml").read_text("utf-8")
    return sit_down(SHIPPED[name], text, seed=b"seed" * 8)


@pytest.fixture
def smolensk() -> Seat:
    """Smolensk with one rebuild behind it."""
    seat = campaign_of("smolensk")
    seat.do("rebuild-cadre", unit="6 Pz XX", pay_from="front/centre")
    return seat


class Page(HTMLParser):
    """Reads a page and notes what is not closed, which ids are used, and where the page would go for more."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.ids: list[str] = []
        self.uses: list[str] = []
        self.fetched: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if given.get("id"):
            self.ids.append(str(given["id"]))
        if tag == "use":
            self.uses.append(str(given["href"]).removeprefix("#"))
        elif given.get("href") or given.get("src"):
            self.fetched.append(str(given.get("href") or given.get("src")))
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in EMPTY:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


# ---------------------------------------------------------------------------------------------- what it holds


def test_each_side_with_something_has_its_charts(smolensk: Seat) -> None:
    found = report(smolensk.campaign)
    assert [charts.side for charts in found.sides] == ["Axis", "Soviet"]
    assert found.when == "Oct 3 41, Axis replacement phase"


def test_one_sides_report_says_nothing_of_the_others(smolensk: Seat) -> None:
    for text in (as_text(report(smolensk.campaign, side="Soviet")), as_html(report(smolensk.campaign, side="Soviet"))):
        assert "316 Rif" in text or "110 Rif" in text or "110" in text
        assert "6 Pz XX" not in text
        assert "Germany" not in text
        assert "front Centre" not in text


def test_what_happened_is_told_in_the_order_it_happened(smolensk: Seat) -> None:
    smolensk.do("advance")
    smolensk.do("note", text="snow")
    moments = [moment.when for moment in report(smolensk.campaign).happened]
    assert moments[0] == "Oct 3 41, Axis replacement phase"
    assert len(moments) == 2
    assert [entry.entry for moment in report(smolensk.campaign).happened for entry in moment.entries] == [2, 4]


def test_as_a_turn_begins_the_turn_before_is_told(smolensk: Seat) -> None:
    campaign = smolensk.campaign
    assert report(campaign).told == "Oct 3 41"
    while campaign.world.turn_name(campaign.state.clock.turn) == "Oct 3 41":
        smolensk.do("advance")
    assert report(campaign).told == "Oct 3 41"
    smolensk.do("advance")
    assert report(campaign).told == "Oct 4 41"


def test_before_anything_was_played_the_first_turn_is_told() -> None:
    found = report(campaign_of("eastern-front").campaign)
    assert found.told == "Jun 41"
    assert found.happened == ()


def test_what_was_undone_is_not_reported(smolensk: Seat) -> None:
    smolensk.campaign.undo()
    assert report(smolensk.campaign).happened == ()


def test_the_points_of_all_pools_together_are_drawn_once_two_turns_are_there(smolensk: Seat) -> None:
    campaign = smolensk.campaign
    assert report(campaign).sides[0].curves == ()
    while campaign.world.turn_name(campaign.state.clock.turn) == "Oct 3 41":
        smolensk.do("advance")
    [germany] = report(campaign).sides[0].curves
    assert [line.name for line in germany.lines] == ["inf", "arm"]
    held = sum(
        balance
        for account, balance in campaign.state.balances.items()
        if account.nation == "Germany"
        and account.kind == "inf"
        and account.pool.startswith(("front/", "national/", "md/"))
    )
    assert germany.lines[0].values[-1] == held


# ------------------------------------------------------------------------------------------------------- text


def test_the_text_fits_a_mailing_list_and_names_every_unit_off_the_map(smolensk: Seat) -> None:
    text = as_text(report(smolensk.campaign))
    assert max(map(len, text.splitlines())) <= WIDTH
    assert "\xa0" not in text
    for unit in smolensk.campaign.state.units.values():
        if not unit.place.on_map:
            assert unit.id in text
    assert "[ ] 23 Inf XX, cadre at Smolensk: full strength for 4 inf from front Centre" in " ".join(text.split())
    assert "Rebuild cadre 6 Pz XX paid from front Centre" in text


def test_a_unit_and_its_strength_are_not_parted_at_the_end_of_a_line(smolensk: Seat) -> None:
    text = as_text(report(smolensk.campaign))
    assert not re.search(r"\((cadre|remnant)\n", text)


def test_a_list_is_cut_only_when_that_saves_more_than_a_line() -> None:
    assert listed(range(13), 12) == (range(13), 0)
    assert listed(range(14), 12) == (range(12), 2)


# ------------------------------------------------------------------------------------------------------- page


@pytest.mark.parametrize("name", SHIPPED)
def test_the_page_stands_alone_and_closes_what_it_opens(name: str) -> None:
    page = Page(as_html(report(campaign_of(name).campaign)))
    assert page.wrong == []
    assert page.open == []
    assert page.fetched == []
    assert len(page.ids) == len(set(page.ids))
    assert set(page.uses) <= set(page.ids)


def test_every_chart_has_a_sheet_of_its_own(smolensk: Seat) -> None:
    html = as_html(report(smolensk.campaign))
    headings = re.findall(r"<section class=\"sheet\">\s*<h2>([^<]*?) <small>([^<]*)</small>", html)
    assert [title for title, _ in headings] == [
        *("Checklist", "Turn track", "Force pool", "Pools"),
        *("Checklist", "Turn track", "Force pool", "Pools"),
        "What happened",
    ]


def test_every_sheet_says_which_campaign_turn_and_phase_it_is_of(smolensk: Seat) -> None:
    html = as_html(report(smolensk.campaign, losses=True), sheets=tuple(SHEETS))
    sheets = html.split('<section class="sheet')[1:]
    assert len(sheets) == 11
    assert [each[:60] for each in sheets if "Oct 3 41, Axis replacement phase</p>" not in each] == []


def test_only_the_sheets_asked_for_are_printed(smolensk: Seat) -> None:
    found = report(smolensk.campaign, own="Axis", losses=True)
    html = as_html(found, sheets=("track", "losses"))
    assert re.findall(r"<h2>([^<]*?) <small>([^<]*)</small>", html) == [("Turn track", "Axis"), ("Loss sheet", "Axis")]


def test_a_loss_sheet_has_a_cross_for_every_way_down(smolensk: Seat) -> None:
    html = as_html(report(smolensk.campaign, side="Axis", losses=True), sheets=("losses",))
    lines = {
        name: re.findall(r"<i[^>]*>([^<]*)</i>", line)
        for name, line in re.findall(r"<li><b>([^<]*)</b>(.*?)</li>", html, re.DOTALL)
    }
    on_map = [u for u in smolensk.campaign.state.units.values() if u.place.kind == "hex"]
    axis = {
        u.id: u for u in on_map if smolensk.campaign.world.side_now(smolensk.campaign.state, u.spec.nation) == "Axis"
    }
    assert lines.keys() == axis.keys()
    assert lines["6 Pz XX"] == ["cadre", "remnant", "gone", "iso"]
    assert ["gone", "iso"] in lines.values(), "a unit without a cadre has no cross for one"
    assert html.count("<tr><td>&nbsp;</td>") == 12


def test_a_loss_sheet_has_the_results_of_air_combat_for_air_units() -> None:
    html = as_html(report(forcepool.new("east-1941").record, side="Axis", losses=True), sheets=("losses",))
    line = re.search(r"<li><b>KG 2</b>(.*?)</li>", html, re.DOTALL)
    assert line
    assert re.findall(r"<i[^>]*>([^<]*)</i>", line[1]) == ["dam", "ab", "ineff", "elim"]
    assert "The result of an air unit is declared" in html


def test_many_entries_of_a_kind_are_a_paragraph_on_paper(smolensk: Seat) -> None:
    line = entry_lines(smolensk.campaign)[-1]
    many = [replace(line, entry=n, command="declare x", words=(f"{n} Inf XX: moved",)) for n in range(10, 15)]
    long = replace(line, entry=15, command="declare x", words=("a", "b", "c"))
    told = Moment("now", tuple(many)).on_paper
    assert told == (Alike(10, 14, "Declare, 5 times", line.seat, tuple(f"{n} Inf XX: moved" for n in range(10, 15))),)
    assert Moment("now", tuple(many[:4])).on_paper == tuple(many[:4])
    assert Moment("now", (*many, long)).on_paper == (*many, long)


def test_without_a_loss_sheet_the_units_on_the_map_are_not_listed(smolensk: Seat) -> None:
    assert report(smolensk.campaign).sides[0].on_map == ()


def test_large_print_is_larger_and_shown_pages_have_a_button(smolensk: Seat) -> None:
    found = report(smolensk.campaign)
    assert '<html lang="en" class="large">' in as_html(found, large=True)
    assert "data-print" not in as_html(found)
    assert '<a href="/c/east/print">Back</a>' in as_html(found, back="/c/east/print")


def test_the_paper_is_as_asked(smolensk: Seat) -> None:
    found = report(smolensk.campaign)
    assert "size: A4;" in as_html(found)
    assert "size: letter;" in as_html(found, paper="letter")
    assert 'content: "page " counter(page)' in as_html(found)


def test_every_listed_unit_is_drawn_once(smolensk: Seat) -> None:
    html = as_html(report(smolensk.campaign))
    assert html.count('class="counter"') == force_pool(smolensk.campaign).shown


def test_a_title_cannot_break_out_of_the_style_sheet() -> None:
    assert css_string('a"b') == "a\\22 b"
    assert "<" not in css_string("</style><script>")
    assert "\\" not in css_string("Oct 3 41, Axis replacement phase")
    assert css_string("½ Smoleńsk: (1941)").endswith("Smoleńsk: (1941)")


def test_a_row_of_the_track_is_a_month_and_what_is_far_off_comes_later() -> None:
    campaign = campaign_of("eastern-front").campaign
    found = report(campaign)
    months, later = rows(found.sides[0].pool.track)
    assert len(months) == 4
    assert all(len(row) == 4 for row in months)
    shown = [column for row in months for column in row if column]
    assert all(column.turn % 4 == row.index(column) for row in months for column in row if column)
    assert shown[0].now
    assert {*shown, *later} == set(found.sides[0].pool.track)
    assert min(column.turn for column in later) > max(column.turn for column in shown)


def test_the_sheet_of_the_track_ends_with_its_fourth_row() -> None:
    def turn(number: int) -> Column:
        return Column(number, str(number), 0, (), now=number == 101)

    months, later = rows(tuple(turn(number) for number in (101, 102, 115, 116)))
    assert [[column.turn if column else None for column in row] for row in months] == [
        [None, 101, 102, None],
        [None, None, None, 115],
    ]
    assert [column.turn for column in later] == [116]
