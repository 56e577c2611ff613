"""The audit log and its seals."""
