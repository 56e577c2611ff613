"""Use cases of lines."""
