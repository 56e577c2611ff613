"""A device with a key, as a browser has one."""

import base64
from dataclasses import dataclass, field
from typing import TypedDict

from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, EllipticCurvePrivateKey, generate_private_key
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from adapters.security.device_keys import P256Keys
from application.accounts.ports.unlocking import DeviceKey
from application.accounts.sessions.device_proof import DeviceDraft, Signing
from application.accounts.sessions.identify import SignedIn
from application.use_cases import UseCases


def encode(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


class Proof(TypedDict):
    """What a device adds to a request."""

    nonce: str
    signature: str


@dataclass(frozen=True)
class Device:
    """A key of P-256 that signs as WebCrypto does."""

    key: EllipticCurvePrivateKey = field(default_factory=lambda: generate_private_key(SECP256R1()))

    @property
    def public_key(self) -> dict[str, object]:
        numbers = self.key.public_key().public_numbers()
        x, y = (encode(number.to_bytes(32, "big")) for number in (numbers.x, numbers.y))
        # A browser's export has more members.
        return {"kty": "EC", "crv": "P-256", "x": x, "y": y, "ext": True, "key_ops": ["verify"]}

    @property
    def read(self) -> DeviceKey:
        """The key as the server stores it."""
        read = P256Keys().read(self.public_key)
        assert read is not None
        return read

    @property
    def thumbprint(self) -> str:
        return self.read.thumbprint

    @property
    def point(self) -> str:
        return self.read.point

    def sign(self, text: str) -> str:
        r, s = decode_dss_signature(self.key.sign(text.encode(), ECDSA(SHA256())))
        return encode(r.to_bytes(32, "big") + s.to_bytes(32, "big"))

    def signed(self, what: str, nonce: str, user_id: int) -> Proof:
        """The nonce and its signature, as the body of a request has them."""
        return Proof(nonce=nonce, signature=self.sign(f"consumo-{what}\n{nonce}\n{user_id}"))

    def proof(self, use_cases: UseCases, signed_in: SignedIn, what: str) -> Proof:
        """A fresh nonce of the session, signed."""
        return self.signed(what, use_cases.session.make_nonce(signed_in)["nonce"], signed_in.actor.user_id)

    def bind(self, use_cases: UseCases, signed_in: SignedIn) -> None:
        """Bind the session, which must be confirmed, to this device."""
        proof = self.proof(use_cases, signed_in, Signing.DEVICE)
        use_cases.session.bind_device(signed_in, DeviceDraft(public_key=self.public_key, **proof))


# Made once: generating a key takes longer than signing.
TABLET = Device()
