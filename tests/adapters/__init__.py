"""Adapters without a folder of their own here."""
