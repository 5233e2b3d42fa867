"""Plays on in a campaign for ever and prints what is recorded. Run as a program of its own: telling WHERE."""

import os
import sys
from itertools import count

from forcepool.store.open import campaign_file
from tests.support import ring

if __name__ == "__main__":
    with campaign_file(sys.argv[1], ring.build) as campaign:
        for number in count():
            text = f"{os.getpid()} {number}"
            campaign.do(ring.Tell(unit="1", text=text))
            print(text, flush=True)
