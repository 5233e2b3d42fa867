"""VASSAL beside forcepool: what a save holds, which counter is which unit, what has changed."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from forcepool.cli import screen
from forcepool.cli.problems import BadInput
from forcepool.cli.table import json_option

if TYPE_CHECKING:
    from forcepool.vassal import Module, Piece, Save

save_argument = click.argument("save", type=click.Path(dir_okay=False))
module_option = click.option(
    "--module", type=click.Path(dir_okay=False), help="The module, .vmod: its regions and boxes."
)
extension_option = click.option(
    "--extension", "extensions", type=click.Path(dir_okay=False), multiple=True, help="An extension of it, .vmdx."
)


@click.group("vassal", invoke_without_command=True)
@click.pass_context
def vassal_command(ctx: click.Context) -> None:
    """Read VASSAL's saves and logs. Each command takes --json.

    \b
    Example:
      forcepool vassal read turn12.vsav --module east.vmod
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
        return f"{piece.at.map}: {' '.join(part for part in (place.zone, place.cell) if part)}"
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
        "unknown": [each.kind for each in piece.unknown],
    }
