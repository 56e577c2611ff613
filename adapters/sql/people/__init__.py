"""Tables, stores and queries of people."""
