"""HTTP: sheets."""
