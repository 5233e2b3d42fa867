"""Mail to the seats: addresses, letters, and the office that sends them."""
