"""The stream of commands a save is made of; one may hold others, escaped once more at each level."""

from collections.abc import Iterator

from forcepool.vassal.errors import BadVassal
from forcepool.vassal.sequence import decode, unquoted

SEPARATOR = "\x1b"
BEGIN, END = "begin_save", "end_save"
ADD, REMOVE, CHANGE, MOVE = "+/", "-/", "D/", "M/"
LOG, CHAT, UNDO = "LOG\t", "CHAT", "UNDO\t"
BOARDS, TURN, PROPERTY, MUTABLE, EXTENSION = "BoardPicker", "TURN", "GlobalProperty\t", "MutableProperty\t", "EXT\t"
DEEPEST = 64
"""Levels of commands in commands; real files have three or four."""


def commands(text: str, file: str, entry: str) -> Iterator[tuple[int, str]]:
    """Every command with the number of the outermost one it stands in, which in a log is one step."""
    for number, token in enumerate(decode(text, SEPARATOR), 1):
        for command in _inner(token, 0, file, f"{entry}, command {number}"):
            yield number, command


def _inner(token: str, depth: int, file: str, where: str) -> Iterator[str]:
    if SEPARATOR in token:
        if depth >= DEEPEST:
            raise BadVassal(file, where, f"commands are nested more than {DEEPEST} deep", "no game is written so")
        for each in decode(token, SEPARATOR):
            yield from _inner(each, depth + 1, file, where)
        return
    while (bare := unquoted(token)) != token:
        token = bare
    if token:
        yield token


def kind_of(command: str) -> str:
    """What kind of command it is, for a listing: its first word, and nothing of what it says."""
    if command.startswith((ADD, REMOVE, CHANGE, MOVE)):
        return command[0]
    word = command.partition("\t")[0].partition("/")[0].partition(";")[0]
    return word[:20] if word.isidentifier() else "?"
