"""Contracts of stores: sheets."""
