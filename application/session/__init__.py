"""Signing in and out, and the user's own account and password."""
