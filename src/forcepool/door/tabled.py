"""A campaign as tables, by their names."""

from forcepool.engine.campaign import Campaign
from forcepool.tables.campaign import TABLES, table
from forcepool.tables.sql import ask
from forcepool.tables.table import Table


class Tabled:
    """What can be read of a campaign as rows and columns. In the examples one cadre was rebuilt in `campaign`."""

    record: Campaign

    def table(self, name: str) -> Table:
        """A table by its name; `forcepool query FILE` lists them.

        >>> campaign.table("balances").columns[0].name
        'turn'
        """
        return table(self.record, name)

    def balances(self) -> Table:
        """What each pool held as each turn ended.

        >>> [row["amount"] for row in campaign.balances() if row["pool"] == "front/centre"]
        [Fraction(1, 4), Fraction(19, 4)]
        """
        return self.table("balances")

    def points(self) -> Table:
        """Every sum that went from one account to another.

        >>> [(row["to_pool"], row["kind"], str(row["amount"])) for row in campaign.points()]
        [('sink/spent', 'inf', '7/2'), ('sink/spent', 'arm', '7/2')]
        """
        return self.table("points")

    def receipts(self) -> Table:
        """What came into pools.

        >>> len(campaign.receipts())
        0
        """
        return self.table("receipts")

    def spending(self) -> Table:
        """What left pools for good: spent, lapsed, lost.

        >>> campaign.spending()["working"][0]
        '6 Pz XX: full 11 − cadre 4'
        """
        return self.table("spending")

    def units(self) -> Table:
        """The units as they are now.

        >>> [row["step"] for row in campaign.units() if row["unit"] == "6 Pz XX"]
        ['full']
        """
        return self.table("units")

    def movements(self) -> Table:
        """Where units went and what became of them.

        >>> [(row["unit"], row["step_was"], row["step"]) for row in campaign.movements()]
        [('6 Pz XX', 'cadre', 'full')]
        """
        return self.table("movements")

    def losses(self) -> Table:
        """What was lost on the map.

        >>> len(campaign.losses())
        0
        """
        return self.table("losses")

    def arrivals(self) -> Table:
        """What came onto the map, and what is on its way.

        >>> campaign.arrivals()["unit"]
        ['14 Mot XX', '268 Inf XX', '8 Tk X']
        """
        return self.table("arrivals")

    def orders(self) -> Table:
        """The journal as a table.

        >>> campaign.orders()["text"]
        ['rebuild-cadre unit="6 Pz XX" pay_from=front/centre']
        """
        return self.table("orders")

    def dice(self) -> Table:
        """Every die that fell.

        >>> len(campaign.dice())
        0
        """
        return self.table("dice")

    def clauses(self) -> Table:
        """Which clause was at work, event by event.

        >>> "52.A.9.d/2" in campaign.clauses()["clause"]
        True
        """
        return self.table("clauses")

    def closed(self) -> Table:
        """What could not be ordered now, with every reason.

        >>> next(row["says"] for row in campaign.closed() if row["unit"] == "10 Pz XX")
        'costs 3½ arm (full 11 − cadre 4), front/centre has ¼'
        """
        return self.table("closed")

    def query(self, sql: str, *, engine: str = "") -> Table:
        """A question in SQL over the tables: with DuckDB where it is installed, else with SQLite.

        >>> campaign.query("select kind, exact_sum(amount) as spent from spending group by 1 order by 1")["spent"]
        ['7/2', '7/2']
        """
        return ask(sql, TABLES, self.table, engine=engine)
