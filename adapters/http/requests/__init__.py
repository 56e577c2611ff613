"""What requests contain: body, file, address."""
