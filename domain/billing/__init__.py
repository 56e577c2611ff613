"""Charges, and lines that are missing."""
