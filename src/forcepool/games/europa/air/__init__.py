"""Rule 28: air units, their cycle of replacement and what it costs."""
