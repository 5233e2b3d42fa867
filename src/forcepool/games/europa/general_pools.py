"""52.D.2.c  The two general pools of the Soviets, by the names players give them."""

from forcepool.engine.command import BadCommand

GENERAL = "general"
CALLED = {"arm": "armour", "armor": "armour", "armour": "armour", "art": "artillery", "artillery": "artillery"}
"""Whole, in the other spelling, or by the kind of RP."""


def general_pool(text: str, called: str) -> str:
    """Armour's or artillery's: there are no others."""
    if found := CALLED.get(called.strip()):
        return f"{GENERAL}/{found}"
    raise BadCommand(f"there is no pool '{text}'; the general pools are general/armour and general/artillery")
