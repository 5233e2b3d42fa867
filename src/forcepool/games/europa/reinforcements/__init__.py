"""Rule 51: reinforcements, and all that an order of battle does to units in play."""
