"""Use cases of signing in, users, and keys of programs."""
