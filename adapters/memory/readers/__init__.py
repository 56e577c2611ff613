"""Read models in memory, by topic."""
