"""Localization: messages and formats in Spanish and English, for what the server writes. The client has its own."""
