"""Use cases of restock."""
