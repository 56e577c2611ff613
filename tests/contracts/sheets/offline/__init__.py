"""Contracts of stores: offline."""
