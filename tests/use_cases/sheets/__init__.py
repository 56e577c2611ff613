"""Use cases of sheets and their lines."""
