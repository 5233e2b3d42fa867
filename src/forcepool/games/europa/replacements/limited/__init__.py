"""52.A.8 and 52.A.10  Limited replacements: types, allowances, building times, and the training unit."""
