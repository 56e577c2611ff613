"""Use cases of offline."""
