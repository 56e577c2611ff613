"""Products, kits, areas, rooms and recalls."""
