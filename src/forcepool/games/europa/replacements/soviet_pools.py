"""52.D.2.c and 52.D.2.d  The Soviet pools: two general ones, one an MD, and those of places that are cut off."""

SOVIET_UNION = "Soviet Union"
SOVIET, AXIS = "Soviet", "Axis"

GENERAL = "general/"
GENERAL_ARMOUR = "general/armour"
GENERAL_ARTILLERY = "general/artillery"
CITY = "city/"
FACTORY = "factory/"
MD = "md/"

INF, ARM, ART, VOL = "inf", "arm", "art", "vol"

GENERAL_POOLS = {ARM: GENERAL_ARMOUR, ART: GENERAL_ARTILLERY}
"""Where points of a kind go when the factory or the loss that made them is not cut off."""


def city_pool(city: str) -> str:
    """What an isolated replacement city has piled up."""
    return CITY + city.casefold()


def factory_pool(place: str) -> str:
    """What an isolated factory has piled up."""
    return FACTORY + place.casefold()
