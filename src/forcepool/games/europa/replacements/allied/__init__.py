"""52.D.3  The Allies: the British Empire, the French, nations that have fallen, the order of casualties."""
