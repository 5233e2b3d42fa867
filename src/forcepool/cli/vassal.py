"""VASSAL beside forcepool: what a save holds, which counter is which unit, what has changed."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from forcepool.cli import screen
from forcepool.cli.problems import BadInput
from forcepool.cli.table import campaign_at, file_argument, json_option, seat_of, seat_option

if TYPE_CHECKING:
    from forcepool.engine.campaign import Campaign
    from forcepool.vassal import Module, Piece, Save
    from forcepool.vassal.campaign.counters import Table
    from forcepool.vassal.campaign.matchfile import Matched
    from forcepool.vassal.campaign.matching import New
    from forcepool.vassal.campaign.news import Read

save_argument = click.argument("save", type=click.Path(dir_okay=False))
module_option = click.option(
    "--module", type=click.Path(dir_okay=False), help="The module, .vmod: its regions and boxes."
)
extension_option = click.option(
    "--extension", "extensions", type=click.Path(dir_okay=False), multiple=True, help="An extension of it, .vmdx."
)


class Desk(click.Group):
    """Its larger command stands in a module of its own, which is loaded when somebody asks for it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return ["read", "match", "sync", "list"]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name == "sync":
            from forcepool.cli.vassal_sync import sync_command

            return sync_command
        return super().get_command(ctx, cmd_name)


@click.group("vassal", cls=Desk, invoke_without_command=True)
@click.pass_context
def vassal_command(ctx: click.Context) -> None:
    """Play with VASSAL beside forcepool: its saves and logs tell what was moved and lost. Each command takes --json.

    \b
    Examples:
      forcepool vassal read turn12.vsav --module east.vmod
      forcepool vassal match east.fp turn12.vsav --module east.vmod
      forcepool vassal sync east.fp turn12.vsav --module east.vmod
      forcepool vassal list east.fp turn12.vsav --module east.vmod
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@contextmanager
def told_plainly() -> Iterator[None]:
    """What is wrong with a file of VASSAL's is wrong input."""
    from forcepool.vassal import BadVassal

    try:
        yield
    except BadVassal as error:
        raise BadInput(str(error)) from None


def both(save: str, module: str | None, extensions: tuple[str, ...]) -> "tuple[Save, Module | None]":
    """A save, and the module it belongs to where one was named."""
    from forcepool.vassal import read_module, read_save

    with told_plainly():
        if extensions and not module:
            raise BadInput("an extension belongs to a module; name that too, with --module")
        return read_save(save), read_module(module, extensions=extensions) if module else None


def warn_of_another(matched: "Matched", save: "Save") -> None:
    """A match file for another module fits by chance at best."""
    ours, theirs = matched.written.module, save.metadata.module
    if ours and theirs and ours != theirs:
        screen.warn(f"the match file is for the module {ours}, this save is of {theirs}")


def laid_out(
    file: str, campaign: "Campaign", save: "Save", module: "Module | None", side: str
) -> "tuple[Matched, Read]":
    """The match file of a campaign, and how the units lie in VASSAL by it."""
    from forcepool.vassal.campaign import counters, matchfile
    from forcepool.vassal.campaign.news import lying

    path = matchfile.beside(file)
    if not path.exists():
        raise BadInput(f"there is no {path} yet; make it with: forcepool vassal match {screen.quoted(file)} {save}")
    matched = matchfile.read_match(path, campaign.world, campaign.state)
    warn_of_another(matched, save)
    return matched, lying(campaign.state, counters.look(save, module, side), matched)


def is_mine(campaign: "Campaign", nation: str, side: str) -> bool:
    """Whether a side may hear of a nation's units; one player for all sides hears of all."""
    return not side or campaign.world.side_now(campaign.state, nation) == side


