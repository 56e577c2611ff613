"""Use cases of status."""
