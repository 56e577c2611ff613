"""Names of what a history refers to."""
