"""Tables, stores and queries of catalogue."""
