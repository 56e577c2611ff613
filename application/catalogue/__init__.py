"""Use cases of the catalogue: areas, products, rooms, kits, recalls."""
