"""Tables, stores and queries of billing."""
