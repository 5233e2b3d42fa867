"""The words of an order of battle: its verbs, the nations and sides known by name, the kinds of box."""

from functools import cache
from typing import Final

from msgspec import Struct

PLAIN_KINDS = ("inf", "arm", "art")
UPPER_KINDS = ("SP", "SRP", "ARP", "NTP", "RE", "RP")
TURNS_A_MONTH = 4

# What a verb does to the units it lists.
BRINGS: Final = "brings"
TAKES: Final = "takes"
CHANGES: Final = "changes"
KEEPS: Final = "keeps"


class Verb(Struct, frozen=True):
    """A verb of the order of battle: its clause, what it does to the units listed, and whether it may be declined."""

    name: str
    clause: str
    effect: str
    optional: bool = False


_VERBS = (
    Verb("at start", "51/2", BRINGS),
    Verb("add to garrison", "51.B.1/1", BRINGS),
    Verb("add to replacement pool", "51.B.1.a/1", BRINGS),
    Verb("arrive", "51.B.1.b/1", BRINGS),
    Verb("available for assembly", "51.B.1.c/1", BRINGS),
    Verb("conditional", "51.B.2/1", BRINGS),
    Verb("convert", "51.B.3/1", CHANGES),
    Verb("disarm", "51.B.4/1", TAKES),
    Verb("disband", "51.B.5/1", TAKES, optional=True),
    Verb("form", "51.B.6/1", BRINGS, optional=True),
    Verb("forming", "51.B.7/1", BRINGS),
    Verb("full", "51.B.7/6", KEEPS),
    Verb("mobilize", "51.B.8/1", BRINGS),
    Verb("other", "51.B.9/1", KEEPS),
    Verb("reinforce", "51.B.10/1", BRINGS),
    Verb("release from garrison", "51.B.11/1", KEEPS),
    Verb("add to reserves", "51.C.1/1", BRINGS),
    Verb("release from national reserve", "51.C.1/2", KEEPS),
    Verb("remove from breakdown box", "51.B.12/1", TAKES),
    Verb("remove from replacement pool", "51.B.13/1", TAKES),
    Verb("reorganize", "51.B.14/1", CHANGES, optional=True),
    Verb("replace", "51.B.15/1", KEEPS),
    Verb("resources", "51.A.11/1", KEEPS),
    Verb("return", "51.B.16/1", BRINGS),
    Verb("sequester", "51.E.3.g/2", TAKES),
    Verb("transfer", "51.B.17/1", TAKES),
    Verb("unique event", "51.G/1", KEEPS),
    Verb("upgrade", "51.B.18/1", CHANGES, optional=True),
    Verb("withdraw", "51.B.19/1", TAKES),
)

VERBS: Final = {verb.name: verb for verb in _VERBS}
"""Every verb by name."""

FREE_TEXT: Final = ("other", "unique event")
"""The verbs whose entries are the order of battle's own words."""

SYNONYMS: Final = {
    "delete": "withdraw",
    "deletions": "withdraw",
    "remove": "withdraw",
    "removals": "withdraw",
    "remove from play": "withdraw",
    "add": "reinforce",
    "additions": "reinforce",
    "new units": "reinforce",
    "reinforced by": "reinforce",
    "exchange": "convert",
    "exchanges": "convert",
    "redesignate": "convert",
    "redesignations": "convert",
}
"""Words of booklets for what the rules have another verb for."""

SIDES: Final = {"Axis": "Axis", "Allied": "Allied", "Allies": "Allied", "Comintern": "Comintern"}
"""The sides that are a heading by themselves; any other is written as `Side: Name`."""

