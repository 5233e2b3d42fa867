"""51.E  The boxes of a game chart that an entry names, however it is written."""

import re

from forcepool.orderofbattle.model import PlaceSpec

BALKANS, SOUTHERN_FRANCE = "balkans", "southern france"
_BOX = re.compile(r"(?:the )?(.+?)(?: holding| invasion)? box")


def box_named(place: PlaceSpec | None) -> str:
    """The holding or invasion box a place means: `box Balkans`, or `the BALKANS HOLDING BOX`; empty for any other."""
    if place is None or not place.names:
        return ""
    if place.kind == "box":
        inside = place.inside.names if place.inside else ()
        return (inside[0] if inside and place.names[0] == "holding" else place.names[0]).casefold()
    found = _BOX.fullmatch(place.names[0].casefold()) if place.kind == "area" else None
    return found[1] if found else ""
