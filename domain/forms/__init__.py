"""Contingency forms on paper."""