NATIONS: Final = {
    "Albania": "Albanian",
    "America": "American",
    "Australia": "Australian",
    "Belgium": "Belgian",
    "Brazil": "Brazilian",
    "Britain": "British",
    "Bulgaria": "Bulgarian",
    "Canada": "Canadian",
    "Croatia": "Croatian",
    "Czechoslovakia": "Czech",
    "Denmark": "Danish",
    "Eastern Troops": "Eastern Troop",
    "Egypt": "Egyptian",
    "Estonia": "Estonian",
    "Finland": "Finnish",
    "Free France": "Free French",
    "Free Poland": "Free Polish",
    "France": "French",
    "Germany": "German",
    "Great Britain": "British",
    "Greece": "Greek",
    "Hungary": "Hungarian",
    "India": "Indian",
    "Iraq": "Iraqi",
    "Ireland": "Irish",
    "Italy": "Italian",
    "Latvia": "Latvian",
    "Lithuania": "Lithuanian",
    "Mongolia": "Mongolian",
    "Netherlands": "Dutch",
    "New Zealand": "New Zealand",
    "Norway": "Norwegian",
    "Poland": "Polish",
    "Portugal": "Portuguese",
    "Romania": "Rumanian",
    "Rumania": "Rumanian",
    "Russia": "Soviet",
    "Slovakia": "Slovak",
    "South Africa": "South African",
    "Soviet Union": "Soviet",
    "Spain": "Spanish",
    "Sweden": "Swedish",
    "Switzerland": "Swiss",
    "Turkey": "Turkish",
    "UK": "British",
    "United Kingdom": "British",
    "United States": "American",
    "US": "American",
    "USA": "American",
    "USSR": "Soviet",
    "Vichy France": "Vichy French",
    "Yugoslavia": "Yugoslav",
}
"""The nations that are a heading by themselves, country and adjective; any other is written as `Nation: Name`."""

ADJECTIVES: Final = {
    **{adjective: adjective for adjective in NATIONS.values()},
    **{
        f"{adjective}s": adjective
        for adjective in NATIONS.values()
        if adjective.endswith(("an", "ak", "av", "et", "ek"))
    },
    "Croat": "Croatian",
    "Croats": "Croatian",
    "Czechoslovak": "Czech",
    "New Zealander": "New Zealand",
    "New Zealanders": "New Zealand",
    "NZ": "New Zealand",
    "Romanian": "Rumanian",
    "Russian": "Soviet",
    "Slovakian": "Slovak",
    "Yugoslavian": "Yugoslav",
}

OWN_SIDE: Final = {"Soviet": "Soviet"}
"""The nations that are a side by themselves, whatever side heading stands above them."""

BOXES: Final = (
    "garrison available",
    "garrison form",
    "garrison",
    "forming",
    "form",
    "breakdown",
    "eliminated isolated",
    "eliminated",
    "holding",
    "national reserve",
    "Balkans",
    "Southern France",
)
"""The boxes rule 51 speaks of."""

STATES: Final = ("full", "cadre", "remnant", "unsupported", "forming", "aborted", "inoperative", "operative")
"""The side or condition a unit may be listed in."""

ARRIVALS: Final = {
    "in reserve": "reserve",
    "may be in reserve": "reserve allowed",
    "in or": "operational reserve",
    "in operational reserve": "operational reserve",
    "in strategic reserve": "strategic reserve",
    "in national reserve": "national reserve",
    "embarked": "embarked",
    "arrives first": "arrives first",
}
"""How units may come in, as written and as kept."""


def nation_named(text: str) -> str:
    """The adjective of a nation known by name, as in German for GERMANY; nothing if it is not known."""
    folded = " ".join(text.split()).casefold()
    for written, adjective in (*NATIONS.items(), *ADJECTIVES.items()):
        if written.casefold() == folded:
            return adjective
    return ""


def box_named(text: str) -> str:
    """A box in the spelling of the rules; one they do not know keeps its own."""
    folded = " ".join(text.split()).casefold()
    return next((box for box in BOXES if box.casefold() == folded), " ".join(text.split()))


RES_BY_SIZE: Final = {"II": "1/2", "III": "1", "X": "1", "XX": "3"}
"""How many REs a size counts where no chart is given; companies, corps and headquarters count nothing."""

