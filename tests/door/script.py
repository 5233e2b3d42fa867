"""A user's script, typed throughout: an expression of no known type here is an error."""

from fractions import Fraction

import forcepool


def played() -> dict[str, Fraction]:
    """What a rebuild cost, found by every way through the door."""
    with forcepool.new("smolensk", seed=1) as campaign:
        judged = campaign.judge("rebuild-cadre", unit="6 Pz XX", pay_from="front/centre")
        done = campaign.do(judged.order)
        assert [each.clause for each in done.reasons] == []
        assert any(each.kind == "open" for each in campaign.todo())
        assert all(each.open for each in campaign.options("6 Pz XX", closed=False))
        spent = campaign.query("select kind, exact_sum(amount) as spent from spending group by kind order by kind")
        assert [str(each) for each in spent["spent"]] == ["7/2", "7/2"]
        assert campaign.branch(seed=1).at(campaign.turn).turn == campaign.turn
        assert campaign.unit("6 Pz XX").step == "full"
        assert campaign.pool("front/centre").holds["Germany"]["arm"] == Fraction(1, 4)
        assert all(each.brings >= 0 for each in campaign.plan(turns=1))
        assert campaign.branch(seed=1).play(turns=1) > 0
        assert campaign.balances().plot("turn", "amount").svg == ""
        assert campaign.balances().to_pandas().shape[0] == len(campaign.balances())
        return dict(done.cost)
