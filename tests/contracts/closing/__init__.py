"""Contracts of stores: closing."""
