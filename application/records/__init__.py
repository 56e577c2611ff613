"""Simple records: create, change, delete and list them."""
