"""Tables, stores and queries of restock."""
