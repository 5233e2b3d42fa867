"""Campaign files: begin one, check one, write it as text and read it back."""

import sys
from pathlib import Path

import click

from forcepool.cli import screen
from forcepool.cli.problems import DATABASE, BadInput
from forcepool.cli.scenario import scenario_named
from forcepool.cli.table import campaign_at, file_argument, json_option, one_of
from forcepool.files.disk import whole_text
from forcepool.store.address import shown

# ------------------------------------------------------------------------------------------ scenarios


@click.command("scenarios")
@json_option
def scenarios_command(as_json: bool) -> None:
    """List the scenarios that ship with forcepool. Any scenario file of your own serves as well.

    \b
    Example:
      forcepool scenarios
    """
    from forcepool.views.scenarios import scenario, scenario_names, shipped_scenario

    found = [scenario(name, shipped_scenario(name)) for name in scenario_names()]
    if as_json:
        screen.print_json(found)
        return
    for each in found:
        note = " (illustrative)" if each.illustrative else ""
        screen.say(f"{screen.strong(each.name)}  {each.title}, {each.turn}, {each.units} units{note}")
        if each.notes:
            screen.say(f"  {each.notes}")
    screen.say("Begin one with: forcepool new FILE --scenario NAME")


# ------------------------------------------------------------------------------------------------ new


@click.command("new")
@file_argument
@click.option("--scenario", default="", metavar="NAME", help="A shipped scenario, or the path of a scenario file.")
@click.option("--seat", "seats", multiple=True, metavar="SIDE", help="A side with a player of its own; repeat it.")
@click.option(
    "--dice",
    type=click.Choice(["program", "hand"]),
    default="program",
    show_default=True,
    help="Who rolls: the program, or you at the table.",
)
@click.option("--house-rule", "house_rules", multiple=True, metavar="KEY=OPTION", help="Play a ruling another way.")
@json_option
def new_command(
    file: str, scenario: str, seats: tuple[str, ...], dice: str, house_rules: tuple[str, ...], as_json: bool
) -> None:
    """Begin a campaign: one file that holds all of it.

    \b
    Examples:
      forcepool new east.fp --scenario smolensk
      forcepool new east.fp --scenario my/scenario.yaml --dice hand
      forcepool new east.fp --scenario smolensk --seat Axis --seat Soviet
      forcepool new east.fp --scenario smolensk --house-rule reduced-time=plus-four
    """
    begin_campaign(file, scenario, seats=seats, dice=dice, house_rules=house_rules)
    with campaign_at(file) as campaign:
        when = campaign.world.when(campaign.state)
        if as_json:
            units = len(campaign.state.units)
            screen.print_json({"file": shown(file), "title": campaign.beginning.title, "when": when, "units": units})
            return
        screen.say(f"{shown(file)}: {campaign.beginning.title}. It is {when}.")
        screen.say(f"Next: forcepool todo {screen.quoted(shown(file))}")


def begin_campaign(
    file: str, scenario: str, *, seats: tuple[str, ...] = (), dice: str = "program", house_rules: tuple[str, ...] = ()
) -> None:
    """Read a scenario and begin a campaign of it in a new file."""
    from forcepool.views.scenarios import BadChoice, begin, read_scenario, scenario_names

    if not scenario:
        names = ", ".join(scenario_names())
        raise BadInput(f"say what is played with --scenario: {names}, or the path of a scenario of your own")
    begun = read_scenario(scenario_named(scenario))
    for warning in begun.set_up.warnings:
        screen.warn(warning)
    chosen = dict(map(_choice, house_rules))
    sides = [one_of(seat, begun.players, "side") for seat in seats]
    try:
        begin(file, begun, seats=sides, by_hand=dice == "hand", house_rules=chosen)
    except BadChoice as error:
        raise BadInput(str(error)) from None


def _choice(text: str) -> tuple[str, str]:
    key, equals, option = text.partition("=")
    if not equals:
        raise BadInput(f"'{text}' has no '='; write --house-rule KEY=OPTION")
    return key.strip(), option.strip()


# ------------------------------------------------------------------------------------ export, import


@click.command("export")
@file_argument
@click.option("-o", "--output", type=click.Path(dir_okay=False), default="-", help="The text file; else the terminal.")
@click.option(
    "--with-secret", is_flag=True, help="Put the secret seed of the dice in; whoever reads it knows the dice."
)
@json_option
def export_command(file: str, output: str, with_secret: bool, as_json: bool) -> None:
    """Write a campaign as plain text that people can read and 'forcepool import' reads back, hash for hash.

    \b
    Examples:
      forcepool export east.fp -o east.txt
      forcepool import east.txt copy.fp
    """
    from forcepool.engine.acts import entry_in_words
    from forcepool.store.textfile import export_text

    if as_json and output == "-":
        raise BadInput("--json tells where the text went; give it a file with -o")
    with campaign_at(file) as campaign:
        world, history = campaign.world, campaign.history

        lines = export_text(
            campaign.journal, lambda entry: entry_in_words(world, entry, history), with_secret=with_secret
        )
        if output == "-":
            # UTF-8 whatever the console: the text must read back to the same hashes.
            stream = sys.stdout.buffer
            for line in lines:
                stream.write(line.encode() + b"\n")
            stream.flush()
            return
        if Path(output).exists():
            raise BadInput(f"{output} exists already; choose another name or move it away first")
        with whole_text(Path(output)) as text:
            text.writelines(line + "\n" for line in lines)
        if as_json:
            screen.print_json({"file": output, "entries": campaign.seq})
        else:
            screen.say(f"{output}: {screen.counted(campaign.seq, 'entry', 'entries')}")


@click.command("import")
@click.argument("text", type=click.Path(dir_okay=False, allow_dash=True))
@file_argument
@json_option
def import_command(text: str, file: str, as_json: bool) -> None:
    """Make a campaign's file from its plain text; a single changed character is found and named with its line.

    \b
    Example:
      forcepool import east.txt copy.fp
    """
    from forcepool import games
    from forcepool.store.open import import_campaign

    import_campaign(_exported(text), file, file="stdin" if text == "-" else text, build=games.build_world)
    with campaign_at(file) as campaign:
        when = campaign.world.when(campaign.state)
        if as_json:
            screen.print_json({"file": shown(file), "entries": campaign.seq, "when": when})
        else:
            entries = screen.counted(campaign.seq, "entry", "entries")
            screen.say(f"{shown(file)}: {campaign.beginning.title}, {entries}. It is {when}.")


def _exported(path: str) -> list[str]:
    """The lines of an exported campaign; another file is turned away before it is taken for a damaged one."""
    lines = _lines(path)
    if not lines[0].startswith("forcepool"):
        raise BadInput(f"{path} is no exported campaign; write one with: forcepool export FILE -o NAME")
    return lines


def _lines(path: str) -> list[str]:
    try:
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
        if data.startswith(DATABASE):
            raise BadInput(f"{path} is a campaign itself, not its text; copy the file, or export it first")
        return data.decode("utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}: byte {error.start + 1} is not UTF-8 text; export the campaign again") from None
    except ValueError as error:
        raise BadInput(f"{path!r} is no file name ({error})") from None
