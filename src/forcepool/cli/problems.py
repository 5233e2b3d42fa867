"""What goes wrong, told once: one sentence with the remedy on stderr, and the exit code."""

import os
import re
import sys
from collections.abc import Sequence

import click

REFUSED = 1
BAD_INPUT = 2
INTERRUPTED = 130
BROKEN_PIPE = 141

DATABASE = b"SQLite format 3\0"
"""How the file of a campaign begins."""
SHOW_TRACEBACK = "FORCEPOOL_TRACEBACK"

PLAINLY = (
    (re.compile(r"Invalid value for '.*': File '(.*)' is a directory\.?"), r"\1 is a folder; name a file"),
    (re.compile(r"(\S+) is not in the range (\S+)<=x<=(\S+?)\.?$"), r"\1 is not a number from \2 to \3"),
    (re.compile(r"(\S+) is not in the range x>=(\S+?)\.?$"), r"\1 is less than \2"),
    (re.compile(r"is not a valid integer"), "is no whole number"),
    (re.compile(r"\.? Choose from: ?"), ": choose from "),
)
"""What click says, and how we do."""


class Failed(Exception):
    """Something was not done; the sentence says why. Exit 1."""


class BadInput(Exception):
    """What was typed cannot be understood; the sentence says what would be. Exit 2."""


def check_readable(words: Sequence[str]) -> None:
    """Turn away what can be neither a name nor a text: null characters, and bytes that are not UTF-8."""
    for word in words:
        if "\0" in word:
            raise BadInput("what was typed holds a null character, which no name has; leave it out")
        # Python lets bytes it cannot read through as lone surrogates.
        if any("\ud800" <= sign <= "\udfff" for sign in word):
            raise BadInput("what was typed is not UTF-8 text; set the terminal to UTF-8, or rename the file")


def check_no_campaign(path: str) -> None:
    """Turn away a file to write that is a campaign: years of play would be gone."""
    try:
        with open(path, "rb") as file:
            begins = file.read(len(DATABASE))
    except OSError:
        return
    if begins == DATABASE:
        raise BadInput(f"{path} is a campaign, which would be lost; choose another name")


def tell(error: BaseException, *, as_json: bool = False) -> int:
    """Say what went wrong and give the exit code."""
    if isinstance(error, click.exceptions.Exit):
        return error.exit_code
    if isinstance(error, KeyboardInterrupt | click.Abort | EOFError):
        click.echo(err=True)
        return INTERRUPTED
    if _is_broken_pipe(error):
        # Nobody listens any more; whatever is still buffered must not raise again at exit.
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
        return BROKEN_PIPE
    code, message = _sentence(error)
    from forcepool.cli.screen import fitting, print_json

    if as_json:
        print_json({"error": message})
    for number, line in enumerate(message.splitlines() or [""]):
        click.echo(fitting(f"forcepool: {line}" if number == 0 else line, sys.stderr), err=True)
    if code == REFUSED and os.environ.get(SHOW_TRACEBACK):
        import traceback

        traceback.print_exception(error)
    return code


def _is_broken_pipe(error: BaseException) -> bool:
    # Windows reports a closed pipe as an invalid argument (22).
    return isinstance(error, BrokenPipeError) or (isinstance(error, OSError) and error.errno == 22 and os.name == "nt")


def _sentence(error: BaseException) -> tuple[int, str]:
    if isinstance(error, Failed):
        return REFUSED, str(error)
    if isinstance(error, BadInput):
        return BAD_INPUT, str(error)
    if isinstance(error, click.ClickException):
        return BAD_INPUT, _usage(error)
    return _known(error) or _unexpected(error)


def _usage(error: click.ClickException) -> str:
    message = " ".join(error.format_message().split())
    for clicks, ours in PLAINLY:
        message = clicks.sub(ours, message)
    message = message[:1].lower() + message[1:].rstrip(".")
    ctx = getattr(error, "ctx", None)
    if ctx is None or "; " in message or "?" in message:
        return message
    return f"{message}; '{ctx.command_path} --help' explains it"


def _known(error: BaseException) -> tuple[int, str] | None:
    """The errors the engine, the files and the store raise, each already one sentence."""
    from forcepool.engine.campaign import NothingToUndo
    from forcepool.engine.dice import RollNeeded
    from forcepool.engine.journal import Conflict, Damaged
    from forcepool.engine.sentence import Told
    from forcepool.files.disk import is_the_disks, refusal
    from forcepool.files.problems import BadFile
    from forcepool.games import UnknownGame
    from forcepool.rulebook.book import UnknownClause
    from forcepool.store.errors import CampaignBusy, CampaignFileError

    match error:
        case RollNeeded():
            return BAD_INPUT, f"{error}; roll it and enter the result with --die"
        case BadFile() | Told() | UnknownGame() | UnknownClause():
            # UnknownClause is a LookupError; its text is its argument.
            return BAD_INPUT, str(error.args[0]) if isinstance(error, UnknownClause) else str(error)
        case Damaged():
            return REFUSED, f"{error}; 'forcepool verify' checks the whole file"
        case CampaignBusy() | Conflict() | NothingToUndo():
            return REFUSED, str(error)
        case CampaignFileError():
            return BAD_INPUT, str(error)
        case OSError() if is_the_disks(error):
            about = f" at {error.filename}" if error.filename else ""
            return REFUSED, f"nothing was done{about}: {refusal(error, hint='')}"
        case OSError():
            wrong_name = isinstance(error, FileNotFoundError | IsADirectoryError | NotADirectoryError)
            return (
                BAD_INPUT if wrong_name else REFUSED,
                f"{error.filename or 'the file'}: {(error.strerror or str(error)).lower()}; check its name",
            )
    return None


def _unexpected(error: BaseException) -> tuple[int, str]:
    kind = type(error).__name__
    return (
        REFUSED,
        f"an error nobody foresaw ({kind}: {' '.join(str(error).split())[:200]}); nothing more was recorded. Please "
        f"report it with the command you typed and what it shows with {SHOW_TRACEBACK}=1 in the environment",
    )
