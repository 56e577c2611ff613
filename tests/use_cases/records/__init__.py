"""Use cases of records."""
