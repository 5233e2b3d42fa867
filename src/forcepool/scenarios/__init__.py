"""The shipped scenarios, and how the scenario and the profile of any game are read."""
