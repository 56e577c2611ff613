"""Contracts of stores: inbound."""
