"""Contracts of stores: accounts."""
