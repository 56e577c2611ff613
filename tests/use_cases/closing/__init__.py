"""Use cases of closing."""
