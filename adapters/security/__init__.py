"""Password hashing, password strength and access tokens.

Permissions are in ``domain/policy.py``.
"""
