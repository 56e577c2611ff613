"""Against oidc-provider of Node, a certified provider by other people."""

import re
import signal
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urljoin, urlsplit

import httpx
import pytest

from adapters.oidc.client import OidcClient
from adapters.oidc.discovery import MIN_BETWEEN_KEY_READS
from adapters.oidc.provider import OidcProvider
from application.accounts.ports.identity_provider import BegunSignIn, IdentityRefused, ProvenIdentity, ProviderReturn
from domain.common.errors import Code

pytestmark = pytest.mark.walk

UI = Path(__file__).parents[2] / "ui"
REDIRECT = "https://consumo.test/auth/oidc/callback"


@dataclass
class Running:
    """The provider's process and Consumo as its client."""

    process: subprocess.Popen[str]
    client: OidcClient

    def relying(self, *, clock: Callable[[], datetime] = lambda: datetime.now(UTC), **changes: Any) -> OidcProvider:
        key = b"a key of the tests for transactions only"
        return OidcProvider(replace(self.client, **changes), [key], clock=clock)

    def said(self) -> str:
        """Return the next line of the process."""
        assert self.process.stdout
        return self.process.stdout.readline().strip()


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    command = ["node", "--no-warnings", "checks/oidcProvider.mjs"]
    with subprocess.Popen(command, cwd=UI, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        client = OidcClient(
            issuer="",
            client_id="consumo",
            client_secret="a secret of the tests",
            redirect_uri=REDIRECT,
            home="https://consumo.test/auth/login",
            role_claim="groups",
        )
        running = Running(process, client)
        running.client = replace(client, issuer=running.said())
        yield running
        process.terminate()


def walk_pages(begun: BegunSignIn, person: str, *, refuse: bool = False) -> dict[str, str]:
    """Sign in on the provider's pages and return its answer."""
    with httpx.Client() as browser:
        address = begun.authorization_url
        for _ in range(12):
            answer = browser.get(address)
            if answer.status_code == 200:
                action = re.search(r'<form[^>]* action="([^"]+)"', answer.text)
                cancel = re.search(r'href="([^"]+/abort)"', answer.text)
                assert action, answer.text
                if refuse and cancel:
                    answer = browser.get(urljoin(address, cancel[1]))
                else:
                    prompt = re.search(r'name="prompt" value="(\w+)"', answer.text)
                    assert prompt
                    form = {"prompt": prompt[1], "login": person, "password": "any"}
                    answer = browser.post(urljoin(address, action[1]), data=form)
            assert answer.is_redirect, answer.text
            address = urljoin(address, answer.headers["Location"])
            if address.startswith(REDIRECT):
                return dict(parse_qsl(urlsplit(address).query))
    raise AssertionError(address)


def finish(relying: OidcProvider, begun: BegunSignIn, back: dict[str, str]) -> ProvenIdentity:
    returned = ProviderReturn(
        code=back.get("code", ""),
        state=back.get("state", ""),
        iss=back.get("iss"),
        error=back.get("error"),
        transaction=begun.transaction,
    )
    return relying.finish("sign in", returned)


def refusal_of(relying: OidcProvider, begun: BegunSignIn, back: dict[str, str]) -> Code:
    with pytest.raises(IdentityRefused) as refused:
        finish(relying, begun, back)
    return refused.value.code


def test_a_person_signs_in(running: Running) -> None:
    relying = running.relying()
    begun = relying.begin("sign in")
    identity = finish(relying, begun, walk_pages(begun, "nuria"))
    assert (identity.subject, identity.email, identity.email_verified) == ("nuria", "nuria@hospital.test", True)
    assert identity.groups == frozenset({"nurses"})


def test_an_email_without_verification_is_not_verified(running: Running) -> None:
    relying = running.relying()
    begun = relying.begin("sign in")
    identity = finish(relying, begun, walk_pages(begun, "ana"))
    assert (identity.email, identity.email_verified) == ("ana@hospital.test", False)


def test_a_person_says_no(running: Running) -> None:
    relying = running.relying()
    begun = relying.begin("sign in")
    back = walk_pages(begun, "nuria", refuse=True)
    assert refusal_of(relying, begun, back) is Code.OIDC_DENIED


def test_a_code_is_used_once_and_by_its_own_transaction(running: Running) -> None:
    relying = running.relying()
    begun, other = relying.begin("sign in"), relying.begin("sign in")
    back = walk_pages(begun, "nuria")
    state = dict(parse_qsl(urlsplit(other.authorization_url).query))["state"]
    # PKCE: the verifier of the other transaction does not fit.
    assert refusal_of(relying, other, back | {"state": state}) is Code.OIDC_CODE
    begun = relying.begin("sign in")
    back = walk_pages(begun, "nuria")
    finish(relying, begun, back)
    assert refusal_of(relying, begun, back) is Code.OIDC_CODE


def test_an_answer_of_another_issuer_is_refused(running: Running) -> None:
    relying = running.relying()
    begun = relying.begin("sign in")
    back = walk_pages(begun, "nuria")
    assert refusal_of(relying, begun, back | {"iss": "https://other.test"}) is Code.OIDC_ISSUER
    del back["iss"]
    assert refusal_of(relying, begun, back) is Code.OIDC_ISSUER


def test_a_wrong_client_secret_is_refused(running: Running) -> None:
    relying = running.relying(client_secret="another secret of the tests")
    begun = relying.begin("sign in")
    assert refusal_of(relying, begun, walk_pages(begun, "nuria")) is Code.OIDC_CODE


def test_another_address_and_missing_pkce_are_refused(running: Running) -> None:
    begun = running.relying(redirect_uri="https://forged.test/back").begin("sign in")
    assert httpx.get(begun.authorization_url).status_code == 400
    begun = running.relying().begin("sign in")
    without = re.sub(r"&code_challenge(_method)?=[^&]*", "", begun.authorization_url)
    assert without != begun.authorization_url
    back = dict(parse_qsl(urlsplit(httpx.get(without).headers["Location"]).query))
    assert back["error"] == "invalid_request"
    assert refusal_of(running.relying(), begun, back) is Code.OIDC_PROVIDER


def test_signing_in_goes_on_after_new_keys(running: Running) -> None:
    later = timedelta(0)
    relying = running.relying(clock=lambda: datetime.now(UTC) + later)
    begun = relying.begin("sign in")
    finish(relying, begun, walk_pages(begun, "nuria"))
    running.process.send_signal(signal.SIGHUP)
    assert running.said() == "rotated"
    later = MIN_BETWEEN_KEY_READS
    begun = relying.begin("sign in")
    assert finish(relying, begun, walk_pages(begun, "nuria")).subject == "nuria"
