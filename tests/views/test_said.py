"""Orders as one says them across the table."""

from fractions import Fraction

import pytest

import forcepool
from forcepool.engine.events import Event, Marked, Transferred, Value
from forcepool.engine.sentence import the_entry, the_field, the_note, the_order, the_pool, to_type
from forcepool.engine.wording import event_said
from forcepool.engine.world import World
from forcepool.views.said import entry_said, order_said, sentence_said, told

SAID = {
    b'{"command":"rebuild-cadre","unit":"6 Pz XX","pay_from":"front/centre"}': (
        "Rebuild cadre 6 Pz XX paid from front Centre"
    ),
    b'{"command":"advance"}': "End the phase",
    b'{"command":"note","text":"mud"}': "Note: mud",
    b'{"command":"place","unit":"KG 55","at":"Baranovichi"}': "Place KG 55 at Baranovichi",
    b'{"command":"declare","fact":"air_result","value":"eliminated","unit":"23 BAD"}': (
        "Declare 23 BAD air result: eliminated"
    ),
    b'{"command":"declare","fact":"isolated","value":false,"unit":"7 Pz XX"}': "Declare 7 Pz XX isolated: no",
    b'{"command":"lose","unit":"29 Mot XX","to":"cadre","isolated":"no"}': "Lose 29 Mot XX to cadre, not isolated",
    b'{"command":"lose","unit":"158 Rif XX","isolated":"supply"}': "Lose 158 Rif XX supply isolated",
    b'{"command":"place-points","pool":"theatre/east","points":"25/8 sp","by":"supply-rail"}': (
        "Place points from theatre East, 3⅛ SP, by supply rail"
    ),
    b'{"command":"transfer-points","from":"front/centre","into":"theatre/east","points":"5/8 inf","nation":"Italy"}': (
        "Transfer points ⅝ inf of Italy, from front Centre, into theatre East"
    ),
    b'{"command":"enter-from-siberia","unit":"30 Army","line":"Kazan line","to":"Vologda","how":"operational"}': (
        "Enter from Siberia 30 Army on the Kazan line, to Vologda, by operational movement"
    ),
    b'{"command":"convert","unit":"1 Tk XX","entry":"aug-1-41-soviet-reorganize-1"}': (
        "Convert 1 Tk XX by the OB, Aug 1 41, Soviet reorganize 1"
    ),
    b'{"command":"move-units","units":["1","2","3","4","5","6"],"to":"Minsk"}': (
        "Move units 1 and 2 and 3 and 4 and 5 and 6, to Minsk"
    ),
    b'{"command":"move-units","units":["1","2","3","4","5","6","7"],"to":"Minsk"}': (
        "Move units 1 and 2 and 3 and 4 and 5 and 6 and 1 more, to Minsk"
    ),
}


@pytest.mark.parametrize(("order", "said"), SAID.items(), ids=SAID.values())
def test_an_order_is_said_as_across_the_table(order: bytes, said: str) -> None:
    assert order_said(order) == said


