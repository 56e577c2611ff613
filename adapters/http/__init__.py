"""The HTTP API in Litestar: one file per resource, and shared modules.

No SQL and no business rules.
"""
