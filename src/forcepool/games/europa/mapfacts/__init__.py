"""Facts answered by a hex map: who stands where, zones of control, and the lines that can be traced."""
