"""Studies: many campaigns played by stated rules, and what differs between them."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from forcepool.cli import screen
from forcepool.cli.pages import print_page, write_page
from forcepool.cli.problems import BadInput
from forcepool.cli.table import json_option

if TYPE_CHECKING:
    from forcepool.study.findings import Findings

REPORT = "report"


@click.command("study")
@click.argument("words", nargs=-1, required=True, metavar="STUDY.yaml | report DIR")
@click.option("--out", type=click.Path(file_okay=False), default="", help="The folder for what is found.")
@click.option("--workers", type=click.IntRange(min=1, max=512), default=None, help="Processes; else one for each core.")
@click.option("--scheduler", metavar="ADDRESS", default="", help="Have the workers of a Dask cluster play.")
@click.option("--html", type=click.Path(dir_okay=False), default=None, help="Write the report as a page to this file.")
@click.option("--pdf", type=click.Path(dir_okay=False), default=None, help="Write the report as a PDF to this file.")
@click.option("--markdown", type=click.Path(dir_okay=False), default=None, help="Write it as Markdown to this file.")
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True, help="The paper's size.")
@json_option
def study_command(
    words: tuple[str, ...],
    out: str,
    workers: int | None,
    scheduler: str,
    html: str | None,
    pdf: str | None,
    markdown: str | None,
    paper: str,
    as_json: bool,
) -> None:
    """Play many campaigns to see what a ruling or a number does.

    A study says which scenarios, rulings, numbers of the profile and policies are tried, for how many turns and seeds,
    and with which losses. The rows, one a turn and campaign, are the same however many workers there are. Whoever
    breaks off goes on where it stopped by giving the same command again.

    \b
    Examples:
      forcepool study quarter.yaml --out quarter
      forcepool study quarter.yaml --out quarter --scheduler tcp://10.0.0.1:8786
      forcepool study report quarter
      forcepool study report quarter --html quarter.html --pdf quarter.pdf
    """
    if words[0] == REPORT:
        if len(words) != 2:
            raise BadInput("name the folder of the study: forcepool study report DIR")
        found = _findings(Path(words[1]))
        _written(found, html, pdf, paper)
        if markdown:
            _write_markdown(found, markdown)
        if as_json:
            screen.print_json(found)
        elif not (html or pdf or markdown):
            _report(found, words[1])
        return
    if html or pdf or markdown:
        raise BadInput("a page is made of a study that was played: forcepool study report DIR --html FILE")
    if len(words) != 1 or not out:
        raise BadInput("name the study and a folder for it: forcepool study STUDY.yaml --out DIR")
    _conduct(words[0], Path(out), workers or 0, scheduler, as_json)


def _conduct(file: str, folder: Path, workers: int, scheduler: str, as_json: bool) -> None:
    from forcepool.files.yamltext import read_yaml_file
    from forcepool.study.conduct import conduct
    from forcepool.study.design import read_study

    study = read_study(read_yaml_file(file))
    found = conduct(study, folder, workers=workers, scheduler=scheduler, progress=_progress)
    if as_json:
        screen.print_json({"folder": str(folder), "rows": len(found), "columns": [each.name for each in found.columns]})
        return
    screen.say(
        f"{folder}: {screen.counted(len(found), 'row')}, in results.csv and with the analysis extra results.parquet"
    )
    screen.say(f"What they come to: forcepool study report {screen.quoted(str(folder))}")


def _progress(done: int, of: int) -> None:
    screen.progress(f"{done} of {of} campaigns")


def _findings(folder: Path) -> "Findings":
    from forcepool.study.findings import findings

    return findings(folder)


def _written(found: "Findings", html: str | None, pdf: str | None, paper: str) -> None:
    if not (html or pdf):
        return
    from forcepool.report.study import as_html

    page = as_html(found, paper=paper)
    if html:
        write_page(html, page)
    if pdf:
        print_page(pdf, page)
    for path in (html, pdf):
        if path:
            screen.say(f"{path}: the report of {found.study.title or 'the study'}")


def _write_markdown(found: "Findings", path: str) -> None:
    from forcepool.report.study_text import as_markdown

    write_page(path, as_markdown(found))
    screen.say(f"{path}: the report of {found.study.title or 'the study'}")


def _report(found: "Findings", folder: str) -> None:
    screen.heading(found.study.title or folder)
    screen.say(f"{found.played} of {found.of} campaigns of {found.study.turns} turns")
    if not found.effects:
        screen.say("there is one combination: nothing to compare")
        return
    rows = [
        [
            each.what,
            each.side,
            each.measure.replace("_", " "),
            f"{float(each.base):.2f}",
            f"{float(each.differs):+.2f} ± {each.give_or_take:.2f}",
            "more than chance" if each.counts else "",
        ]
        for each in found.effects
        if each.differs
    ]
    if not rows:
        screen.say("nothing differs between the combinations")
        return
    screen.table(("what is otherwise", "side", "measure", "mean", "differs by", ""), rows, right=(3, 4))
    screen.say("Means over the seeds; differences seed by seed, nineteen times in twenty within the bounds:")
    screen.say(f"of {len(found.effects)} comparisons about {found.by_chance} may stand out by chance alone.")
