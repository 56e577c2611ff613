"""PINs, badges and the keys of devices."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple, Protocol


@dataclass(frozen=True, slots=True)
class StoredPin:
    """The PIN of a user, as a hash."""

    user_id: int
    pin_hash: str = field(repr=False)
    set_at: datetime


class UserPins(Protocol):
    """The PINs of users, at most one each."""

    def get(self, user_id: int) -> StoredPin | None: ...

    def save(self, pin: StoredPin) -> None:
        """Store the PIN in place of the earlier one."""

    def remove(self, user_id: int) -> None:
        """Delete the PIN, if there is one."""


class PinHasher(Protocol):
    """Hashes PINs with a key that the database does not have."""

    def hash(self, user_id: int, pin: str) -> str: ...

    def verify(self, user_id: int, pin: str, pin_hash: str) -> str | None:
        """Return the hash to store from now on, or None for a wrong PIN.

        It is another one if the PIN was hashed with the old secret key.
        """


class BadgeDigests(Protocol):
    """Computes the digests under which a badge is stored."""

    def digests(self, badge: str) -> Sequence[str]:
        """Return the digests by the current and the old secret key."""


class Nonces(Protocol):
    """Short-lived texts for signatures; nothing is stored."""

    def make(self, session_id: str, now: datetime) -> str: ...

    def is_valid(self, nonce: str, session_id: str, now: datetime) -> bool:
        """Return whether it was made for that session a moment ago."""


class DeviceKey(NamedTuple):
    """The public key of a device: its thumbprint (RFC 7638) and its point."""

    thumbprint: str
    point: str


class DeviceKeys(Protocol):
    """Reads the keys of devices and verifies their signatures."""

    def read(self, jwk: Mapping[str, object]) -> DeviceKey | None:
        """Read a JSON Web Key. None unless it is a point of P-256."""

    def is_signed(self, text: str, signature: str, point: str) -> bool:
        """Return whether the signature of the text is of that key."""


class UnlockState(NamedTuple):
    """What a user can unlock with."""

    has_password: bool = False
    has_pin: bool = False
    has_badge: bool = False
    has_passkey: bool = False
