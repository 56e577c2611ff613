"""Challenges for signing in with a passkey, signed instead of stored."""

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from datetime import UTC, datetime

_EXPIRY_BYTES = 8
_RANDOM_BYTES = 32
_MAC_BYTES = 32


class SignedChallenges:
    """Challenges of expiry, random part and MAC."""

    def __init__(self, keys: Sequence[bytes]) -> None:
        self._keys = keys

    def make(self, expires_at: datetime) -> bytes:
        """Make a challenge."""
        said = int(expires_at.timestamp()).to_bytes(_EXPIRY_BYTES, "big") + secrets.token_bytes(_RANDOM_BYTES)
        return said + _mac(self._keys[0], said)

    def expiry_of(self, challenge: bytes) -> datetime | None:
        """Return until when a challenge is valid, or None if it is not ours."""
        said, mac = challenge[:-_MAC_BYTES], challenge[-_MAC_BYTES:]
        if not any(hmac.compare_digest(_mac(key, said), mac) for key in self._keys):
            return None
        return datetime.fromtimestamp(int.from_bytes(said[:_EXPIRY_BYTES], "big"), UTC)


def _mac(key: bytes, said: bytes) -> bytes:
    return hmac.new(key, said, hashlib.sha256).digest()
