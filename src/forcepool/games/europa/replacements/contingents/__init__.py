"""52.E  Contingents of minor countries: what they borrow, owe and pay back."""
