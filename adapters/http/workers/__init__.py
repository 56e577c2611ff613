"""Threads with a queue of their own: hashing, heavy work, letters."""
