"""Passkeys: WebAuthn, the tickets of the second factor, and their stores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, Protocol

from domain.accounts.passkey import Passkey, PasskeySecret, SecretPurpose
from domain.common.errors import Code

Json = dict[str, Any]
"""Options for a browser, in the JSON form of WebAuthn."""

Credential = Mapping[str, Any]
"""The answer of a browser: ``PublicKeyCredential.toJSON()``, unverified."""


class PasskeyRefused(Exception):
    """A credential, challenge or ticket is not valid."""

    def __init__(self, code: Code = Code.PASSKEY_REFUSED) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class NewCredential:
    """The verified public key of a device."""

    credential_id: bytes
    public_key: bytes
    sign_count: int
    transports: tuple[str, ...]
    backed_up: bool
    aaguid: str


class Claim(NamedTuple):
    """What an unverified answer says: credential, challenge and user handle."""

    credential_id: bytes
    challenge: bytes
    user_handle: bytes | None


class Signature(NamedTuple):
    """What a verified answer says about the passkey."""

    sign_count: int
    backed_up: bool


class Passkeys(Protocol):
    """WebAuthn for this installation's address.

    Every method that reads a credential raises ``PasskeyRefused`` for one that is not valid, and nothing else.
    """

    @property
    def available(self) -> bool:
        """Whether browsers allow passkeys at this address."""

    @property
    def origin(self) -> str:
        """The address at which browsers allow them, for links."""

    def creation_options(self, email: str, handle: bytes, challenge: bytes, known: Sequence[Passkey]) -> Json:
        """Return the options for registering a passkey of an account."""

    def request_options(self, challenge: bytes, allowed: Sequence[Passkey] = ()) -> Json:
        """Return the options for signing, by default with any passkey."""

    def read_claim(self, credential: Credential) -> Claim:
        """Read an answer without verifying it."""

    def verify_new(self, credential: Credential, challenge: bytes) -> NewCredential:
        """Verify the registration of a passkey."""

    def verify(self, credential: Credential, challenge: bytes, public_key: bytes) -> Signature:
        """Verify a signature of a passkey; the counter is not judged."""


class SecondFactorTickets(Protocol):
    """Proofs that the password of an account was right."""

    def issue(self, user_id: int, stamp: str, expires_at: datetime) -> str:
        """Return a ticket. ``stamp`` identifies the password that was right."""

    def read(self, ticket: str) -> tuple[int, str]:
        """Return user id and stamp. Raise ``PasskeyRefused``."""


class SignInChallenges(Protocol):
    """Challenges for signing in: signed, so that none is stored."""

    def make(self, expires_at: datetime) -> bytes: ...

    def expiry_of(self, challenge: bytes) -> datetime | None:
        """Return until when a challenge is valid, or None if it is not ours."""


class PasskeyStore(Protocol):
    """The passkeys of all accounts."""

    def add(self, passkey: Passkey) -> None:
        """Store a passkey and set its id."""

    def of_user(self, user_id: int) -> list[Passkey]:
        """Return the passkeys of an account, the oldest first."""

    def lock(self, credential_id: bytes) -> Passkey | None:
        """Return a passkey, locked until this unit of work ends."""

    def save(self, passkey: Passkey) -> None: ...

    def remove(self, ids: Sequence[int]) -> None: ...

    def remove_all(self, user_id: int) -> None:
        """Delete all passkeys of an account."""


class PasskeySecrets(Protocol):
    """Single-use secrets of passkeys."""

    def add(self, secret: PasskeySecret) -> None: ...

    def get(self, digest: str, purpose: SecretPurpose) -> PasskeySecret | None: ...

    def consume(self, digest: str, purpose: SecretPurpose) -> PasskeySecret | None:
        """Return the secret with that digest and purpose, and delete it."""

    def revoke_all(self, user_id: int, purpose: SecretPurpose | None = None) -> None:
        """Delete the secrets of an account: all, or those for one purpose."""

    def purge(self, before: datetime) -> None:
        """Delete secrets that expired before that moment."""
