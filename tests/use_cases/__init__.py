"""Tests of use cases, on SQLite in memory.

What a database does belongs in `contracts/`; HTTP and texts belong elsewhere.
"""
