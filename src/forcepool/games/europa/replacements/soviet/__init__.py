"""52.D.2 and 52.J.2.a to d  The Soviets: factories, cities, stores, volunteers, NKVD and militia, options."""