@vassal_command.command("read")
@save_argument
@module_option
@extension_option
@json_option
def read_command(save: str, module: str | None, extensions: tuple[str, ...], as_json: bool) -> None:
    """Show what a save or a log holds: counters, where they lie, what they show.

    With the module also the hex, region or box of each. Players' passwords, which VASSAL keeps in its files, are
    neither kept nor shown; nor is where a counter lies that somebody has hidden.

    \b
    Examples:
      forcepool vassal read turn12.vsav
      forcepool vassal read turn12.vlog --module east.vmod --extension desert.vmdx --json
    """
    found, of = both(save, module, extensions)
    if as_json:
        screen.print_json(_data(found, of))
        return
    told = found.metadata
    version = f" {told.module_version}" if told.module_version else ""
    screen.say(f"{save}: {told.module or 'a module it does not name'}{version}")
    if told.vassal_version or told.saved:
        screen.say(
            f"Written by VASSAL {told.vassal_version or '?'} on {told.saved or '?'} (UTC). {told.comment}".rstrip()
        )
    screen.say(
        f"{screen.counted(len(found.pieces), 'counter')}, {screen.counted(len(found.stacks), 'stack')}, "
        f"{screen.counted(len(found.steps), 'step')} of a log, "
        f"{screen.counted(len(found.other), 'command')} not understood and kept as they are"
    )
    for player in found.players:
        screen.say(f"{player.name or 'somebody'} plays {player.side or 'no side'}")
    rows = [_row(each, found, of) for each in found.pieces.values() if each.at.map]
    screen.table(("counter", "shows", "where"), sorted(rows))


def _whole(piece: "Piece", module: "Module | None") -> "Piece":
    return module.whole(piece) if module else piece


def _row(piece: "Piece", save: "Save", module: "Module | None") -> tuple[str, str, str]:
    piece = _whole(piece, module)
    if piece.hidden_by:
        return "(hidden)", "", ""
    shows = ", ".join(each.shows for each in piece.layers if each.shows)
    return screen.fitting(piece.name), shows, _where(piece, save, module)


def _where(piece: "Piece", save: "Save", module: "Module | None") -> str:
    place = module.where(piece.at, save.boards) if module else None
    if place:
        return f"{piece.at.map}: {' '.join(part for part in (place.board, place.zone, place.cell) if part)}"
    return f"{piece.at.map} {piece.at.x},{piece.at.y}" if piece.at.map else ""


def _data(save: "Save", module: "Module | None") -> dict[str, Any]:
    told = save.metadata
    return {
        "file": save.file,
        "module": told.module,
        "module_version": told.module_version,
        "vassal_version": told.vassal_version,
        "saved": told.saved,
        "comment": told.comment,
        "dialect": save.dialect,
        "players": [{"name": each.name, "side": each.side} for each in save.players],
        "pieces": [_piece_data(each, save, module) for each in save.pieces.values()],
        "stacks": len(save.stacks),
        "boards": {name: [each.name for each in boards] for name, boards in save.boards.items()},
        "turns": save.turns,
        "extensions": save.extensions,
        "properties": save.properties,
        "steps": [
            {"number": step.number, "by": step.by, "pieces": [each.piece for each in step.changes], "said": step.said}
            for step in save.steps
        ],
        "other": [{"kind": each.kind, "text": each.text, "why": each.why} for each in save.other],
    }


def _piece_data(piece: "Piece", save: "Save", module: "Module | None") -> dict[str, Any]:
    piece = _whole(piece, module)
    if piece.hidden_by:
        return {"id": piece.id, "hidden": True}
    return {
        "id": piece.id,
        "hidden": False,
        "name": piece.name,
        "shown_name": piece.shown_name,
        "gpid": piece.gpid,
        "image": piece.image,
        "map": piece.at.map,
        "x": piece.at.x,
        "y": piece.at.y,
        "where": _where(piece, save, module),
        "stack": piece.stack,
        "layers": [{"name": each.name, "level": each.level, "shows": each.shows} for each in piece.layers],
        "properties": piece.properties,
        "labels": piece.labels,
        "sheets": piece.sheets,
        "unknown": [each.kind for each in piece.unknown],
    }


# ------------------------------------------------------------------------------------------------- match


@vassal_command.command("match")
@file_argument
@save_argument
@module_option
@extension_option
@seat_option
@click.option("--dry-run", is_flag=True, help="Only show what would be added to the match file.")
@json_option
def match_command(
    file: str, save: str, module: str | None, extensions: tuple[str, ...], seat: str, dry_run: bool, as_json: bool
) -> None:
    """Propose which counter is which unit, what shows its step, and which part of a map is which place.

    The proposals are added to a text file beside the campaign, FILE.vassal.yaml. Look through it: lines that begin with
    '?' wait for your word, and what is wrong you put right. What stands there is never changed; the next time only what
    is new is added. Without --module forcepool knows the maps but not their regions.

    \b
    Examples:
      forcepool vassal match east.fp turn12.vsav --module east.vmod
      forcepool vassal match east.fp turn12.vsav --module east.vmod --dry-run
    """
    from forcepool.vassal.campaign import counters, matchfile, matching

    found, of = both(save, module, extensions)
    with campaign_at(file) as campaign:
        side = seat_of(campaign, seat, acting=False)
        path = matchfile.beside(file)
        matched = matchfile.read_match(path, campaign.world, campaign.state)
        table = counters.look(found, of, side)
        new = matching.propose(campaign.world, campaign.state, table, of, matched)
        if new and not dry_run:
            text = path.read_text("utf-8-sig") if path.exists() else ""
            lines = {"counters": new.counters, "steps": new.steps, "places": new.places}
            matchfile.write(path, matchfile.with_new(text, str(path), lines, found.metadata.module))
            _first_look(file, campaign, table)
        warn_of_another(matched, found)
        if as_json:
            screen.print_json({"file": str(path), "dry_run": dry_run, "hidden": table.hidden, "new": _new_data(new)})
        else:
            _show_new(str(path), new, table.hidden, matched, dry_run)


