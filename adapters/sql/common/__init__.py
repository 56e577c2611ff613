"""Tables, stores and queries of common."""
