"""HTTP: catalogue."""