def _first_look(file: str, campaign: "Campaign", table: "Table") -> None:
    """Note which units lie in VASSAL as they do here: what is done here later is no news from there."""
    from forcepool.vassal.campaign import matchfile, seen
    from forcepool.vassal.campaign.news import looks, lying

    matched = matchfile.read_match(matchfile.beside(file), campaign.world, campaign.state)
    path = seen.beside(file)
    last = seen.read_seen(path, campaign.history.undone)
    seen.write_seen(path, looks(campaign.state, lying(campaign.state, table, matched), last, {}))


def _new_data(new: "New") -> dict[str, Any]:
    return {"counters": new.counters, "steps": new.steps, "places": new.places, "because": new.because}


def _show_new(path: str, new: "New", hidden: int, matched: "Matched", dry_run: bool) -> None:
    from forcepool.vassal.campaign.matchfile import NOBODY, is_open

    sections = (("counter", new.counters), ("step", new.steps), ("place", new.places))
    rows = [(noun, key, value) for noun, lines in sections for key, value in lines.items()]
    decided = [row for row in rows if not is_open(row[2]) and row[2] != NOBODY]
    waiting = [row for row in rows if is_open(row[2])]
    if decided:
        screen.heading("Proposed:")
        screen.table(("", "in VASSAL", "here"), decided)
    if waiting:
        screen.heading("Not decided:")
        screen.table(("", "in VASSAL", "what it may be"), waiting)
    if not new:
        screen.say("There is nothing new in it.")
    before = sum(is_open(each) for each in (*matched.written.counters.values(), *matched.written.places.values()))
    if before:
        screen.say(f"{screen.counted(before, 'line')} of before still wait{'s' if before == 1 else ''} for your word.")
    say_hidden(hidden)
    if new:
        verb = "would be added to" if dry_run else "added to"
        screen.say(f"{screen.counted(len(rows), 'line')} {verb} {path}. Look through it before you sync.")


def say_hidden(hidden: int) -> None:
    """How many counters were passed over because somebody has hidden them."""
    if hidden:
        were = "was" if hidden == 1 else "were"
        screen.say(f"{screen.counted(hidden, 'counter')} that somebody has hidden {were} passed over.")


# -------------------------------------------------------------------------------------------------- list


@vassal_command.command("list")
@file_argument
@save_argument
@module_option
@extension_option
@seat_option
@json_option
def list_command(
    file: str, save: str, module: str | None, extensions: tuple[str, ...], seat: str, as_json: bool
) -> None:
    """What must lie otherwise in VASSAL, as forcepool has it: a list to print and go through with the module open.

    \b
    Example:
      forcepool vassal list east.fp turn12.vsav --module east.vmod
    """
    from forcepool.vassal.campaign.lists import to_put

    found, of = both(save, module, extensions)
    with campaign_at(file) as campaign:
        side = seat_of(campaign, seat, acting=False)
        _, read = laid_out(file, campaign, found, of, side)
        world = campaign.world
        listed = [
            each for each in to_put(world, campaign.state, read) if is_mine(campaign, each.unit.spec.nation, side)
        ]
        rows = [(each.unit.id, each.unit.step, each.where, each.now) for each in listed]
        if as_json:
            names = ("unit", "step", "place", "in_vassal")
            screen.print_json({"units": [dict(zip(names, row, strict=True)) for row in rows]})
            return
        screen.say(f"{world.when(campaign.state)}: {screen.counted(len(rows), 'counter')} to be put right in VASSAL.")
        if rows:
            screen.table(("unit", "show its", "put it", "now it lies"), rows)
        say_hidden(read.hidden)
