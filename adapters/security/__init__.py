"""Password hashing, password strength and access tokens.

Permissions are in ``domain/common/policy.py``.
"""
