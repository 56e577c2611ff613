"""Stores and lists, one module per table."""
