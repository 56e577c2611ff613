"""Contracts of stores: the audit log."""
