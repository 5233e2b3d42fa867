"""52  Replacements: a module for each heading."""
