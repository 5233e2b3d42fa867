"""52  Replacements, in folders that follow the headings.

general      52 and 52.A       limited   52.A.8 and 52.A.10
kinds        52.C              axis      52.D.1 and 52.J.1
soviet       52.D.2, 52.J.2    allied    52.D.3
contingents  52.E              special   52.F, 52.G and 52.H
training     52.I, 52.J.2.e

What other sections need too stands in the game's `ground`: pools, payments, tallies, sources (52.B), transport.
"""
