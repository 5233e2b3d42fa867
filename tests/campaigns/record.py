"""Record the fixture campaigns anew: `python -m tests.campaigns.record [NAME…]`.

A rule that is meant to change changes what the bot plays: play the wars again and look at the summaries in the diff.
A folder that is no recording of ours, a journal somebody dropped here, keeps its journal and gets a new summary.
"""

import sys

from forcepool import games
from forcepool.engine.campaign import Campaign
from tests.campaigns.fixtures import journal_of, names, summary, write, write_golden
from tests.campaigns.wars import WARS


def record(name: str) -> str:
    """Play a war and keep it, or sum up a journal from elsewhere; tells what was done."""
    if name in WARS:
        write(name, WARS[name]().journal)
    elif name not in names():
        return f"there is no fixture '{name}'; there are {', '.join(sorted({*WARS, *names()}))}"
    # Read back, so that the summary tells of the file and not of the campaign that was played.
    campaign = Campaign(journal_of(name), games.build_world)
    write_golden(name, summary(campaign))
    return f"{name}: {campaign.seq} entries, {campaign.world.when(campaign.state)}"


if __name__ == "__main__":
    for each in sys.argv[1:] or sorted({*WARS, *names()}):
        print(record(each), flush=True)
