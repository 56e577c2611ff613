"""HTTP: records."""
