"""Domain rules: entities, exact amounts, authorization and errors.

The package uses the standard library only. It does no I/O and reads no clock.
"""
