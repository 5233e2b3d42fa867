"""The turn's report: text for a mailing list, a page to print, a PDF."""

from typing import TYPE_CHECKING

import click

from forcepool.cli import screen
from forcepool.cli.pages import print_page, write_page
from forcepool.cli.table import campaign_at, file_argument, json_option, one_of
from forcepool.report.words import SHEETS, USUAL

if TYPE_CHECKING:
    from forcepool.engine.campaign import Campaign


@click.command("report")
@file_argument
@click.option("--text", "as_text_too", is_flag=True, help="Print the text; the default when nothing else is asked for.")
@click.option("--html", type=click.Path(dir_okay=False), default=None, help="Write the page to print to this file.")
@click.option("--pdf", type=click.Path(dir_okay=False), default=None, help="Write the PDF to this file.")
@click.option("--side", default="", help="One side's report only, without what the others have.")
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True, help="The paper's size.")
@click.option("--large", is_flag=True, help="Large print, on the page and in the PDF.")
@click.option("--sheet", "sheets", multiple=True, type=click.Choice(list(SHEETS)), help="Only this sheet; repeatable.")
@json_option
def report_command(
    file: str,
    as_text_too: bool,
    html: str | None,
    pdf: str | None,
    side: str,
    paper: str,
    large: bool,
    sheets: tuple[str, ...],
    as_json: bool,
) -> None:
    """The turn's report: checklists, turn track, boxes, pools and what happened, one sheet a chart.

    \b
    Examples:
      forcepool report east.fp
      forcepool report east.fp --side Axis --pdf axis.pdf --paper letter
      forcepool report east.fp --html charts.html
      forcepool report east.fp --side Soviet --sheet losses --large --pdf losses.pdf
    """
    from forcepool.report.contents import report
    from forcepool.report.page import as_html
    from forcepool.report.text import as_text

    with campaign_at(file) as campaign:
        found = report(campaign, side=_side(campaign, side), losses="losses" in sheets)
    page = as_html(found, paper=paper, large=large, sheets=sheets or USUAL) if html or pdf else ""
    if html:
        write_page(html, page)
    if pdf:
        print_page(pdf, page)
    if as_json:
        screen.print_json(found)
        return
    if as_text_too or not (html or pdf):
        screen.say(as_text(found).rstrip("\n"))
        return
    for path in (html, pdf):
        if path:
            screen.say(f"{path}: the report of {found.when}")


def _side(campaign: "Campaign", name: str) -> str:
    return one_of(name, campaign.world.sequence.players, "side") if name else ""
