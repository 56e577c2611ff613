"""What accounts need of the outside."""
