"""Contracts of stores: forms."""
