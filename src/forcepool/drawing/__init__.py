"""Counters as pictures, for pages and printed charts."""
