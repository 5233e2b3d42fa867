"""52.A.8.b/7  A unit that is to retrain and in supply is not rebuilt on the way, however it came to be so."""

import pytest

from forcepool.engine.events import Marked
from forcepool.engine.state import evolve
from tests.support.table import Table


@pytest.mark.clause("52.A.8.b/7")
def test_a_cadre_in_supply_that_still_waits_to_retrain_is_not_rebuilt_first() -> None:
    table = Table()
    table.do("rebuild-cadre", unit="24 Inf XX", pay_from="front/centre")
    table.campaign.undo()
    waits = Marked(on="nation/Germany", mark="to_retrain", value=["24 Inf XX"])
    evolve(table.campaign.state, (waits,))
    assert "52.A.8.b/7" in table.refused("rebuild-cadre", unit="24 Inf XX", pay_from="front/centre").clauses
