"""Data of connected systems."""
