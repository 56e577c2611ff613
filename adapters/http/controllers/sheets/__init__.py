"""Sheets, their details, and what belongs to them."""
