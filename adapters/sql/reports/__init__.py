"""Tables, stores and queries of reports."""
