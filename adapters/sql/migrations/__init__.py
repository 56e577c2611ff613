"""Alembic: how migrations run, so that nobody who writes waits for one. The migrations are in ``versions``."""
