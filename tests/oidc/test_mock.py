"""Against oidc-provider-mock, a provider by other people."""

import urllib.error
import urllib.request
import warnings
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest

from adapters.oidc.client import OidcClient, Prompt
from adapters.oidc.provider import OidcProvider
from application.accounts.ports.identity_provider import BegunSignIn, IdentityRefused, ProvenIdentity, ProviderReturn
from domain.common.errors import Code

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import oidc_provider_mock


@pytest.fixture(scope="module")
def oidc() -> Iterator[OidcProvider]:
    nuria = oidc_provider_mock.User(
        sub="nuria", claims={"email": "nuria@hospital.test", "email_verified": True, "groups": ["nurses"]}
    )
    with oidc_provider_mock.run_server_in_thread(require_nonce=True, user_claims=[nuria]) as server:
        client = OidcClient(
            issuer=f"http://localhost:{server.server_port}",
            client_id="consumo",
            client_secret="a secret",
            redirect_uri="https://consumo.test/auth/oidc/callback",
            home="https://consumo.test/auth/login",
            role_claim="groups",
            # It tells no time of the login.
            prompt=Prompt.SELECT_ACCOUNT,
        )
        yield OidcProvider(client, [b"a key of the tests for transactions only"])


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


def answer_page(begun: BegunSignIn, form: dict[str, str]) -> dict[str, str]:
    """Send the form of the provider's page, and return its answer."""
    opener = urllib.request.build_opener(_NoRedirect())
    with pytest.raises(urllib.error.HTTPError) as answer:
        opener.open(begun.authorization_url, urlencode(form).encode())
    assert answer.value.code in (302, 303), answer.value.read()
    return dict(parse_qsl(urlsplit(answer.value.headers["Location"]).query))


def finish(oidc: OidcProvider, begun: BegunSignIn, back: dict[str, str], **changes: str) -> ProvenIdentity:
    given: dict[str, Any] = {"code": "", "state": "", "iss": None, "error": None, "transaction": begun.transaction}
    known = {name: value for name, value in back.items() if name in given}
    return oidc.finish("sign in", ProviderReturn(**given | known | changes))


def test_a_person_signs_in(oidc: OidcProvider) -> None:
    begun = oidc.begin("sign in")
    identity = finish(oidc, begun, answer_page(begun, {"sub": "nuria"}))
    assert (identity.subject, identity.email, identity.email_verified) == ("nuria", "nuria@hospital.test", True)
    assert identity.groups == frozenset({"nurses"})


def test_an_email_without_verification_is_not_verified(oidc: OidcProvider) -> None:
    begun = oidc.begin("sign in")
    identity = finish(oidc, begun, answer_page(begun, {"sub": "ana@hospital.test"}))
    assert (identity.email, identity.email_verified) == ("ana@hospital.test", False)


def test_a_person_says_no(oidc: OidcProvider) -> None:
    begun = oidc.begin("sign in")
    back = answer_page(begun, {"action": "deny"})
    state = dict(parse_qsl(urlsplit(begun.authorization_url).query))["state"]
    with pytest.raises(IdentityRefused) as refused:
        finish(oidc, begun, back, state=state)
    assert refused.value.code is Code.OIDC_DENIED


def test_a_code_is_used_once_and_by_its_own_transaction(oidc: OidcProvider) -> None:
    begun, other = oidc.begin("sign in"), oidc.begin("sign in")
    back = answer_page(begun, {"sub": "nuria"})
    state = dict(parse_qsl(urlsplit(other.authorization_url).query))["state"]
    # It knows no PKCE, so the nonce tells.
    with pytest.raises(IdentityRefused) as refused:
        finish(oidc, other, back, state=state)
    assert refused.value.code is Code.OIDC_NONCE
    with pytest.raises(IdentityRefused) as again:
        finish(oidc, begun, back)
    assert again.value.code is Code.OIDC_CODE
