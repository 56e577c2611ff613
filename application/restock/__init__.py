"""Restock lists: what an area used, to be put back on its shelves."""
