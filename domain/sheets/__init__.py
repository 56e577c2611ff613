"""Consumption sheets and their details."""
