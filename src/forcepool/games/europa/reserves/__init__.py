"""49  Operational and strategic reserves, a module a heading."""
