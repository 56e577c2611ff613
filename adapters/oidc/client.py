"""How Consumo is registered at the identity provider."""

from dataclasses import dataclass, field
from enum import StrEnum


class Prompt(StrEnum):
    """What the provider asks the person, as OIDC names it.

    ``login`` asks for the password each time: on a shared tablet, the next person would otherwise be signed in as the
    one before. ``none`` asks only a person who is not signed in there.
    """

    LOGIN = "login"
    SELECT_ACCOUNT = "select_account"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class OidcClient:
    """The registration of this installation at the provider.

    ``role_claim`` is the claim with the person's groups; None if groups are not used.
    """

    issuer: str
    client_id: str
    client_secret: str | None = field(default=None, repr=False)
    redirect_uri: str
    # Where the provider sends the browser after signing out.
    home: str
    scope: tuple[str, ...] = ("openid", "email", "profile")
    role_claim: str | None = None
    prompt: Prompt = Prompt.LOGIN
    proxy: str | None = None
