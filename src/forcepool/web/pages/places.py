"""The places of a campaign that is played on a map of paper: a list by area, points and lines where they are drawn."""

from collections.abc import Collection
from urllib.parse import urlencode

from markupsafe import Markup
from starlette.responses import Response

from forcepool.drawing.network import Spot, network
from forcepool.views.names import by_nation_and_number
from forcepool.views.places import PlaceLine, by_area
from forcepool.web.here import Here
from forcepool.web.render import page, plural

MOST_PLACES = 200
"""So many are listed at once; a word narrows them."""


def places_page(it: Here) -> Response:
    words = it.request.query_params.get("q", "").strip()[:80]
    lines: list[PlaceLine] = it.kept("places", lambda: by_area(it.world, it.state, it.sight.unit, it.sight.holds))
    shown = [each for each in lines if words.casefold() in f"{each.name} {each.area}".casefold()]
    areas: dict[str, list[PlaceLine]] = {}
    # Places of no area stand last.
    for each in sorted(shown[:MOST_PLACES], key=lambda line: not line.area):
        areas.setdefault(each.area, []).append(each)
    return page(
        it,
        "places.html",
        title="Map",
        key="map",
        areas=areas,
        count=len(shown),
        of=len(lines),
        searched=words,
        left=max(0, len(shown) - MOST_PLACES),
        picture=it.kept(("network", words), lambda: picture(it, lines, {each.name for each in shown} if words else ())),
        most_units=12,
        in_order=lambda units: sorted(units, key=by_nation_and_number),
    )


def picture(it: Here, lines: list[PlaceLine], picked: Collection[str]) -> Markup:
    """The places as points and lines, where the scenario says how they lie."""
    drawn_at, sides = it.world.drawn_at(), it.world.sequence.players
    spots = [
        Spot(
            name=each.name,
            at=drawn_at[each.name],
            owner=sides.index(each.owner) + 1 if each.owner in sides else 0,
            units=len(each.units),
            said=f"{each.name}{f', {each.owner}' if each.owner else ''}{_how_many(each)}",
            href=f"{it.path}/map?{urlencode({'q': each.name})}",
            picked=each.name in picked,
        )
        for each in lines
        if each.name in drawn_at
    ]
    return Markup(network(spots, it.world.joins()))


def _how_many(place: PlaceLine) -> str:
    return f", {plural(len(place.units), 'unit')}" if place.units else ""
