"""Signing in, locking and own accounts in a browser."""
