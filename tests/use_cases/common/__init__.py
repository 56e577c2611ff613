"""Use cases of common."""
