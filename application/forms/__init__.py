"""Contingency paper: print it, record it, and prove what it says."""
