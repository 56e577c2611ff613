"""Shifts of a ward."""
