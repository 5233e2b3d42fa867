"""Play as at the table, where nobody listens for clauses, so that answers are kept as long as nothing happens."""

from collections.abc import Iterator
from contextlib import contextmanager

from forcepool.rulebook import citations


@contextmanager
def nobody_listens() -> Iterator[None]:
    """While a test listens every answer is worked out anew; in here it is not."""
    listener = citations.observer
    citations.observe(None)
    try:
        yield
    finally:
        citations.observe(listener)
