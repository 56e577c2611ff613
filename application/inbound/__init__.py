"""Messages of other systems."""
