"""HTTP: people."""
