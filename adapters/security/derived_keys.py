"""Keys for separate purposes, derived from the secret key."""

import hashlib
import hmac
from enum import StrEnum


class Purpose(StrEnum):
    """What a derived key is for; each purpose has a key of its own."""

    PIN = "pin-pepper"
    BADGE = "badge"
    NONCE = "nonce"
    OIDC_TRANSACTION = "oidc-transaction"
    SECOND_FACTOR = "second-factor"
    PASSKEY_CHALLENGE = "passkey-challenge"


def derive_key(secret_key: str, purpose: Purpose) -> bytes:
    """Derive the key of a purpose (32 bytes) by HMAC-SHA-256.

    Access tokens are signed with the secret key itself.
    """
    return hmac.new(secret_key.encode(), f"consumo/{purpose}/v1".encode(), hashlib.sha256).digest()


def derive_keys(secret_key: str, old_secret_key: str | None, purpose: Purpose) -> list[bytes]:
    """Derive the current and the old key of a purpose, in this order.

    Sign with the first, and verify with each in turn.
    """
    return [derive_key(key, purpose) for key in (secret_key, old_secret_key) if key]
