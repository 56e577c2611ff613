"""Copies of a database in which no person can be recognised by a name."""
