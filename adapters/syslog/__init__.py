"""Syslog over TLS: entries of the audit log for the hospital's log server."""
