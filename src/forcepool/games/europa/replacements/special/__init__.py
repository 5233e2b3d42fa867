"""52.F, 52.G and 52.H  Losses and what they bring back, auxiliary pools, disruption, fragile units."""
