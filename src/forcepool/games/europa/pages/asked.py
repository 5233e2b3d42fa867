"""What programs may ask about reserves and the air, as far as the seat sees it."""

from msgspec import Struct

from forcepool.games.europa.air.view import AirCycle
from forcepool.games.europa.pages.air import air_of
from forcepool.games.europa.pages.reserves import MOST_WISHES, reserves_of, tried, wish_in
from forcepool.games.europa.reserves.plans import WhatIf
from forcepool.games.europa.reserves.view import Reserves
from forcepool.web.api.operations import Asked, Refused
from forcepool.web.here import Here

LONGEST_CHANGES = 8_000


class ReservesAnswer(Struct, frozen=True):
    """Who is in reserve and with what points; and, if asked, what changes would cost."""

    reserves: Reserves
    what_if: WhatIf | None


def reserves(it: Here, asked: Asked) -> ReservesAnswer:
    texts = [text for text in asked.text("changes", LONGEST_CHANGES).split(";") if text.strip()]
    wishes = [wish_in(text) for text in texts]
    for text, wish in zip(texts, wishes, strict=True):
        if wish is None:
            raise Refused(400, f"a change is in, out, strategic or mediterranean and a unit, not '{text.strip()[:60]}'")
    if len(texts) > MOST_WISHES:
        raise Refused(400, f"at most {MOST_WISHES} changes at once, not {len(texts)}")
    wanted = tuple(wish for wish in wishes if wish)
    return ReservesAnswer(reserves_of(it), tried(it, wanted) if wanted else None)


def air(it: Here, asked: Asked) -> AirCycle:
    return air_of(it)
