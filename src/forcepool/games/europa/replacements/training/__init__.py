"""52.I and 52.J.2.e  Training units, garrisons, coast defences and drafts."""
