"""History: reading the audit log."""
