"""Logs and metrics of the running program, without user input."""
