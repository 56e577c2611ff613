"""Unit tests of domain/, which uses only the standard library.

No store, use case or server is needed.
"""
