"""The rulebook as data: every clause, its examples and its rulings, looked up by id, heading or words."""

from forcepool.rulebook.book import Rulebook, UnknownClause, load
from forcepool.rulebook.clause import Clause, Example, Ruling, natural_key

__all__ = ["Clause", "Example", "Rulebook", "Ruling", "UnknownClause", "load", "natural_key"]