# One type is printed now in full and now short; a counter answers to an entry however either of them has it.
_SPELT = {
    "aa": "flak anti-aircraft antiaircraft",
    "abn": "airborne",
    "al": "air-landing air-lndg airlanding luftlande",
    "amph": "amphibious",
    "arm": "armd armor armored armour armoured",
    "art": "artillerie artillery arty",
    "aslt": "assault asslt",
    "at": "anti-tank antitank pak",
    "bord": "border grenz",
    "cav": "cavalry kav kavallerie",
    "cbt": "combat",
    "cmdo": "commando",
    "cons": "bau constr construction",
    "eng": "engineer engineers",
    "flmpz": "flammpanzer flammpz",
    "gar": "garrison",
    "gds": "garde gd guard guards",
    "gl": "glider",
    "gren": "grenadier",
    "inf": "infanterie infantry",
    "jg": "jaeger jäger",
    "lt": "leicht leichte light",
    "mar": "marine marines",
    "mc": "krad kradschützen motorcycle mtrcl",
    "mech": "mechanised mechanized",
    "mil": "militia",
    "mot": "motorised motorisiert motorisierte motorized",
    "mtn": "geb gebirgs mountain",
    "nbl": "neb nebelwerfer",
    "para": "fallschirm fallschirmjäger parachute prcht",
    "pio": "pionier",
    "pz": "panzer",
    "pzg": "panzer-grenadier panzergrenadier pz-gr pz-gren pzgr pzgren",
    "pzjg": "panzerjäger",
    "rec": "aufkl aufklärungs recce recon reconnaissance",
    "repl": "ersatz replacement",
    "res": "reserve",
    "rif": "rfl rifle",
    "rkt": "rocket",
    "rngr": "ranger",
    "rr": "eisenbahn railroad railway",
    "schtz": "schützen",
    "sec": "sich sicherungs security",
    "stug": "sturmgeschütz",
    "sturmpz": "sturmpanzer",
    "sup": "supply",
    "tk": "tank",
    "trk": "truck",
    "trng": "ausbildungs training trg",
    "wgn": "wagon",
}
_PAIRS: Final = {
    "anti aircraft": "aa",
    "anti tk": "at",
    "arm car": "ac",
    "aslt gun": "stug",
    "pz gren": "pzg",
    "special forces": "sf",
    "tk destroyer": "td",
}
"""Types of two words, each in its one spelling."""
SPELLINGS: Final = {written: short for short, others in _SPELT.items() for written in others.split()}


SIZE_WORDS: Final = {
    **dict.fromkeys(("army group", "heeresgruppe"), "XXXXX"),
    **dict.fromkeys(("armee",), "XXXX"),
    **dict.fromkeys(("corps", "korps"), "XXX"),
    **dict.fromkeys(("div", "division", "divisions", "divs", "divisionen"), "XX"),
    **dict.fromkeys(("bde", "brig", "brigs", "brigade", "brigades", "bdes", "brigaden"), "X"),
    **dict.fromkeys(("rgt", "regt", "reg't", "regiment", "regiments", "regimenter", "rgts", "regts"), "III"),
    **dict.fromkeys(
        ("bn", "btl", "battalion", "battalions", "bataillon", "bataillone", "bns", "abt", "abteilung"), "II"
    ),
    **dict.fromkeys(("coy", "company", "kompanie", "kp"), "I"),
}
"""Sizes in words, English and German; Army is not among them, since Army HQ is a type."""

_OTHER_TYPES = """
    alpini ccnn depot field fld fort fortress hq mg mil. nkvd pol ski ss static werfer
"""
TYPE_WORDS: Final = frozenset({*SPELLINGS.keys(), *SPELLINGS.values(), *_OTHER_TYPES.split()})
"""Words that are a type of unit wherever they stand."""


def is_type_word(word: str) -> bool:
    """Whether a word names a type of unit, short or in full."""
    return word.casefold() in TYPE_WORDS


@cache
def spelt_one_way(unit_type: str) -> str:
    """A unit's type in one spelling: 'Guards Rifle' and 'Gds Rif' are the same."""
    spelt = f" {' '.join(SPELLINGS.get(word, word) for word in unit_type.casefold().split())} "
    for pair, short in _PAIRS.items():
        spelt = spelt.replace(f" {pair} ", f" {short} ")
    return spelt.strip()
