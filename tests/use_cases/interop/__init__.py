"""Use cases of connected systems and charges."""
