"""Contracts of stores: imports."""
