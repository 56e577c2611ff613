"""The audit log at the hospital's log server."""
