"""HTTP: imports."""
