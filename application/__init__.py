"""Use cases, their ports and the shapes of their answers.

The package uses only the standard library and ``domain``.
"""
