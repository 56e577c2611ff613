"""HTTP tests: the shapes of answers, access and errors.

Tests of rules belong in domain/, tests of storage in contracts/.
"""
