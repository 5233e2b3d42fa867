"""Orders as one says them across the table."""

import pytest

from forcepool.views.said import order_said

SAID = {
    b'{"command":"rebuild-cadre","unit":"6 Pz XX","pay_from":"front/centre"}': (
        "Rebuild cadre 6 Pz XX paid from front Centre"
    ),
    b'{"command":"advance"}': "End the phase",
    b'{"command":"note","text":"mud"}': "Note mud",
    b'{"command":"place","unit":"KG 55","at":"Baranovichi"}': "Place KG 55 at Baranovichi",
    b'{"command":"declare","fact":"air_result","value":"eliminated","unit":"23 BAD"}': (
        "Declare 23 BAD air result: eliminated"
    ),
    b'{"command":"declare","fact":"isolated","value":false,"unit":"7 Pz XX"}': "Declare 7 Pz XX isolated: no",
    b'{"command":"convert","unit":"1 Tk XX","entry":"aug-1-41-soviet-reorganize-1"}': (
        "Convert 1 Tk XX by the OB, Aug 1 41, soviet reorganize 1"
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
