"""Use cases of audit."""
