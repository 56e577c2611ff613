"""Tables, stores and queries of accounts."""
