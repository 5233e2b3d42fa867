"""Studies: many campaigns played by stated rules, and what a ruling or a number does to them."""
