"""Figures of a period."""
