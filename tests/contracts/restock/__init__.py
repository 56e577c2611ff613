"""Contracts of stores: restock."""
