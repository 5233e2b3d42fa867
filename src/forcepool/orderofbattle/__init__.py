"""Orders of battle: the text that says which units come, change and go, and when."""
