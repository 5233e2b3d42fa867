"""Orders as one says them across the table."""

import pytest

from forcepool import games
from forcepool.views.said import mark_said, order_said, sentence_said, told

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
    ("typed", "said"),
    [
        ("Name it with front=", "Name it with “front”"),
        ("say whose points with nation=; nobody has any", "say whose points with “nation”; nobody has any"),
        ("Say to=eliminated, to=cadre or to=remnant.", "Say to eliminated, to cadre or to remnant."),
        ("pay from pay_from=front/centre", "pay from pay from front Centre"),
        ("7 inf lost × ½ = 3½", "7 inf lost × ½ = 3½"),
        ("where x=5 and 2=2", "where x=5 and 2=2"),
        ("see https://example.org/?to=cadre", "see https://example.org/?to=cadre"),
    ],
)
def test_a_sentence_names_fields_as_a_form_does(typed: str, said: str) -> None:
    assert sentence_said(typed) == said


def test_every_field_of_every_command_is_known() -> None:
    fields = {name for each in games.names() for cls in games.game(each).commands for name in cls.__struct_fields__}
    for name in sorted(fields):
        assert sentence_said(f"say it with {name}=.") == f"say it with “{name.replace('_', ' ')}”."


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        ("lost by composite", "gone into a composite unit"),
        ("lost by isolation", "lost through isolation"),
        ("war knocked-out", "it is out of the war"),
        ("mp 2", "+2 MP"),
        ("isolated supply", "supply isolated"),
        ("enemy zoc division", "in the ZOC of an enemy division"),
        ("capital Italy", "capital of Italy"),
        ("or multiplier 1", "its depot's multiplier 1"),
        ("supply none", "out of supply"),
        ("supply limited", "limited supply"),
        ("reserve operational", "operational reserve"),
        ("reserve none", "not in reserve"),
        ("entry jul-2-41-soviet-reinforce-3", "by the OB of Jul 2 41"),
        ("entry dec-ii-40-italian-reinforce-1", "by the OB of Dec II 40"),
        ("rebuilt full", "rebuilt to full"),
        ("just in yes", "just in"),
        ("turns out of supply 3", "turn 3 out of supply"),
        ("garrison md/wehrkreis-iii", "garrison MD Wehrkreis III"),
        ("lost as full, unisolated, front/centre", "lost as full, unisolated, front Centre"),
        ("moved", "moved"),
        ("pocket Vyazma", "pocket Vyazma"),
    ],
)
def test_a_marker_is_named_as_players_name_it(kept: str, said: str) -> None:
    assert mark_said(kept) == said


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        ("6 Pz XX: rebuilt is full", "6 Pz XX: rebuilt to full"),
        ("3 Army: lost by combat [EF.replacements/17]", "3 Army: lost in combat [EF.replacements/17]"),
        ("Rumania: war is defected [EF.reinforcements/16]", "Rumania: it has gone over [EF.reinforcements/16]"),
        ("4 moves of Germany: strategic/Axis → lost", "4 moves of Germany: strategic movement not used"),
        ("4 moves of Germany: capacity → strategic/Axis", "4 moves of Germany: strategic movement of the turn"),
        ("1 move of Germany: strategic/Axis → spent (X)", "1 move of Germany: strategic movement used (X)"),
        ("1 tank of Soviet Union: siberian-works → siberia", "1 tank of Soviet Union: Siberian symbols to be taken"),
        ("1 tank of Soviet Union: siberia → lost", "1 tank of Soviet Union: Siberian symbols not taken"),
        ("1 tank of Soviet Union: siberia → spent (X)", "1 tank of Soviet Union: Siberian symbol taken (X)"),
        ("1 tank of X: siberian-reserves → reserves", "1 tank of X: Siberian Reserves to be drawn"),
        ("1 tank of X: replacement-schedule → replacements", "1 tank of X: replacements received"),
        ("LAH SS Mot X: mp is 1 [49.A.1.e.ii/1]", "LAH SS Mot X: +1 MP [49.A.1.e.ii/1]"),
        ("10 Army HQ XXXX: isolated is supply", "10 Army HQ XXXX: supply isolated"),
        ("10 Army HQ XXXX: supply is none", "10 Army HQ XXXX: out of supply"),
        ("LAH SS Mot X: reserve is operational [49.A/1]", "LAH SS Mot X: operational reserve [49.A/1]"),
        ("Savona Inf XX: reserve is taken back [49.A/2]", "Savona Inf XX: no longer in reserve [49.A/2]"),
        ("Cirene Inf XX: it is no longer in play [49.A/2]", "Cirene Inf XX: its markers are taken off [49.A/2]"),
        ("7 RTR Tk II: reserve md is taken back", "7 RTR Tk II: out of the Strategic Reserve Box"),
        ("4 NZ Inf X: reserve md is md/palestine", "4 NZ Inf X: left MD Palestine for its strategic reserve"),
        ("14 Hun Inf X: national reserve is taken back", "14 Hun Inf X: no longer in national reserve"),
        ("204 Para X: set aside is taken back", "204 Para X: no longer set aside"),
        ("156 Trng XX: garrison is taken back", "156 Trng XX: no longer in a garrison"),
        ("SM79-1: air result is taken back", "SM79-1: its combat result is settled"),
        ("Brescia Inf XX: mp is taken back [52.A/3]", "Brescia Inf XX: its MP marker is taken off [52.A/3]"),
        ("18 DBAD: turns out of supply is taken back", "18 DBAD: no longer out of supply"),
        ("Britain: scrapped res is 2 [52.A.6/7]", "Britain: 2 REs scrapped this month [52.A.6/7]"),
        ("Rumania: replaced so far is 1", "Rumania: 1 replaced so far"),
        ("Italy: neutral is no [51.B.9/1]", "Italy: not neutral [51.B.9/1]"),
        (
            "Tripoli: or multiplier is taken back [49.A.1.a.list2.ii/2]",
            "Tripoli: its depot's multiplier starts afresh [49.A.1.a.list2.ii/2]",
        ),
        ("86 Inf XX: just in is yes", "86 Inf XX: just in"),
        ("24 Rif XX: supply is taken back", "24 Rif XX: supply is taken back"),
        ("1 Len Mil III: garrison is md/leningrad", "1 Len Mil III: garrison is MD Leningrad"),
        ("Siauliai: owner is Axis", "Siauliai: owner is Axis"),
        ("290 Inf XX: entry is may-2-40-german-reinforce-1", "290 Inf XX: by the OB of May 2 40"),
        (
            "entry/may-2-40-german-reinforce-1: received is May 2 40 [51.A/1]",
            "OB of May 2 40, German reinforce 1: received [51.A/1]",
        ),
        (
            "entry/jul-4-41-slovak-withdraw-1: did is 1 [51.B.19/1]",
            "OB of Jul 4 41, Slovak withdraw 1: 1 done [51.B.19/1]",
        ),
        ("air-pool/theatre/east Germany: arps on boxes is 1", "theatre East Germany: arps on boxes is 1"),
        ("3 rail of Germany: capacity → capacity (3 REs)", "3 rail of Germany: capacity used (3 REs)"),
        ("3 rail of Germany: capacity/axis → capacity (3 REs)", "3 rail of Germany: capacity used (3 REs)"),
        (
            "5 rail of Germany: capacity → capacity/axis (now)",
            "5 rail of Germany: capacity given (now)",
        ),
        ("note: my tank is 5 years old", "note: my tank is 5 years old"),
    ],
)
def test_the_journal_tells_things_as_players_do(kept: str, said: str) -> None:
    assert told(kept) == said
