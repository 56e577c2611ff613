"""Use cases of the hospital's own settings."""
