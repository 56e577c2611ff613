"""The hospital's identity provider, at which people sign in (OIDC)."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from domain.common.errors import Code


class IdentityRefused(Exception):
    """The provider's answer proves nothing; ``code`` says why.

    ``error`` is the error code of the provider, if it sent one.
    """

    def __init__(self, code: Code, error: str | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.error = error


class IdentityProviderUnreachable(Exception):
    """The provider does not answer, or answers with a server error."""


class ProviderState(StrEnum):
    """Whether people can sign in at the provider."""

    OFF = "off"
    READY = "ready"
    UNREACHABLE = "unreachable"
    UNUSABLE = "unusable"


@dataclass(frozen=True, slots=True)
class BegunSignIn:
    """The provider's page, and the signed transaction of this attempt.

    The page of the browser keeps the transaction, and returns it with the provider's answer.
    """

    authorization_url: str
    transaction: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderReturn:
    """What the provider sent back with the browser, and the transaction."""

    code: str = field(repr=False)
    state: str = field(repr=False)
    iss: str | None
    error: str | None
    transaction: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvenIdentity:
    """A person as the provider knows them.

    ``issuer`` and ``subject`` name the account for good. An email may change, and counts only if it is verified.
    ``groups`` is None if they did not come as a list of names; ``sent_groups`` says for administrators what came.
    ``session`` is the provider's session, by which it announces a sign-out.
    """

    issuer: str
    subject: str = field(repr=False)
    email: str | None = field(default=None, repr=False)
    email_verified: bool = False
    given_name: str | None = field(default=None, repr=False)
    family_name: str | None = field(default=None, repr=False)
    groups: frozenset[str] | None = frozenset()
    sent_groups: str = ""
    session: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedAtProvider:
    """A sign-out that the provider announces: of a session or a person.

    ``id`` names the announcement, which counts once.
    """

    id: str
    issuer: str
    subject: str | None = field(default=None, repr=False)
    session: str | None = field(default=None, repr=False)


class IdentityProvider(Protocol):
    """The provider that the hospital has configured."""

    def begin(self, purpose: str) -> BegunSignIn:
        """Begin an attempt; ``purpose`` is required again to finish it.

        Raise ``IdentityRefused`` or ``IdentityProviderUnreachable``.
        """

    def finish(self, purpose: str, returned: ProviderReturn) -> ProvenIdentity:
        """Exchange the provider's code for the identity of the person.

        Raise ``IdentityRefused`` or ``IdentityProviderUnreachable``.
        """

    def logout_url(self) -> str | None:
        """Return the page for signing out at the provider, if it has one.

        Raise ``IdentityRefused`` or ``IdentityProviderUnreachable``.
        """

    def read_logout(self, token: str) -> EndedAtProvider:
        """Verify a sign-out that the provider announces.

        Raise ``IdentityRefused`` or ``IdentityProviderUnreachable``.
        """

    def state(self) -> ProviderState:
        """Return whether the provider answers and describes itself rightly."""
