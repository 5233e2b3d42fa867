"""The players of a game. VASSAL calls each by a password, in many places of a save: none of it is kept."""

import re
from dataclasses import dataclass

from forcepool.vassal.sequence import decode, field

COMMAND = "PLAYER\t"
NOBODY = ("", "null")
SOMEBODY = "a player"
ESCAPED = re.compile(r"[\t\n\x1b/;,|~:\\']")
"""A password with one of these may stand in a file otherwise than it was typed."""
AROUND = ("", *"\t\n\x1b/;,|~:'\\<> ")
SPELLING = "\\'"
"""What may be added to a password where it is escaped or quoted."""


@dataclass(frozen=True, slots=True)
class Player:
    """Who plays which side."""

    name: str
    side: str


class Masks:
    """While a file is read: which password is whose, so that names can stand in their places. Then it is dropped."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._escaped = False
        self.players: dict[str, Player] = {}

    def __repr__(self) -> str:
        return f"Masks of {len(self.players)} players"

    def take(self, command: str) -> None:
        """Note a player, as `PLAYER password name side` tells."""
        fields = decode(command.removeprefix(COMMAND), "\t")
        password, name, side = field(fields, 0), field(fields, 1), field(fields, 2)
        # In a file where somebody is called as he is known to VASSAL, the name tells the password.
        player = Player(SOMEBODY if name == password and name else name, side)
        self.players[password] = player
        if password not in NOBODY:
            self._names[password] = player.name or SOMEBODY
            self._escaped = self._escaped or bool(ESCAPED.search(password))

    def name(self, password: str) -> str:
        """Who is meant by a password, or the side where a side stands for its players; nothing else is shown."""
        if password in NOBODY:
            return ""
        if name := self._names.get(password):
            return name
        return password if any(player.side == password for player in self.players.values()) else SOMEBODY

    def may_be_in(self, text: str) -> bool:
        """Whether a password may stand in a text, be it escaped."""
        return self._escaped or any(password in text for password in self._names)

    def masked(self, text: str) -> str:
        """A text in which no password stands as a word of its own."""
        for password, name in self._names.items():
            text = _without(text, password, f"({name})")
        return text


def _without(text: str, secret: str, instead: str) -> str:
    """A text with something else for each time a secret stands in it between delimiters, be it escaped or quoted.

    Looked for by hand: whatever is made a regular expression, Python keeps.
    """
    if not ESCAPED.search(secret):
        letters, places = text, None
    else:
        places = [at for at, letter in enumerate(text) if letter not in SPELLING]
        letters, secret = "".join(text[at] for at in places), "".join(each for each in secret if each not in SPELLING)
        if not secret:
            return instead
    parts, done, at = [], 0, letters.find(secret)
    while at >= 0:
        end = at + len(secret)
        start, stop = (places[at], places[end - 1] + 1) if places else (at, end)
        if text[start - 1 : start] in AROUND and text[stop : stop + 1] in AROUND:
            parts += [text[done:start].rstrip("\\"), instead]
            done = stop + len(text[stop:]) - len(text[stop:].lstrip("\\")) if places else stop
        at = letters.find(secret, end)
    return "".join((*parts, text[done:]))
