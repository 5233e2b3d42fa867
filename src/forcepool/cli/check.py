"""Case files: given, steps, expect; how a player states what a rule means, run through the engine."""

from typing import TYPE_CHECKING, Any

import click

from forcepool.cli import screen
from forcepool.cli.problems import BAD_INPUT, REFUSED, BadInput
from forcepool.cli.table import json_option

if TYPE_CHECKING:
    from pathlib import Path

    from forcepool.cases.runner import Result


@click.command("check")
@click.argument("files", nargs=-1, required=True, type=click.Path())
@json_option
@click.pass_context
def check_command(ctx: click.Context, files: tuple[str, ...], as_json: bool) -> None:
    """Run case files and say which cases hold; a folder stands for all .yaml files in it.

    \b
    Example:
      forcepool check cases/52.A.9.yaml
    """
    from forcepool.cases.reading import read_cases
    from forcepool.cases.runner import run
    from forcepool.files.problems import BadFile

    results, unreadable = [], []
    for file in _files(files):
        try:
            results += [run(case) for case in read_cases(file)]
        except BadFile as bad:
            unreadable += [str(problem) for problem in bad.problems]
    failed = [result for result in results if not result.passed]
    if as_json:
        screen.print_json(_data(results, unreadable))
    else:
        for result in failed:
            screen.say(screen.bad(f"failed: {result.case.name} [{' '.join(result.case.clauses)}]"))
            screen.say_lines(f"  {problem}" for problem in result.problems)
        screen.say_lines(unreadable)
        screen.say(f"{len(results) - len(failed)} of {len(results)} cases hold")
    if unreadable or not results:
        ctx.exit(BAD_INPUT)
    if failed:
        ctx.exit(REFUSED)


def _files(names: tuple[str, ...]) -> list[str]:
    from pathlib import Path

    found: list[str] = []
    for name in names:
        path = Path(name)
        inside = (
            sorted(str(each) for each in path.rglob("*.yaml") if not _of_a_profile(each)) if path.is_dir() else [name]
        )
        if not inside:
            raise BadInput(f"no case file, which ends in .yaml, is in the folder {name}; name the file or its folder")
        found += inside
    return found


def _of_a_profile(path: "Path") -> bool:
    """Whether a file found in a folder belongs to a profile or a scenario kept beside the cases: cases are a list."""
    from forcepool.files.problems import BadFile
    from forcepool.files.yamltext import read_yaml_file

    try:
        data = read_yaml_file(path).data
    except BadFile:
        return False
    return isinstance(data, dict) and not {"clause", "given", "steps", "expect"} & data.keys()


def _data(results: "list[Result]", unreadable: list[str]) -> dict[str, Any]:
    cases = [
        {
            "file": result.case.document.file,
            "line": result.case.line,
            "title": result.case.title,
            "clauses": result.case.clauses,
            "passed": result.passed,
            "problems": [str(problem) for problem in result.problems],
        }
        for result in results
    ]
    passed = sum(result.passed for result in results)
    return {"passed": passed, "failed": len(results) - passed, "unreadable": unreadable, "cases": cases}
