"""Restock lists."""
