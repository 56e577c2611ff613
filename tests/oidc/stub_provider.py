"""An identity provider without a network, for tests of what follows from it."""

import itertools

from application.accounts.ports.identity_provider import (
    BegunSignIn,
    EndedAtProvider,
    IdentityProviderUnreachable,
    IdentityRefused,
    ProvenIdentity,
    ProviderReturn,
    ProviderState,
)
from domain.common.errors import Code

ISSUER = "https://login.hospital.test"


def an_identity(
    subject: str = "new-1", email: str | None = None, *, verified: bool = True, groups: tuple[str, ...] | None = ()
) -> ProvenIdentity:
    """A person of the provider, by default with the email of the subject."""
    return ProvenIdentity(
        issuer=ISSUER,
        subject=subject,
        email=email or f"{subject}@hospital.test",
        email_verified=verified,
        given_name="Noelia",
        family_name="Vidal",
        groups=None if groups is None else frozenset(groups),
        sent_groups="text: nurses,chiefs" if groups is None else "list",
        session=f"session of {subject}",
    )


class StubProvider:
    """Proves the identity that is set for a code, once.

    The code ``new`` proves another person each time. The transaction is the purpose.
    """

    def __init__(self) -> None:
        self.identities: dict[str, ProvenIdentity] = {}
        self.is_down = False
        self._numbers = itertools.count(1)

    def begin(self, purpose: str) -> BegunSignIn:
        self._answer()
        return BegunSignIn(f"{ISSUER}/authorize?response_type=code", purpose)

    def finish(self, purpose: str, returned: ProviderReturn) -> ProvenIdentity:
        if returned.transaction != purpose:
            raise IdentityRefused(Code.OIDC_TRANSACTION)
        self._answer()
        if returned.error:
            raise IdentityRefused(Code.OIDC_PROVIDER, returned.error)
        if returned.code == "new":
            return an_identity(f"new-{next(self._numbers)}")
        if returned.code not in self.identities:
            raise IdentityRefused(Code.OIDC_CODE)
        return self.identities.pop(returned.code)

    def logout_url(self) -> str | None:
        self._answer()
        return f"{ISSUER}/logout?client_id=consumo"

    def read_logout(self, token: str) -> EndedAtProvider:
        """Read ``id:subject:session``; either may be empty."""
        announcement, _, rest = token.partition(":")
        subject, _, session = rest.partition(":")
        if not subject and not session:
            raise IdentityRefused(Code.OIDC_TOKEN)
        return EndedAtProvider(id=announcement, issuer=ISSUER, subject=subject or None, session=session or None)

    def state(self) -> ProviderState:
        return ProviderState.UNREACHABLE if self.is_down else ProviderState.READY

    def _answer(self) -> None:
        if self.is_down:
            raise IdentityProviderUnreachable
