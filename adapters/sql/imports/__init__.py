"""Tables, stores and queries of imports."""
