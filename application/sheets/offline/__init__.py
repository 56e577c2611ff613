"""What was used without network or without a product: late entries and unlisted items."""
