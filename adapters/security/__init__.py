"""Password hashes, the judge of new passwords, and access tokens. Who may do what is ``domain/policy.py``."""
