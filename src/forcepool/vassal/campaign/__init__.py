"""VASSAL beside a campaign: which counter is which unit, and what has changed. The reader knows none of it."""
