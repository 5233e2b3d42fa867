"""The hex map: numbered sheets, terrain, areas, places, railways and roads, and the search for a line on it."""
