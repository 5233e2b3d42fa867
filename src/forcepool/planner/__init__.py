"""Looking ahead and playing on: what a campaign could do next, done by program."""
