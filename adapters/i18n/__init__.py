"""Messages and formats in Spanish and English, for whatever the server writes. The client has its own."""
