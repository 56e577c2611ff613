"""Begin a sign-in with the hospital's own account (OIDC)."""

from dataclasses import dataclass

from application.accounts.ports.identity_provider import BegunSignIn, IdentityProvider, IdentityRefused
from domain.common.errors import NotFound, Reason, Refused

SIGN_IN = "sign in"


@dataclass(frozen=True, slots=True)
class BeginOidcSignIn:
    """Return the identity provider's page for signing in.

    Nothing is stored: the browser keeps the signed transaction.
    """

    identity_provider: IdentityProvider | None

    def __call__(self) -> BegunSignIn:
        return begin_at_provider(self.identity_provider, SIGN_IN)


def begin_at_provider(provider: IdentityProvider | None, purpose: str) -> BegunSignIn:
    """Begin an attempt at the provider. Raise ``NotFound`` without one."""
    if provider is None:
        raise NotFound
    try:
        return provider.begin(purpose)
    except IdentityRefused as refused:
        raise Refused(Reason(refused.code)) from None
