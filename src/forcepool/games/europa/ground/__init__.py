"""What all sections stand on: pools and their points, who pays, tallies of losses, sources, transport, placing."""