@pytest.mark.parametrize(
    ("sentence", "page", "terminal"),
    [
        (f"Name it with {the_field('front')}", "Name it with “front”", "Name it with front="),
        (f"Say {the_field('to', 'cadre')}.", "Say to cadre.", "Say to=cadre."),
        (
            f"pay with {the_field('pay_from', 'front/centre')}",
            "pay with pay from front Centre",
            "pay with pay_from=front/centre",
        ),
        (
            f"once it is so, {the_order('declare', fact='so', about='Minsk falls', value='yes')}",
            "once it is so, declare fact so about Minsk falls value yes",
            'once it is so, declare fact=so about="Minsk falls" value=yes',
        ),
        (
            f"convert 1 Tk XX{to_type('aug-1-41-soviet-reorganize-1')} is due",
            "convert 1 Tk XX is due",
            "convert 1 Tk XX (aug-1-41-soviet-reorganize-1) is due",
        ),
        (
            f"the OB of {the_entry('dec-ii-40-italian-reinforce-1')}",
            "the OB of Dec II 40, Italian reinforce 1",
            "the OB of Dec II 40, Italian reinforce 1",
        ),
        (f"from {the_pool('national/Germany')}", "from Germany's national pool", "from Germany's national pool"),
        (f"note: {the_note('to=cadre, mp is 5')}", "note: to=cadre, mp is 5", "note: to=cadre, mp is 5"),
        (
            "16 or of Germany: deployment (aug-1-41-german-withdraw-1)",
            "16 OR of Germany: deployment (OB of Aug 1 41, German withdraw 1)",
            "16 OR of Germany: deployment (OB of Aug 1 41, German withdraw 1)",
        ),
        ("7 inf lost × ½ = 3½", "7 inf lost × ½ = 3½", "7 inf lost × ½ = 3½"),
    ],
)
def test_a_page_says_a_sentence_and_the_terminal_what_one_types(sentence: str, page: str, terminal: str) -> None:
    assert sentence_said(sentence) == page
    assert told(sentence) == terminal


MARKS = [
    ("smolensk", "mp", 2, "+2 MP"),
    ("smolensk", "mp", None, "its MP marker is taken off"),
    ("smolensk", "isolated", "supply", "supply isolated"),
    ("smolensk", "isolated", "no", "not isolated"),
    ("smolensk", "supply", "none", "out of supply"),
    ("smolensk", "supply", "limited", "limited supply"),
    ("smolensk", "supply", None, "supply is taken back"),
    ("smolensk", "enemy_zoc", ["division"], "in the ZOC of an enemy division"),
    ("smolensk", "capital", "Italy", "capital of Italy"),
    ("smolensk", "or_multiplier", 1, "its depot's multiplier 1"),
    ("smolensk", "or_multiplier", None, "its depot's multiplier starts afresh"),
    ("smolensk", "reserve", "operational", "operational reserve"),
    ("smolensk", "reserve", "none", "not in reserve"),
    ("smolensk", "reserve", None, "no longer in reserve"),
    ("smolensk", "reserve_md", "md/palestine", "left MD Palestine for its strategic reserve"),
    ("smolensk", "reserve_md", None, "out of the Strategic Reserve Box"),
    ("smolensk", "national_reserve", None, "no longer in national reserve"),
    ("smolensk", "set_aside", None, "no longer set aside"),
    ("smolensk", "garrison", "md/leningrad", "in the garrison of MD Leningrad"),
    ("smolensk", "garrison", None, "no longer in a garrison"),
    ("smolensk", "air_result", None, "its combat result is settled"),
    ("smolensk", "air_status", "inoperative", "inoperative"),
    ("smolensk", "turns_out_of_supply", 3, "turn 3 out of supply"),
    ("smolensk", "turns_out_of_supply", None, "no longer out of supply"),
    ("smolensk", "scrapped_res", "2", "2 REs scrapped this month"),
    ("smolensk", "scrapped_res", "1", "1 RE scrapped this month"),
    ("smolensk", "replaced_so_far", 1, "1 replaced so far"),
    ("smolensk", "neutral", False, "not neutral"),
    ("smolensk", "rebuilt", "full", "rebuilt to full"),
    ("smolensk", "entry", "may-2-40-german-reinforce-1", "brought by the OB of May 2 40, German reinforce 1"),
    ("smolensk", "delta_or_palestine", True, "in the Delta or Palestine"),
    ("smolensk", "owner", "Axis", "owner is Axis"),
    ("smolensk", "moved", True, "moved"),
    ("eastern-front", "lost_by", "composite", "gone into a composite unit"),
    ("eastern-front", "lost_by", "isolation", "lost through isolation"),
    ("eastern-front", "war", "knocked-out", "it is out of the war"),
    ("eastern-front", "war", "defected", "it has gone over"),
    ("eastern-front", "dispersed", False, "not dispersed"),
]


