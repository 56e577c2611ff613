"""Faults, one after the other, and whether anything was lost: `make faults`."""
