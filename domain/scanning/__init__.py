"""What a scanner reads: symbols, labels, lots."""
