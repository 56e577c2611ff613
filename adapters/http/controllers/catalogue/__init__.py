"""Products, codes, pictures, kits, categories, areas and rooms."""
