"""Adapters: everything replaceable, such as HTTP, SQL, CLI and files.

No business rules.
"""
