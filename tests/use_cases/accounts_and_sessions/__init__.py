"""Use cases of accounts and sessions."""
