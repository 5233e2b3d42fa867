"""The nations and sides that lines of a chart are for, by any of their names: Germany or German, axis or Axis."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from forcepool.files.scalars import suggestion
from forcepool.games.europa.profile import Profile

NATIONS, SIDES = "nations", "sides"
NOUNS = {NATIONS: "nation", SIDES: "side"}


def rows_of(chart: Any) -> Iterator[tuple[str | int, Any]]:
    """The lines of a chart with where each stands in it."""
    yield from chart.items() if isinstance(chart, Mapping) else enumerate(chart or ())


class Names:
    """What a campaign calls nations and sides, in small letters: its profile, and the charts that lie beneath."""

    def __init__(self, profile: Profile, charts: Mapping[str, Any]) -> None:
        sides = {nation.side.casefold(): nation.side for nation in profile.nations.values()}
        self.of: dict[str, dict[str, str]] = {NATIONS: profile.called(), SIDES: sides}
        for chart in charts.values():
            for _, row in rows_of(chart):
                for word in getattr(row, NATIONS, None) or ():
                    self.of[NATIONS].setdefault(word.casefold(), word)

    def named(self, chart: Any) -> Any:
        """A chart with its nations and sides by their names; a word that names none stays as it is."""
        found = {key: self._row(row) for key, row in rows_of(chart)}
        return found if isinstance(chart, Mapping) else tuple(found.values())

    def _row(self, row: Any) -> Any:
        given = {field: words for field in NOUNS if (words := getattr(row, field, None))}
        return replace(row, **{field: self._words(field, words) for field, words in given.items()}) if given else row

    def _words(self, field: str, words: tuple[str, ...]) -> tuple[str, ...]:
        return type(words)(self.of[field].get(word.casefold(), word) for word in words)

    def unknown(self, chart: Any) -> Iterator[tuple[tuple[str | int, str], str, str]]:
        """Where a line has a word that names no nation or side, what is wrong with it, and a hint."""
        for key, row in rows_of(chart):
            for field, noun in NOUNS.items():
                for word in getattr(row, field, None) or ():
                    if word.casefold() not in self.of[field]:
                        known = [*dict.fromkeys(self.of[field].values())]
                        hint = suggestion(word, known) or "the profile lists the nations"
                        yield (key, field), f"there is no {noun} '{word}'", hint
