from tests.web.test_hooks import *
from tests.web.test_hooks import receiver, server
from tests.web.conftest import live, begun
def test_dbg(server, receiver):
    axis, soviet = program(server, Seat(SIDE, "Axis")), program(server, Seat(SIDE, "Soviet"))
    axis.add_hook(receiver.url("/axis"))
    soviet.add_hook(receiver.url("/soviet"))
    bell=server.app.state.bell
    orig=bell.look
    import traceback
    def look(name):
        try:
            b=bell._stood.get(name); orig(name); 
            if b!=bell._stood.get(name): print("LOOK",b,bell._stood.get(name))
        except BaseException as e:
            traceback.print_exc(); raise
    bell.look=look
    end_the_turn(axis); print(receiver.next())
    print(soviet.status()["player"])
    side='Soviet'
    while soviet.status()["player"] == side:
        d=soviet.do({"command": "advance"}, override="to go on"); print(d)
        if not d: break
    print(soviet.status())
    import time; time.sleep(2)
    print(receiver.rings.qsize()); assert 0
