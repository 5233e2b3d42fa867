"""Cases: given, steps, expect. How a player states what a rule means, without a line of Python."""
