"""Use cases of inbound."""
