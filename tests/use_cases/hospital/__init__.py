"""Use cases of hospital."""
