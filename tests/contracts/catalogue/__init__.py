"""Contracts of stores: catalogue."""
