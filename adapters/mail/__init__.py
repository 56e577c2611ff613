"""Email by SMTP."""
