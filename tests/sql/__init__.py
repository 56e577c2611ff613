"""Tests of single databases: migrations, plans, backups and locks.

Contract tests for all stores belong in contracts/.
"""