@pytest.fixture(scope="module")
def worlds() -> dict[str, World]:
    return {name: forcepool.new(name).record.world for name in ("smolensk", "eastern-front")}


@pytest.mark.parametrize(("scenario", "mark", "value", "said"), MARKS)
def test_a_marker_is_told_as_players_name_it(
    worlds: dict[str, World], scenario: str, mark: str, value: Value, said: str
) -> None:
    event = Marked(on="unit/6 Pz XX", mark=mark, value=value)
    assert sentence_said(event_said(worlds[scenario], event)) == f"6 Pz XX: {said}"


@pytest.mark.parametrize(
    ("scenario", "event", "said"),
    [
        (
            "smolensk",
            Marked(on="entry/may-2-40-german-reinforce-1", mark="received", value=3, because="51.A/1"),
            "OB of May 2 40, German reinforce 1: received [51.A/1]",
        ),
        (
            "smolensk",
            Marked(on="entry/jul-4-41-slovak-withdraw-1", mark="did", value=1),
            "OB of Jul 4 41, Slovak withdraw 1: 1 done",
        ),
        (
            "smolensk",
            Transferred(Fraction(3), "rail", "Germany", "source/capacity", "sink/capacity", says="3 REs"),
            "3 rail of Germany: capacity used (3 REs)",
        ),
        (
            "smolensk",
            Transferred(Fraction(3), "rail", "Germany", "capacity/axis", "sink/capacity"),
            "3 rail of Germany: capacity used",
        ),
        (
            "smolensk",
            Transferred(Fraction(5), "rail", "Germany", "source/capacity", "capacity/axis"),
            "5 rail of Germany: capacity given",
        ),
        (
            "eastern-front",
            Transferred(Fraction(4), "moves", "Germany", "source/capacity", "strategic/Axis"),
            "4 moves of Germany: strategic movement of the turn",
        ),
        (
            "eastern-front",
            Transferred(Fraction(1), "moves", "Germany", "strategic/Axis", "sink/spent"),
            "1 move of Germany: strategic movement used",
        ),
        (
            "eastern-front",
            Transferred(Fraction(4), "moves", "Germany", "strategic/Axis", "sink/lost"),
            "4 moves of Germany: strategic movement not used",
        ),
        (
            "eastern-front",
            Transferred(Fraction(1), "tank", "X", "source/siberian-works", "siberia"),
            "1 tank of X: Siberian symbols to be taken",
        ),
        (
            "eastern-front",
            Transferred(Fraction(1), "tank", "X", "siberia", "sink/spent"),
            "1 tank of X: Siberian symbol taken",
        ),
        (
            "eastern-front",
            Transferred(Fraction(1), "tank", "X", "siberia", "sink/lost"),
            "1 tank of X: Siberian symbols not taken",
        ),
        (
            "eastern-front",
            Transferred(Fraction(1), "tank", "X", "source/siberian-reserves", "reserves"),
            "1 tank of X: Siberian Reserves to be drawn",
        ),
        (
            "eastern-front",
            Transferred(Fraction(1), "tank", "X", "source/replacement-schedule", "replacements"),
            "1 tank of X: replacements received",
        ),
    ],
)
def test_the_journal_tells_things_as_players_do(
    worlds: dict[str, World], scenario: str, event: Event, said: str
) -> None:
    assert sentence_said(event_said(worlds[scenario], event)) == said


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("feb-ii-41-new-zealand-withdraw-1", "Feb II 41, New Zealand withdraw 1"),
        ("jul-1-40-free-french-add-to-replacement-pool-2", "Jul 1 40, Free French add to replacement pool 2"),
        ("jul-1-40-french-disarm-1", "Jul 1 40, French disarm 1"),
        ("aug-1-41-cretan-reinforce-1", "Aug 1 41, Cretan reinforce 1"),
    ],
)
def test_a_nation_of_two_words_keeps_its_capitals(key: str, said: str) -> None:
    assert entry_said(key) == said
