"""User accounts: use cases, and rules shared with ``session``.

The use cases are about other users' accounts. Shared are rules, password links and emails.
"""
