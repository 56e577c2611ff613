"""Keys of devices: ECDSA with P-256 and SHA-256, as browsers sign."""

import base64
import binascii
import hashlib
import json
import re
from collections.abc import Mapping

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDSA,
    SECP256R1,
    EllipticCurvePublicKey,
    EllipticCurvePublicNumbers,
)
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from application.accounts.ports.unlocking import DeviceKey

_BYTES = 32
_COORDINATE = re.compile(r"[A-Za-z0-9_-]{43}", re.ASCII)
_SIGNATURE = re.compile(r"[A-Za-z0-9_-]{86}", re.ASCII)
_UNCOMPRESSED = b"\x04"


class P256Keys:
    """Reads JSON Web Keys of P-256 and verifies raw signatures (r, s)."""

    def read(self, jwk: Mapping[str, object]) -> DeviceKey | None:
        """Read a key. None unless it is a point of the curve."""
        x, y = jwk.get("x"), jwk.get("y")
        if (jwk.get("kty"), jwk.get("crv")) != ("EC", "P-256") or not isinstance(x, str) or not isinstance(y, str):
            return None
        if not _COORDINATE.fullmatch(x) or not _COORDINATE.fullmatch(y):
            return None
        try:
            raw_x, raw_y = _decode(x), _decode(y)
            EllipticCurvePublicNumbers(_number(raw_x), _number(raw_y), SECP256R1()).public_key()
        except ValueError:
            return None
        # The coordinates are encoded again, so that one key has one thumbprint.
        members = {"crv": "P-256", "kty": "EC", "x": _encode(raw_x), "y": _encode(raw_y)}
        canonical = json.dumps(members, separators=(",", ":"), sort_keys=True).encode()
        return DeviceKey(_encode(hashlib.sha256(canonical).digest()), _encode(_UNCOMPRESSED + raw_x + raw_y))

    def is_signed(self, text: str, signature: str, point: str) -> bool:
        """Return whether the signature of the text is of that key."""
        if not _SIGNATURE.fullmatch(signature):
            return False
        raw = _decode(signature)
        encoded = encode_dss_signature(_number(raw[:_BYTES]), _number(raw[_BYTES:]))
        key = EllipticCurvePublicKey.from_encoded_point(SECP256R1(), _decode(point))
        try:
            key.verify(encoded, text.encode(), ECDSA(SHA256()))
        except InvalidSignature:
            return False
        return True


def _decode(text: str) -> bytes:
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except binascii.Error as error:
        raise ValueError(str(error)) from None


def _encode(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _number(raw: bytes) -> int:
    return int.from_bytes(raw, "big")
