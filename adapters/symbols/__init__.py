"""Symbols as scanners send them."""
