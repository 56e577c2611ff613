"""Tables, stores and queries of forms."""
