"""Where a campaign is kept: one file, its plain-text copy, and the check that nothing in it was touched."""
