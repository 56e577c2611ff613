"""Consumption sheets and their details: one file per decision."""
