"""Fault injection for `make faults`: breaks Consumo and checks for losses.

These are neither tests nor benchmarks.
"""
