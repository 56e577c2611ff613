"""HTTP: interop."""
