"""Studies: many campaigns played by stated rules, and what differs between them."""

from pathlib import Path

import click

from forcepool.cli import screen
from forcepool.cli.problems import BadInput
from forcepool.cli.table import json_option

REPORT = "report"


@click.command("study")
@click.argument("words", nargs=-1, required=True, metavar="STUDY.yaml | report DIR")
@click.option("--out", type=click.Path(file_okay=False), default="", help="The folder for what is found.")
@click.option("--workers", type=click.IntRange(min=1, max=512), default=None, help="Processes; else one for each core.")
@click.option("--scheduler", metavar="ADDRESS", default="", help="Have the workers of a Dask cluster play.")
@json_option
def study_command(words: tuple[str, ...], out: str, workers: int | None, scheduler: str, as_json: bool) -> None:
    """Play many campaigns to see what a ruling or a number does.

    A study says which scenarios, rulings, numbers of the profile and policies are tried, for how many turns and seeds,
    and with which losses. The rows, one a turn and campaign, are the same however many workers there are. Whoever
    breaks off goes on where it stopped by giving the same command again.

    \b
    Examples:
      forcepool study quarter.yaml --out quarter
      forcepool study quarter.yaml --out quarter --scheduler tcp://10.0.0.1:8786
      forcepool study report quarter
    """
    if words[0] == REPORT:
        if len(words) != 2:
            raise BadInput("name the folder of the study: forcepool study report DIR")
        _report(Path(words[1]), as_json)
        return
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


def _report(folder: Path, as_json: bool) -> None:
    from forcepool.study.conduct import read_kept, read_played
    from forcepool.study.design import runs
    from forcepool.study.effects import effects

    study = read_kept(folder).study
    wanted = list(runs(study))
    played = list(read_played(folder, wanted))
    found = list(effects(played))
    if as_json:
        screen.print_json({"title": study.title, "played": len(played), "of": len(wanted), "effects": found})
        return
    screen.heading(study.title or str(folder))
    screen.say(f"{len(played)} of {len(wanted)} campaigns of {study.turns} turns")
    if not found:
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
        for each in found
        if each.differs
    ]
    if not rows:
        screen.say("nothing differs between the combinations")
        return
    screen.table(("what is otherwise", "side", "measure", "mean", "differs by", ""), rows, right=(3, 4))
    screen.say("Means over the seeds; differences seed by seed, nineteen times in twenty within the bounds.")
