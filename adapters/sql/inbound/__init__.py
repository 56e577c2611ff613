"""Tables, stores and queries of inbound."""
