"""Sessions, passwords, links and tokens."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple, Protocol

from domain.accounts.user import PasswordLink, SetupLink
from domain.common.errors import Code
from domain.common.policy import Actor


class SignInMethod(StrEnum):
    """How a session began."""

    PASSWORD = "password"  # noqa: S105 - a name, not a secret
    OIDC = "oidc"
    PASSKEY = "passkey"
    PASSWORD_AND_PASSKEY = "password+passkey"  # noqa: S105 - a name, not a secret
    # By the link that activates a new account, which may register its first passkey.
    ACTIVATION = "activation"

    @property
    def has_second_factor(self) -> bool:
        """Whether a second factor was given, or the provider's rules apply."""
        return self in (SignInMethod.OIDC, SignInMethod.PASSKEY, SignInMethod.PASSWORD_AND_PASSKEY)


@dataclass(frozen=True, slots=True)
class Session:
    """A sign-in at one place.

    The session expires at ``expires_at``. Each use extends it, up to ``ends_at``. It can also be ended before.
    ``address`` and ``client`` (the user agent) say where it began. Sessions from before these fields were stored lack
    them, and expire without extension.

    ``confirmed_at`` is when the person last proved who they are, by more than a PIN. While ``locked_at`` is set, the
    token only sends waiting entries and is unlocked. ``device`` is the thumbprint (RFC 7638) of the device's key,
    ``device_key`` its point in base64url. ``pin_failures`` counts wrong PINs in a row. ``oidc_sid`` is the session at
    the hospital's identity provider in which it began.
    """

    id: str
    user_id: int
    expires_at: datetime
    began_at: datetime | None = None
    used_at: datetime | None = None
    ends_at: datetime | None = None
    address: str = ""
    client: str = ""
    how: SignInMethod = SignInMethod.PASSWORD
    confirmed_at: datetime | None = None
    locked_at: datetime | None = None
    device: str | None = None
    device_key: str | None = None
    pin_failures: int = 0
    oidc_sid: str | None = field(default=None, repr=False)


class ActiveSession(NamedTuple):
    """The user of a session, its last stored use, and how it began."""

    actor: Actor
    used_at: datetime | None
    how: SignInMethod


class ActiveKey(NamedTuple):
    """The program of an API key, and the key's last stored use.

    ``networks`` are those from which the key is valid, or none for everywhere.
    """

    actor: Actor
    networks: tuple[str, ...]
    used_at: datetime | None


class Sessions(Protocol):
    def add(self, session: Session) -> None: ...

    def lock(self, session_id: str, at: datetime) -> Session | None:
        """Return the session, locked until this unit of work ends.

        None if it has ended.
        """

    def save(self, session: Session) -> None:
        """Store every field that changes during a session."""

    def revoke(self, session_id: str) -> None: ...

    def revoke_all(self, user_id: int) -> None:
        """End all sessions of a user."""

    def shares_device(self, session_id: str, user_id: int) -> bool:
        """Return whether the device of a session ever had one of that user.

        A session that is bound to no device shares none.
        """

    def of_provider_session(self, oidc_sid: str, at: datetime) -> list[Session]:
        """List the sessions that began in that session of the provider."""


class PasswordLinks(Protocol):
    """The links for choosing a password."""

    def add(self, link: PasswordLink) -> None:
        """Store the link if its user exists."""

    def get(self, digest: str) -> PasswordLink | None: ...

    def consume(self, digest: str) -> PasswordLink | None:
        """Return the link with that digest, and delete it."""

    def revoke_all(self, user_id: int) -> None:
        """Delete all links of a user."""


class SetupLinks(Protocol):
    """The link for creating the first administrator; there is at most one."""

    def replace(self, link: SetupLink) -> None:
        """Store the link in place of the earlier one."""

    def get(self, digest: str) -> SetupLink | None: ...

    def consume(self, digest: str) -> SetupLink | None:
        """Return the link with that digest, and delete it."""

    def revoke(self) -> None:
        """Delete the link."""


class FailedAttempts(Protocol):
    """Failed and pending attempts by subject, for rate limits.

    A subject is a digest of the account or of the address.
    """

    def lock(self, subjects: Sequence[str]) -> None:
        """Lock these subjects until this unit of work ends."""

    def add(self, subjects: Sequence[str], at: datetime) -> list[int]:
        """Store an attempt under each subject. Return the ids for removing it."""

    def remove(self, ids: Sequence[int]) -> None: ...

    def since(self, subject: str, at: datetime) -> list[datetime]:
        """Return the times of attempts since that moment, the oldest first."""

    def clear(self, subject: str) -> None: ...

    def purge(self, before: datetime) -> None:
        """Delete attempts from before that moment."""


class Passwords(Protocol):
    """Hashes passwords and verifies them."""

    def hash(self, password: str) -> str: ...

    def match(self, password: str, password_hash: str | None) -> bool:
        """Return whether the password matches.

        Without a hash the result is False, after the same time.
        """


@dataclass(frozen=True, slots=True)
class PasswordScore:
    """The strength of a password, from 0 to 4.

    ``weakness`` is the reason if it is too weak.
    """

    score: int
    weakness: Code | None = None


class PasswordChecker(Protocol):
    """Scores new passwords.

    It knows the hospital's name, and frequent passwords.
    """

    def judge(self, password: str, about: Sequence[str]) -> PasswordScore:
        """Score a password; ``about`` are known facts about the user."""


class Tokens(Protocol):
    """Converts between sessions and the tokens that clients send."""

    def issue(self, session: Session) -> str: ...

    def read(self, token: str) -> tuple[str, int]:
        """Return the ids of session and user.

        Raise ``Unauthenticated`` for a token that is invalid or has expired.
        """
