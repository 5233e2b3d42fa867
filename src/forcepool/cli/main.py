"""The `forcepool` command: finds the word that was typed, and turns whatever goes wrong into one sentence."""

import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import Any, NoReturn

import click

from forcepool.cli import problems
from forcepool.engine.collecting import collect_seldom

# In the order help lists them. A module is imported only when its command is used, so that start-up stays quick.
COMMANDS = {
    "demo": ("demo", "The demonstration campaign in the browser."),
    "tour": ("tour", "The same in the terminal: a short campaign, step by step."),
    "scenarios": ("files", "List the scenarios that ship with forcepool."),
    "scenario": ("scenario", "Scenario files of your own: lint."),
    "new": ("files", "Begin a campaign."),
    "status": ("look", "Where a campaign stands."),
    "todo": ("look", "The checklist: what is due, what is open, what arrives."),
    "units": ("look", "List the units: where they are and at which step."),
    "ledger": ("look", "The balance of every pool."),
    "log": ("journal", "Who did what, and by which clause."),
    "do": ("play", "Give a command."),
    "losses": ("losses", "Take down losses, one a line."),
    "options": ("explain", "What can be done with a unit, and why the rest cannot."),
    "undo": ("play", "Undo the last command, or back to an entry."),
    "redo": ("play", "Bring back what was undone last."),
    "say": ("say", "Write to a side, to the referee or to all."),
    "agree": ("agree", "Agree to an order that waits for you."),
    "dice": ("dice", "Who has a part in the dice; promise one, or open them."),
    "why": ("explain", "The entries and clauses behind a balance or a unit."),
    "forecast": ("forecast", "What comes, lapses and arrives in the coming turns."),
    "whatif": ("whatif", "Try orders where nothing counts, then give them or drop them."),
    "plan": ("plan", "What to rebuild: the orders that bring most back by a date."),
    "query": ("query", "Ask anything: tables of the campaign, SQL, files for spreadsheets."),
    "study": ("study", "Play many campaigns to see what a ruling or a number does."),
    "trace": ("trace", "Trace a line on the map, or show what stops it."),
    "rules": ("rulebook", "Look up clauses by id, heading or words."),
    "commands": ("catalogue", "The commands one can give, with their fields."),
    "facts": ("facts", "What one can declare of units, places and the rest."),
    "house-rules": ("look", "The rulings this campaign plays its own way."),
    "vassal": ("vassal", "VASSAL beside forcepool: match, sync, list, read."),
    "ob": ("ob", "Orders of battle as text: lint, print, turn."),
    "check": ("check", "Run case files: given, steps, expect."),
    "bot": ("bot", "Play a solo campaign on by itself."),
    "serve": ("serve", "Open campaigns in the browser, alone or with seats for others."),
    "report": ("report", "The turn's report: text, a page to print, a PDF."),
    "verify": ("verify", "Check that nothing in a campaign's file was touched."),
    "backup": ("backup", "Make a sound copy, also while it is played."),
    "restore": ("backup", "Bring a campaign back from a copy."),
    "send": ("mail", "Play by mail: write the turn as a small file."),
    "receive": ("mail", "Play by mail: take in the other side's turn."),
    "export": ("files", "Write a campaign as plain text."),
    "import": ("files", "Make a campaign from its plain text."),
    "move": ("move", "Take campaigns from a folder into a database, or back."),
    "doctor": ("doctor", "What is wrong with this installation, and how to mend it."),
    "completion": ("completion", "Let the shell complete commands with the Tab key."),
}


class Front(click.Group):
    """The front desk: loads a command when it is asked for, and guards the way out."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        name = cmd_name.replace("_", "-")
        if name not in COMMANDS:
            return None
        module = import_module(f"forcepool.cli.{COMMANDS[name][0]}")
        found: click.Command = getattr(module, name.replace("-", "_") + "_command")
        return found

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            near = get_close_matches(args[0], COMMANDS, 1)
            hint = f"did you mean {near[0]}?" if near else "'forcepool --help' lists them"
            raise click.UsageError(f"there is no command '{args[0]}'; {hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> NoReturn:
        """Run one command and leave with 0, 1 (refused or failed) or 2 (bad input)."""
        words = list(sys.argv[1:] if args is None else args)
        collect_seldom()
        try:
            problems.check_readable(words)
            code = super().main(words, "forcepool", "_FORCEPOOL_COMPLETE", standalone_mode=False, **extra)
            sys.stdout.flush()
        except SystemExit:
            raise
        except BaseException as error:
            code = problems.tell(error, as_json="--json" in words)
        sys.exit(code if isinstance(code, int) else 0)


def _version(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from forcepool import __version__

        click.echo(f"forcepool {__version__}")
        ctx.exit()


@click.group(
    cls=Front,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Print the version."
)
@click.pass_context
def cli(ctx: click.Context) -> None:
    """forcepool runs the rear area of a monster board wargame.

    Reinforcements, replacements, reserves and air cycles, with the clause for every yes and every no. A campaign is one
    file; begin with 'forcepool demo', or make your own:

    \b
      forcepool new east.fp --scenario smolensk
      forcepool todo east.fp
      forcepool do east.fp rebuild-cadre unit="10 Pz XX" pay_from=centre

    Each command takes --json for output that programs can read, and exits 0 when it was done, 1 when it was refused or
    failed, 2 when the input was wrong.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main() -> None:
    """Entry point of the installed program."""
    # A reader such as `head` may close the pipe early; Python would complain once more while shutting down.
    try:
        cli.main()
    except SystemExit as done:
        try:
            sys.stdout.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise done from None
