"""Passkeys, and the rule that demands one as second factor."""

from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from enum import StrEnum

from domain.common.policy import Role

MAX_PASSKEYS = 10
PASSKEY_NAME_LENGTH = 60
CHALLENGE_TTL = timedelta(minutes=5)
PASSKEY_LINK_TTL = timedelta(hours=1)


@dataclass(slots=True, kw_only=True)
class Passkey:
    """A public key of WebAuthn with which an account signs in.

    ``backed_up`` says whether the provider of the passkey synchronizes it between devices. ``suspected_at`` is when a
    copy of it was suspected; since then it is not accepted. ``made_by`` is the user who handed out the link on which it
    was registered, if it was one.
    """

    id: int = 0
    user_id: int
    credential_id: bytes
    public_key: bytes = field(repr=False)
    sign_count: int
    transports: tuple[str, ...] = ()
    backed_up: bool
    aaguid: str
    name: str
    made_by: int | None = None
    made_at: datetime
    used_at: datetime | None = None
    suspected_at: datetime | None = None

    def is_copied(self, sign_count: int) -> bool:
        """Return whether a signature with that counter comes from a copy.

        Synchronized passkeys have no counter: it is 0 on both sides.
        """
        return (self.sign_count > 0 or sign_count > 0) and sign_count <= self.sign_count


class SecretPurpose(StrEnum):
    """What a single-use secret of passkeys is for."""

    REGISTER = "register"
    SIGN_IN = "sign_in"
    SECOND_FACTOR = "second_factor"
    UNLOCK = "unlock"
    LINK = "link"


@dataclass(frozen=True, slots=True)
class PasskeySecret:
    """A single-use secret: a challenge for a device, or a registration link.

    Only a digest of it is stored. A challenge for signing in belongs to no user, and is stored once it was used.
    ``made_by`` is the user who handed out the link; it is None if the operator created it on the command line.
    """

    digest: str
    purpose: SecretPurpose
    user_id: int | None
    expires_at: datetime
    made_by: int | None = None


@dataclass(frozen=True, slots=True)
class SecondFactorRule:
    """The roles that need a passkey, and the day from which they do."""

    roles: frozenset[Role] = frozenset()
    from_day: date | None = None

    def due_on(self, role: Role) -> date | None:
        """Return the day from which the role needs a passkey, if it does."""
        return self.from_day if role in self.roles else None

    def is_in_force(self, role: Role, today: date) -> bool:
        """Return whether the role needs a passkey today."""
        due = self.due_on(role)
        return due is not None and due <= today
