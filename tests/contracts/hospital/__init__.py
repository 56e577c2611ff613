"""Contracts of stores: hospital."""
