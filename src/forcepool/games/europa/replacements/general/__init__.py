"""52 and 52.A  The general rules: receiving, moving and spending points, boxes, cadres, placing what was bought."""
