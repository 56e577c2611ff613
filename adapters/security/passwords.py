"""Password hashing with argon2id."""

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError


class Argon2Passwords:
    """Hashes passwords with argon2id at OWASP's minimum cost.

    That is 19 MiB, 2 rounds and 1 lane.
    """

    def __init__(self) -> None:
        self._hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
        self._dummy_hash = self._hasher.hash("a password of no account")

    def hash(self, password: str) -> str:
        return self._hasher.hash(password)

    def match(self, password: str, password_hash: str | None) -> bool:
        """Verify a password. Without a hash the result is False, in equal time."""
        try:
            self._hasher.verify(password_hash or self._dummy_hash, password)
        except (VerificationError, InvalidHashError):
            return False
        return bool(password_hash)
