"""Alembic environment for migrations that do not block writers.

The migrations are in ``versions``.
"""
