"""52.C  Kinds of points: aid, payments in a mixture, resource and supply points."""
