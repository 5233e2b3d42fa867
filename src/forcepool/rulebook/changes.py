"""What the program reads otherwise than it did: told to campaigns that were begun before."""

import re
from collections.abc import Collection
from functools import cache
from importlib.resources import files

import msgspec
from msgspec import Struct

from forcepool import __version__

_VERSION = re.compile(r"forcepool (\d+)\.(\d+)\.(\d+)")


class Change(Struct, frozen=True, forbid_unknown_fields=True):
    """Clauses that are read otherwise, and how."""

    clauses: tuple[str, ...]
    what: str


class Release(Struct, frozen=True, forbid_unknown_fields=True):
    """A version, and what it changed."""

    version: str
    changes: tuple[Change, ...] = ()

    @property
    def number(self) -> tuple[int, ...]:
        return tuple(map(int, self.version.split(".")))


@cache
def releases() -> tuple[Release, ...]:
    """Every version that changed something, the newest first."""
    data = (files("forcepool.rulebook") / "changes.yaml").read_bytes()
    return msgspec.yaml.decode(data, type=tuple[Release, ...])


def changes_since(ruleset: str, rules: Collection[str]) -> tuple[Change, ...]:
    """What is read otherwise, of its own rules, since a campaign was begun: 'forcepool 0.1.0, rulebook fae938'."""
    found = _VERSION.search(ruleset)
    if found is None:
        return ()
    if found[0] == f"forcepool {__version__}":
        return ()  # Nothing can have changed since, and the list need not be read.
    begun = tuple(map(int, found.groups()))
    theirs = (change for release in releases() if release.number > begun for change in release.changes)
    return tuple(each for each in theirs if rule_of(each.clauses[0]) in rules)


def rule_of(clause: str) -> str:
    """The rule a clause belongs to: '52' of 52.A.9.d/2, 'EF' of EF.moving/1."""
    return re.split(r"[./]", clause)[0]
