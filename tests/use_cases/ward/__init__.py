"""Use cases of ward."""
