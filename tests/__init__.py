"""The test suite.

Here: the `consumo` command, documents, small adapters, and fixtures. Everything else is in the folders.
"""
