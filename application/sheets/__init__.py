"""Use cases of consumption sheets: details, closings, late entries.

There is one module per use case, and shared modules.
"""
