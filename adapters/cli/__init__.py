"""The ``consumo`` command: parses arguments, calls use cases, prints.

No business rules and no SQL.
"""
