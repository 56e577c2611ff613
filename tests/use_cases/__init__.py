"""Tests of use cases on the store in memory.

Tests that depend on a database, HTTP or texts belong elsewhere.
"""
