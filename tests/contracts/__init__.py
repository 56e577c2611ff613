"""Contract tests for all stores: memory, SQLite and PostgreSQL.

Tests for a single database belong in `sql/`.
"""
