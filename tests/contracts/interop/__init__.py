"""Contracts of connected systems and charges."""
