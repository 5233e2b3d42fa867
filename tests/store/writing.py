"""One of several writers on the same campaign. Run as a program of its own: writing PATH NAME COUNT."""

import sys

from forcepool.engine.campaign import Campaign
from forcepool.engine.journal import Conflict
from forcepool.store.open import campaign_file
from tests.support import ring


def write(campaign: Campaign, name: str, count: int) -> int:
    """Tell `count` things, again whenever another was faster; returns how often that was so."""
    beaten = 0
    for number in range(count):
        while True:
            try:
                campaign.do(ring.Tell(unit="1", text=f"{name} {number}"), seat=name)
                break
            except Conflict:
                beaten += 1
                campaign.refresh()
    return beaten


if __name__ == "__main__":
    with campaign_file(sys.argv[1], ring.build) as opened:
        print("ready", flush=True)
        sys.stdin.readline()
        print(write(opened, sys.argv[2], int(sys.argv[3])))
