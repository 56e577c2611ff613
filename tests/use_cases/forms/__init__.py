"""Use cases of forms."""
