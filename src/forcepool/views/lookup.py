"""Finding what someone means: accounts by some of their words."""

from forcepool.engine.ledger import Account
from forcepool.engine.state import State


def accounts_called(state: State, text: str) -> list[Account]:
    """The accounts every word fits: the pool, its level or its name, the beginning of the nation, the kind."""
    words = [word.removesuffix("'s") for word in text.casefold().replace(",", " ").split() if word != "pool"]
    exact = [account for account in sorted(state.balances) if str(account).casefold().split() == words]
    if exact:
        return exact
    found = [account for account in sorted(state.balances) if _fits(account, words)]
    found = found or [account for account in sorted(state.balances) if _fits(account, words, by_beginning=True)]
    # A pool named in full is meant rather than one whose name ends like it; a pool rather than a source or sink.
    named = [account for account in found if account.pool.casefold() in words]
    held = [account for account in named or found if not account.pool.startswith(("source/", "sink/"))]
    return held or named or found


def _fits(account: Account, words: list[str], *, by_beginning: bool = False) -> bool:
    pool, nation, kind = account.pool.casefold(), account.nation.casefold(), account.kind.casefold()
    level, _, called = pool.partition("/")
    names = {pool, level, called, *called.split(), *called.split("-"), kind}
    begun = (nation, *nation.split(), *(names if by_beginning else ()))
    return all(word in names or any(each.startswith(word) for each in begun) for word in words)
