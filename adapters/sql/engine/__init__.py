"""Connections, execution of statements, mappings and lists, for all tables."""
