"""Lines of a sheet: record, correct, void, move and return them."""
