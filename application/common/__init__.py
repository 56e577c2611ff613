"""What every topic uses: drafts, pages, redaction, retries and the kinds of entities."""
