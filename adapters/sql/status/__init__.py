"""Tables, stores and queries of status."""
