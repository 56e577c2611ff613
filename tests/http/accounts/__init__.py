"""HTTP: signing in, users, and keys of programs."""
