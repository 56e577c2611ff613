"""Accounts: people prove who they are, and a proof becomes a session."""
