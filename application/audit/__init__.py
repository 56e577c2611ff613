"""The audit log and the access log."""
