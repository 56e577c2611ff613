"""An authenticator in software, which registers passkeys and signs with them."""

import hashlib
import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.hazmat.primitives.hashes import SHA256

ORIGIN = "http://localhost:8000"

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


def encode(data: bytes) -> str:
    """Return base64url without padding, as in the JSON of WebAuthn."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    """Return the bytes of base64url without padding."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


@dataclass
class Device:
    """A device with one passkey.

    ``flags`` are those of its answers. Without a counter ``sign_count`` stays 0, as with synchronized passkeys.
    """

    origin: str = ORIGIN
    counts: bool = True
    flags: int = PRESENT | VERIFIED
    algorithm: int = -7
    sign_count: int = 0
    credential_id: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    user_handle: bytes = b""
    rp_id: str = ""
    key: Any = None

    def __post_init__(self) -> None:
        if self.key is None:
            self.key = (
                ec.generate_private_key(ec.SECP256R1())
                if self.algorithm == -7
                else ed25519.Ed25519PrivateKey.generate()
            )

    def create(self, options: dict[str, Any], **changes: Any) -> dict[str, Any]:
        """Register: the answer of ``navigator.credentials.create()``, as JSON."""
        self.rp_id, self.user_handle = options["rp"]["id"], decode(options["user"]["id"])
        attested = bytes(16) + len(self.credential_id).to_bytes(2, "big") + self.credential_id + self._public_key()
        attestation = {"fmt": "none", "attStmt": {}, "authData": self._data(ATTESTED) + attested}
        client_data = self._client_data("webauthn.create", options["challenge"], changes)
        attested_object = changes["attestation"] if "attestation" in changes else cbor2.dumps(attestation)
        response = {
            "clientDataJSON": encode(client_data),
            "attestationObject": encode(attested_object),
            "transports": ["internal", "carrier-pigeon"],
        }
        return self._credential(response)

    def get(self, options: dict[str, Any], **changes: Any) -> dict[str, Any]:
        """Sign: the answer of ``navigator.credentials.get()``, as JSON."""
        if self.counts:
            self.sign_count += 1
        client_data = self._client_data("webauthn.get", options["challenge"], changes)
        data = self._data(0)
        signed = data + hashlib.sha256(client_data).digest()
        signature = self.key.sign(signed, ec.ECDSA(SHA256())) if self.algorithm == -7 else self.key.sign(signed)
        response = {
            "clientDataJSON": encode(client_data),
            "authenticatorData": encode(data),
            "signature": encode(changes.get("signature", signature)),
            "userHandle": encode(changes.get("user_handle", self.user_handle)),
        }
        return self._credential(response)

    def _credential(self, response: dict[str, Any]) -> dict[str, Any]:
        name = encode(self.credential_id)
        return {
            "id": name,
            "rawId": name,
            "type": "public-key",
            "response": response,
            "clientExtensionResults": {"credProps": {"rk": True}},
            "authenticatorAttachment": "platform",
        }

    def _client_data(self, kind: str, challenge: str, changes: dict[str, Any]) -> bytes:
        origin = changes.get("origin", self.origin)
        return json.dumps({"type": changes.get("kind", kind), "challenge": challenge, "origin": origin}).encode()

    def _data(self, more: int) -> bytes:
        return (
            hashlib.sha256(self.rp_id.encode()).digest()
            + bytes([self.flags | more])
            + self.sign_count.to_bytes(4, "big")
        )

    def _public_key(self) -> bytes:
        if self.algorithm == -7:
            numbers = self.key.public_key().public_numbers()
            return cbor2.dumps(
                {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
            )
        return cbor2.dumps({1: 1, 3: -8, -1: 6, -2: self.key.public_key().public_bytes_raw()})
