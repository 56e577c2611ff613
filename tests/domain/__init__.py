"""The rules of domain/, with the standard library alone. No store, no use case, no server."""
