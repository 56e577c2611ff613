"""Tests of password hashes, password strength and tokens.

Tests of authorization belong in domain/ and use_cases/.
"""
