"""Play by mail: a turn written as a small file, and the other side's taken in."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import Struct

from forcepool.cli import screen
from forcepool.cli.backup import free_name, stamp
from forcepool.cli.problems import REFUSED, BadInput, Failed, check_no_campaign
from forcepool.cli.table import campaign_at, file_argument, json_option, one_of, seat_option

if TYPE_CHECKING:
    from forcepool.engine.campaign import Campaign
    from forcepool.engine.journal import Journal, Sealed
    from forcepool.store.mail import Standing
    from forcepool.store.turnfile import Turn

OURS, THEIRS = "ours", "theirs"
MOST_OTHERWISE = 5
"""Entries named that the rules decide otherwise here."""

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
    from forcepool.files.disk import whole_text
    from forcepool.store.scratch import is_whatif

    if as_json and output == "-":
        raise BadInput("--json tells where the turn went; give it a file with -o")
    if is_whatif(Path(file)):
        raise BadInput(f"{file} is a what-if, in which nothing counts; send the campaign itself")
    with campaign_at(file) as campaign:
        turn, lines = _written(campaign, Path(file), to, seat, everything)
    text = "".join(f"{line}\n" for line in lines)
    if output == "-":
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
        return
    path = output or str(Path(file).with_name(f"{Path(file).stem}-to-{turn.to}-{turn.until.seq}.fpx"))
    check_no_campaign(path)
    with whole_text(Path(path)) as written:
        written.write(text)
    if as_json:
        screen.print_json({"file": path, "after": turn.after.seq, "until": turn.until.seq, "to": turn.to})
        return
    screen.say(f"{path}: {_span(turn)}, for {turn.to}")
    names = " ".join(screen.quoted(Path(each).name) for each in (file, path))
    screen.say(f"They take it in with: forcepool receive {names}")


def _written(campaign: "Campaign", path: Path, to: str, seat: str, everything: bool) -> "tuple[Turn, list[str]]":
    from forcepool.engine.acts import entry_in_words
    from forcepool.engine.messages import as_read_by
    from forcepool.store.mail import confirmed, turn_for
    from forcepool.store.turnfile import packed

    receiver = one_of(to, campaign.world.sequence.players, "side")
    sender = _sender(campaign, seat, receiver)
    turn = turn_for(campaign.journal, sender, receiver, None if everything else confirmed(path).get(receiver))
    words = [f"# {turn.title}: {sender} to {receiver}, {_span(turn)}"]
    for entry in campaign.entries(max(turn.after.seq + 1, 2)):
        lines = entry_in_words(campaign.world, as_read_by(entry, receiver), campaign.history)
        words += [f"# {' '.join(line.split())}" for line in lines]
    return turn, list(packed(turn, words))


def _sender(campaign: "Campaign", seat: str, receiver: str) -> str:
    players = campaign.world.sequence.players
    others = [one_of(seat, players, "side")] if seat else [each for each in players if each != receiver]
    if len(others) != 1:
        raise BadInput(f"say which side you are: --as {' or --as '.join(others)}")
    if others[0] == receiver:
        raise BadInput(f"{receiver} is your own side; say with --to whom the turn is for")
    return others[0]


def _span(turn: "Turn") -> str:
    if not turn.entries:
        return f"nothing new; it confirms entry {turn.until.seq}"
    first = turn.after.seq + 1
    return f"entry {first}" if first == turn.until.seq else f"entries {first} to {turn.until.seq}"


# --------------------------------------------------------------------------------------------------------- receive


class Received(Struct, frozen=True):
    """What became of a turn."""

    file: str
    sender: str
    common: int
    """The last entry both had."""
    recorded: int = 0
    """Entries of theirs that were recorded."""
    happened: tuple[str, ...] = ()
    """What they did, in words."""
    ours: tuple[str, ...] = ()
    """What was done here meanwhile, where both have played on."""
    parted: bool = False
    """Whether both have played on and nothing is chosen yet."""
    chosen: str = ""
    aside: str = ""
    """The file that holds what was not chosen."""


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
    from forcepool.store.mail import Cannot

    came, path = _read(turn), Path(file)
    try:
        done = _take(path, came, choose or "", anyway) if path.exists() else _begin(path, came, anyway)
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


def _begin(path: Path, came: "Turn", anyway: bool) -> Received:
    from forcepool.engine.journal import MemoryJournal
    from forcepool.store.mail import begin_from, confirm, standing

    found = standing(MemoryJournal(), came)
    words = _checked(MemoryJournal(), found, {}, anyway, came.to)
    begin_from(path, found)
    confirm(path, came.sender, came.until)
    return Received(str(path), came.sender, 0, len(found.theirs), words)


def _take(path: Path, came: "Turn", choose: str, anyway: bool) -> Received:
    from forcepool.store.mail import choose_theirs, confirm, standing, take_in
    from forcepool.store.turnfile import End

    with campaign_at(str(path)) as campaign:
        found = standing(campaign.journal, came)
        theirs = _checked(campaign.journal, found, _seeds(campaign), anyway, came.to) if found.theirs else ()
        ours = _in_words(campaign, found.ours, came.to) if found.parted else ()
        if found.parted and choose != THEIRS:
            if choose == OURS:
                common = next(iter(campaign.journal.read(found.common, found.common + 1)))
                confirm(path, came.sender, End(common.seq, common.hash))
            return Received(str(path), came.sender, found.common, 0, theirs, ours, parted=not choose, chosen=choose)
        if not found.parted:
            take_in(campaign.journal, found)
    aside = ""
    if found.parted:
        aside = str(free_name(path.with_name(f"{path.stem}-ours-{stamp()}{path.suffix}")))
        choose_theirs(path, Path(aside), found)
    confirm(path, came.sender, came.until)
    return Received(str(path), came.sender, found.common, len(found.theirs), theirs, ours, chosen=choose, aside=aside)


def _seeds(campaign: "Campaign") -> dict[int, bytes]:
    from forcepool.store.stored import StoredJournal

    return campaign.journal.seeds() if isinstance(campaign.journal, StoredJournal) else {}


def _checked(
    journal: "Journal", found: "Standing", seeds: dict[int, bytes], anyway: bool, reader: str
) -> tuple[str, ...]:
    """What they have played, in words: played again from the beginning, and judged again by the rules here."""
    from forcepool import games
    from forcepool.engine.campaign import Campaign
    from forcepool.store.mail import Cannot, played_there
    from forcepool.store.rejudge import decided_otherwise

    there = Campaign(played_there(journal, found, seeds), games.build_world)
    otherwise = list(decided_otherwise(there, first=found.common + 1))
    if otherwise and not anyway:
        told = "\n  ".join(str(each) for each in otherwise[:MOST_OTHERWISE])
        more = f"\n  and {len(otherwise) - MOST_OTHERWISE} more" if len(otherwise) > MOST_OTHERWISE else ""
        raise Cannot(
            f"by the rules here this would have come out otherwise:\n  {told}{more}\n"
            "Ask about it; if you agree to it, or play by another version than they do, repeat with --anyway"
        )
    return _in_words(there, found.theirs, reader)


def _in_words(campaign: "Campaign", entries: "tuple[Sealed, ...]", reader: str) -> tuple[str, ...]:
    from forcepool.engine.acts import entry_in_words
    from forcepool.engine.journal import read_entry
    from forcepool.engine.messages import as_read_by

    played = [as_read_by(read_entry(each), reader) for each in entries if each.seq > 1]
    return tuple(line for each in played for line in entry_in_words(campaign.world, each, campaign.history))


def _tell(done: Received, came: "Turn", turn: str) -> None:
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
    screen.say(f"Next: forcepool todo {file}")


def _lines(lines: tuple[str, ...]) -> None:
    for line in lines:
        screen.say(line)
