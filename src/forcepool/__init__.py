"""The rear area of monster board wargames: exact, explained, undoable."""

__version__ = "0.2.0"
