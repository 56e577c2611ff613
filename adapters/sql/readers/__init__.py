"""Read models that combine tables."""
