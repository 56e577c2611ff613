"""Signing in, users, and keys of programs."""
