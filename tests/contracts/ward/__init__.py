"""Contracts of stores: ward."""
