"""Completion in the shell: the script that makes the Tab key complete commands and options."""

import click

from forcepool.cli.table import json_option

# Where each shell reads its set-up from.
SET_UP = {"bash": "~/.bashrc", "zsh": "~/.zshrc", "fish": "~/.config/fish/completions/forcepool.fish"}


@click.command("completion")
@click.argument("shell", type=click.Choice(sorted(SET_UP)))
@json_option
@click.pass_context
def completion_command(ctx: click.Context, shell: str, as_json: bool) -> None:
    """Print the script that lets a shell complete commands and options with the Tab key.

    Put it where the shell reads it at start; PowerShell and the Windows command prompt have no such script.

    \b
    Examples:
      forcepool completion bash >> ~/.bashrc
      forcepool completion zsh >> ~/.zshrc
      forcepool completion fish > ~/.config/fish/completions/forcepool.fish
    """
    from click.shell_completion import get_completion_class

    from forcepool.cli import screen

    found = get_completion_class(shell)
    assert found is not None
    script = found(ctx.find_root().command, {}, "forcepool", "_FORCEPOOL_COMPLETE").source()
    if as_json:
        screen.print_json({"shell": shell, "file": SET_UP[shell], "script": script})
    else:
        click.echo(script)
