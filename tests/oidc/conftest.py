"""A provider of the tests, and Consumo as its client."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from adapters.oidc.client import OidcClient
from adapters.oidc.http import ProviderHttp
from adapters.oidc.provider import OidcProvider
from application.accounts.ports.identity_provider import BegunSignIn, ProvenIdentity, ProviderReturn
from tests.oidc.forging_provider import CLIENT_ID, CLIENT_SECRET, Provider, serving_provider
from tests.pace import PATIENCE

KEY = b"a key of the tests for transactions only"


@pytest.fixture
def provider() -> Iterator[Provider]:
    with serving_provider() as provider:
        yield provider


class Relying:
    """Consumo as a client of the provider."""

    def __init__(self, provider: Provider, **changes: Any) -> None:
        self.provider = provider
        client = OidcClient(
            issuer=provider.issuer,
            client_id=CLIENT_ID,
            client_secret=CLIENT_SECRET,
            redirect_uri="https://consumo.test/auth/oidc/callback",
            home="https://consumo.test/auth/login",
        )
        self.http = ProviderHttp(max_seconds=PATIENCE)
        self.oidc = OidcProvider(replace(client, **changes), [KEY], http=self.http)

    def begin(self) -> BegunSignIn:
        return self.oidc.begin("sign in")

    def finish(self, begun: BegunSignIn, **returned: Any) -> ProvenIdentity:
        """Finish with what the browser brings back."""
        given = {"code": "", "state": "", "iss": None, "error": None, "transaction": begun.transaction, **returned}
        return self.oidc.finish("sign in", ProviderReturn(**given))

    def sign_in(self, **claims: object) -> ProvenIdentity:
        """Go to the provider and come back."""
        begun = self.begin()
        return self.finish(begun, **self.provider.authorize(begun.authorization_url, **claims))


@pytest.fixture
def relying(provider: Provider) -> Relying:
    return Relying(provider)
