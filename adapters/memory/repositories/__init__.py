"""Repositories in memory, by topic."""
