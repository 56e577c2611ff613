"""Consumption sheets, details, closings and late entries: one file per decision, and what several of these share."""
