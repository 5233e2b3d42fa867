"""52.D.1 and 52.J.1  The Axis: uses, entry, foreign contingents, the German reorganisation."""
