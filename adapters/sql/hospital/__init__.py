"""Tables, stores and queries of hospital."""
