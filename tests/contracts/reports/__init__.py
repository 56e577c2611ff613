"""Contracts of stores: reports."""
