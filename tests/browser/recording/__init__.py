"""Recording in a browser: scanning, drafts, the outbox, and work without network."""
