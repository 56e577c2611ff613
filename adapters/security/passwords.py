"""Passwords are kept as argon2id hashes."""

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError


class Argon2Passwords:
    """Turns passwords into argon2id hashes, at the cost that OWASP asks for at least (19 MiB, 2 rounds, 1 lane)."""

    def __init__(self) -> None:
        self._hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
        self._nobodys = self._hasher.hash("nobody's password")

    def hash(self, password: str) -> str:
        """The hash that is stored."""
        return self._hasher.hash(password)

    def match(self, password: str, password_hash: str | None) -> bool:
        """Whether it is that password. Without a hash the answer is no, after the same time."""
        try:
            self._hasher.verify(password_hash or self._nobodys, password)
        except (VerificationError, InvalidHashError):
            return False
        return bool(password_hash)
