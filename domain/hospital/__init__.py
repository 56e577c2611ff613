"""The hospital's own settings."""
