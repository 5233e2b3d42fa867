"""A campaign as tables, by their names."""

from forcepool.engine.campaign import Campaign
from forcepool.tables.campaign import TABLES, table
from forcepool.tables.sql import ask
from forcepool.tables.table import Table


class Tabled:
    """What can be read of a campaign as rows and columns."""

    record: Campaign

    def table(self, name: str) -> Table:
        """A table by its name; `forcepool query FILE` lists them.

        >>> import forcepool
        >>> forcepool.new("smolensk").table("balances").columns[0].name
        'turn'
        """
        return table(self.record, name)

    def balances(self) -> Table:
        """What each pool held as each turn ended."""
        return self.table("balances")

    def points(self) -> Table:
        """Every sum that went from one account to another."""
        return self.table("points")

    def receipts(self) -> Table:
        """What came into pools."""
        return self.table("receipts")

    def spending(self) -> Table:
        """What left pools for good: spent, lapsed, lost."""
        return self.table("spending")

    def units(self) -> Table:
        """The units as they are now."""
        return self.table("units")

    def movements(self) -> Table:
        """Where units went and what became of them."""
        return self.table("movements")

    def losses(self) -> Table:
        """What was lost on the map."""
        return self.table("losses")

    def arrivals(self) -> Table:
        """What came onto the map, and what is on its way."""
        return self.table("arrivals")

    def orders(self) -> Table:
        """The journal as a table."""
        return self.table("orders")

    def dice(self) -> Table:
        """Every die that fell."""
        return self.table("dice")

    def clauses(self) -> Table:
        """Which clause was at work, event by event."""
        return self.table("clauses")

    def closed(self) -> Table:
        """What could not be ordered now, with every reason."""
        return self.table("closed")

    def query(self, sql: str, *, engine: str = "") -> Table:
        """A question in SQL over the tables: with DuckDB where it is installed, else with SQLite.

        >>> import forcepool
        >>> campaign = forcepool.new("smolensk")
        >>> campaign.query("select count(*) as n from units").columns[0].name
        'n'
        """
        return ask(sql, TABLES, self.table, engine=engine)
