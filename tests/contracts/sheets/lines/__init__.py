"""Contracts of stores: lines."""
