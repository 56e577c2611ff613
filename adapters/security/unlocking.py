"""Digests of PINs and badges, and nonces, by derived keys."""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta

from application.accounts.ports.identity import Passwords
from domain.common.text import unique_key

NONCE_LASTS = timedelta(seconds=60)
_RANDOM_BYTES = 16
_MAX_NONCE_LENGTH = 200


def _mac(key: bytes, text: str) -> str:
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()


class PepperedPins:
    """Hashes PINs slowly, over a digest with the derived key.

    There are only a million PINs, so a hash alone would be guessed. Without the key guessing cannot begin.
    """

    def __init__(self, passwords: Passwords, keys: Sequence[bytes]) -> None:
        self._passwords = passwords
        self._keys = keys

    def hash(self, user_id: int, pin: str) -> str:
        """Hash a PIN with the current key."""
        return self._passwords.hash(self._peppered(self._keys[0], user_id, pin))

    def verify(self, user_id: int, pin: str, pin_hash: str) -> str | None:
        """Return the hash by the current key, or None for a wrong PIN."""
        current, *old = self._keys
        if self._passwords.match(self._peppered(current, user_id, pin), pin_hash):
            return pin_hash
        if any(self._passwords.match(self._peppered(key, user_id, pin), pin_hash) for key in old):
            return self.hash(user_id, pin)
        return None

    @staticmethod
    def _peppered(key: bytes, user_id: int, pin: str) -> str:
        return _mac(key, f"{user_id}:{pin}")


class KeyedBadges:
    """Computes the digests of badges.

    They have to be found by their digest, so no slow hash is possible; the key protects them.
    """

    def __init__(self, keys: Sequence[bytes]) -> None:
        self._keys = keys

    def digests(self, badge: str) -> Sequence[str]:
        """Return the digests by the current and the old key, ignoring case."""
        return [_mac(key, unique_key(badge)) for key in self._keys]


class SignedNonces:
    """Nonces with expiry, random part and MAC: ``1790000000.r4nd0m.5f3a…``."""

    def __init__(self, keys: Sequence[bytes]) -> None:
        self._keys = keys

    def make(self, session_id: str, now: datetime) -> str:
        """Make a nonce for a session."""
        random = base64.urlsafe_b64encode(secrets.token_bytes(_RANDOM_BYTES)).rstrip(b"=").decode()
        said = f"{int((now + NONCE_LASTS).timestamp())}.{random}"
        return f"{said}.{self._seal(self._keys[0], said, session_id)}"

    def is_valid(self, nonce: str, session_id: str, now: datetime) -> bool:
        """Return whether it was made for that session within a minute."""
        said, _, seal = nonce.rpartition(".")
        if len(nonce) > _MAX_NONCE_LENGTH or not nonce.isascii():
            return False
        if not any(hmac.compare_digest(self._seal(key, said, session_id), seal) for key in self._keys):
            return False
        expires = int(said.partition(".")[0])
        return now.timestamp() <= expires <= (now + NONCE_LASTS).timestamp()

    @staticmethod
    def _seal(key: bytes, said: str, session_id: str) -> str:
        return _mac(key, f"nonce\n{said}\n{session_id}")
