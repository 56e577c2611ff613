"""Contracts of stores: billing."""
