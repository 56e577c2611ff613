"""Tables, stores and queries of sheets."""
