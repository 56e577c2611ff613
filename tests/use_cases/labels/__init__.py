"""Use cases of labels."""
