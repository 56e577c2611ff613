"""Printed labels of products, kits and shelves."""
