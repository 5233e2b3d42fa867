"""Play by mail: a turn written as a small file, and the other side's taken in."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from forcepool.cli import screen
from forcepool.cli.problems import REFUSED, BadInput, Failed, check_no_campaign
from forcepool.cli.table import campaign_at, file_argument, json_option, must_be_a_file, one_of, seat_option

if TYPE_CHECKING:
    from forcepool.door.mail import Received
    from forcepool.engine.campaign import Campaign
    from forcepool.store.turnfile import Turn

OURS, THEIRS = "ours", "theirs"
BY_MAIL = "by mail one plays with a file: forcepool backup makes one of it"

# ------------------------------------------------------------------------------------------------------------ send


@click.command("send")
@file_argument
@click.option("--to", required=True, metavar="SIDE", help="The side that the turn is for.")
@click.option("-o", "--output", type=click.Path(dir_okay=False), default="", help="The file; '-' for the terminal.")
@click.option("--all", "everything", is_flag=True, help="The whole campaign, whatever they have confirmed.")
@seat_option
@json_option
def send_command(file: str, to: str, output: str, everything: bool, seat: str, as_json: bool) -> None:
    """Write what was played since SIDE last confirmed, as one small file for a mail.

    The first one holds the whole campaign. Attach the file, or put its text into the mail: quoted or broken lines do
    no harm. Send it again whenever you like: what they have already is passed over. It shows all that was played, and
    never the secrets of the dice.

    \b
    Examples:
      forcepool send east.fp --to Soviet
      forcepool send east.fp --to Soviet -o -
    """
    from forcepool.door.mail import file_name, span, written
    from forcepool.files.disk import whole_text
    from forcepool.store.scratch import is_whatif

    if as_json and output == "-":
        raise BadInput("--json tells where the turn went; give it a file with -o")
    must_be_a_file(file, BY_MAIL)
    if is_whatif(Path(file)):
        raise BadInput(f"{file} is a what-if, in which nothing counts; send the campaign itself")
    with campaign_at(file) as campaign:
        receiver = one_of(to, campaign.world.sequence.players, "side")
        sender = _sender(campaign, seat, receiver)
        turn, text = written(campaign, Path(file), sender, receiver, everything=everything)
    if output == "-":
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
        return
    path = output or str(Path(file).with_name(file_name(Path(file).stem, turn)))
    check_no_campaign(path)
    with whole_text(Path(path)) as laid:
        laid.write(text)
    if as_json:
        screen.print_json({"file": path, "after": turn.after.seq, "until": turn.until.seq, "to": turn.to})
        return
    screen.say(f"{path}: {span(turn)}, for {turn.to}")
    names = " ".join(screen.quoted(Path(each).name) for each in (file, path))
    screen.say(f"They take it in with: forcepool receive {names}")


def _sender(campaign: "Campaign", seat: str, receiver: str) -> str:
    players = campaign.world.sequence.players
    others = [one_of(seat, players, "side")] if seat else [each for each in players if each != receiver]
    if len(others) != 1:
        raise BadInput(f"say which side you are: --as {' or --as '.join(others)}")
    if others[0] == receiver:
        raise BadInput(f"{receiver} is your own side; say with --to whom the turn is for")
    return others[0]


# --------------------------------------------------------------------------------------------------------- receive


@click.command("receive")
@file_argument
@click.argument("turn", type=click.Path(dir_okay=False, allow_dash=True), metavar="TURN")
@click.option("--choose", type=click.Choice([OURS, THEIRS]), default=None, help="Where both have played on: go on so.")
@click.option("--anyway", is_flag=True, help="Take it in though the rules decide otherwise here than there.")
@json_option
@click.pass_context
def receive_command(ctx: click.Context, file: str, turn: str, choose: str | None, anyway: bool, as_json: bool) -> None:
    """Take in a turn that came by mail: checked, shown, and recorded only if it follows what is here.

    TURN is the file, or '-' for a mail's text pasted into the terminal. If both have played on meanwhile, both ways are
    shown and nothing is recorded until you choose; what is not chosen stays in a file of its own.

    \b
    Examples:
      forcepool receive east.fp east-to-Soviet-58.fpx
      forcepool receive east.fp east-to-Soviet-58.fpx --choose theirs
    """
    from forcepool.door.mail import receive
    from forcepool.store.mail import Cannot

    must_be_a_file(file, BY_MAIL)
    came, path = _read(turn), Path(file)
    try:
        done = receive(path, came, choose=choose or "", anyway=anyway)
    except Cannot as error:
        raise Failed(f"{turn}: {error}") from None
    if as_json:
        screen.print_json(done)
    else:
        _tell(done, came, turn)
    if done.parted:
        ctx.exit(REFUSED)


def _read(path: str) -> "Turn":
    from forcepool.store.turnfile import unpacked

    name = "the text" if path == "-" else path
    try:
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
        return unpacked(data.decode("utf-8"), name)
    except UnicodeDecodeError as error:
        raise BadInput(f"{name}: byte {error.start + 1} is no text; a turn is a text file that ends in .fpx") from None


def _tell(done: "Received", came: "Turn", turn: str) -> None:
    file = screen.quoted(done.file)
    if done.parted:
        screen.say(f"Both have played on since entry {done.common}. Nothing was recorded.")
        screen.heading("Here")
        _lines(done.ours)
        screen.heading(f"{done.sender} sent")
        _lines(done.happened)
        again = f"forcepool receive {file} {screen.quoted(turn)}"
        screen.say("Agree with them which counts, then one of you gives way:")
        screen.say(f"  {again} --choose theirs   (what was played here is kept in a file of its own)")
        screen.say(f"  {again} --choose ours     (then send yours, and they choose theirs)")
        return
    if done.chosen == OURS and done.ours:
        screen.say(f"{done.file} stays as it is. Now send yours: forcepool send {file} --to {done.sender}")
        return
    _lines(done.happened)
    if not done.recorded:
        screen.say(f"{done.file}: nothing new; everything up to entry {came.until.seq} is here already")
        return
    screen.say(f"{done.file}: {screen.counted(done.recorded, 'entry', 'entries')} of {done.sender} recorded")
    if done.aside:
        screen.say(f"What was played here is {done.aside}")
    if done.without_part:
        screen.say("So that nobody foresees the dice, each side promises a part in them:")
        screen.say(f"  forcepool dice promise {file} --as {done.without_part}")
    screen.say(f"Next: forcepool todo {file}")


def _lines(lines: tuple[str, ...]) -> None:
    screen.tell(lines)
