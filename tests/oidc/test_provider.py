"""The adapter for identity providers: good, forged and misbehaving ones."""

import base64
import hashlib
import hmac
import json
import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt
import pytest

from adapters.oidc.client import Prompt
from adapters.oidc.discovery import FAILURE_LASTS, MAX_DESCRIPTION_AGE, Discovery
from adapters.oidc.http import MAX_ANSWER_BYTES, ProviderHttp, is_endpoint
from adapters.oidc.transaction import TRANSACTION_LASTS, Transactions
from application.accounts.ports.identity_provider import IdentityProviderUnreachable, IdentityRefused, ProviderState
from domain.common.errors import Code
from tests.oidc.conftest import KEY, Relying
from tests.oidc.forging_provider import CLIENT_ID, CLIENT_SECRET, Answer, Provider, private_key, public_jwk, signed

DISCOVERY = "/.well-known/openid-configuration"


def refusal(call: Callable[[], object]) -> Code:
    with pytest.raises(IdentityRefused) as refused:
        call()
    return refused.value.code


# --- a good provider -------------------------------------------------------------------------------------------------


def test_a_person_is_proven_with_claims_and_groups(provider: Provider) -> None:
    relying = Relying(provider, role_claim="groups")
    identity = relying.sign_in(groups=["nurses", 7], given_name="Nuria", family_name="Paz", sid="s-1")
    assert identity.subject == "nurse-1"
    assert identity.issuer == provider.issuer
    assert (identity.email, identity.email_verified) == ("nuria@hospital.test", True)
    assert (identity.given_name, identity.family_name) == ("Nuria", "Paz")
    assert (identity.groups, identity.session) == (frozenset({"nurses"}), "s-1")


@pytest.mark.parametrize(
    ("sent", "groups", "described"),
    [
        ({"groups": ["/nurses"]}, {"/nurses"}, "list: /nurses"),
        ({"groups": {"nurses": {"1": "hospital.test"}}}, None, "object: nurses"),
        ({"groups": "nurses,chiefs"}, None, "text: nurses,chiefs"),
        ({"groups": 7}, None, "int: "),
        ({}, None, "not sent in the ID token"),
    ],
)
def test_groups_are_described_as_they_came(
    provider: Provider, sent: dict[str, Any], groups: set[str] | None, described: str
) -> None:
    identity = Relying(provider, role_claim="groups").sign_in(**sent)
    assert (identity.groups, identity.sent_groups) == (groups, described)


def test_too_many_groups_are_missing(provider: Provider) -> None:
    assert refusal(lambda: Relying(provider, role_claim="groups").sign_in(hasgroups=True)) is Code.OIDC_GROUPS_MISSING


@pytest.mark.parametrize("verified", ["true", 1, None, False])
def test_an_email_is_verified_by_the_boolean_true_alone(relying: Relying, verified: object) -> None:
    assert relying.sign_in(email_verified=verified).email_verified is False


@pytest.mark.parametrize(("kind", "algorithm"), [("rsa", "RS256"), ("rsa", "PS256"), ("ec", "ES256"), ("ed", "EdDSA")])
def test_each_accepted_signature_is_verified(relying: Relying, kind: str, algorithm: str) -> None:
    relying.provider.forge = lambda claims: signed(claims, kind, algorithm)
    assert relying.sign_in().subject == "nurse-1"


def test_the_request_asks_for_a_code_with_pkce(relying: Relying) -> None:
    begun = relying.begin()
    asked = {name: value for name, [value] in parse_qs(urlsplit(begun.authorization_url).query).items()}
    kept = jwt.decode(begun.transaction, KEY, algorithms=["HS256"], audience="oidc-transaction")
    challenge = _encoded(hashlib.sha256(kept["verifier"].encode()).digest())
    assert asked == {
        "response_type": "code",
        "client_id": CLIENT_ID,
        "redirect_uri": "https://consumo.test/auth/oidc/callback",
        "scope": "openid email profile",
        "state": kept["state"],
        "nonce": kept["nonce"],
        "code_challenge": challenge,
        "code_challenge_method": "S256",
        "prompt": "login",
        "max_age": "300",
    }


def test_an_endpoint_with_a_query_keeps_it(provider: Provider) -> None:
    provider.description["authorization_endpoint"] += "?tenant=7"
    asked = parse_qs(urlsplit(Relying(provider).begin().authorization_url).query)
    assert asked["tenant"] == ["7"]
    assert asked["response_type"] == ["code"]


def test_a_client_without_secret_names_itself_in_the_form(provider: Provider) -> None:
    provider.secret = None
    assert Relying(provider, client_secret=None).sign_in().subject == "nurse-1"


def test_a_nested_role_claim_is_found(provider: Provider) -> None:
    relying = Relying(provider, role_claim="realm_access.roles")
    assert relying.sign_in(realm_access={"roles": ["admins"]}).groups == frozenset({"admins"})
    assert relying.sign_in(realm_access="odd").groups is None


def test_groups_left_out_by_the_provider_are_reported(provider: Provider) -> None:
    relying = Relying(provider, role_claim="groups")
    assert refusal(lambda: relying.sign_in(_claim_names={"groups": "src1"})) is Code.OIDC_GROUPS_MISSING
    assert Relying(provider).sign_in(_claim_names={"groups": "src1"}).subject == "nurse-1"


def test_rotated_keys_cost_one_more_call(provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adapters.oidc.discovery.MIN_BETWEEN_KEY_READS", timedelta())
    relying = Relying(provider)
    relying.sign_in()
    provider.keys = [public_jwk("new")]
    provider.forge = lambda claims: signed(claims, "new")
    assert relying.sign_in().subject == "nurse-1"
    assert provider.calls.count("/jwks") == 2


def test_unknown_key_ids_cost_one_call(relying: Relying) -> None:
    relying.provider.forge = lambda claims: signed(claims, kid=f"made-up-{time.monotonic()}")
    for _ in range(50):
        assert refusal(relying.sign_in) is Code.OIDC_KEY
    assert relying.provider.calls.count("/jwks") == 1


def test_500_people_sign_in_at_once(provider: Provider) -> None:
    relying = Relying(provider)
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda number: relying.sign_in(sub=f"s-{number}").subject, range(500)))
    assert found == [f"s-{number}" for number in range(500)]
    assert (provider.calls.count(DISCOVERY), provider.calls.count("/jwks")) == (1, 1)


# --- forged ID tokens ------------------------------------------------------------------------------------------------


def _encoded(part: bytes) -> str:
    return base64.urlsafe_b64encode(part).rstrip(b"=").decode()


def _unsigned(claims: dict[str, Any], algorithm: str) -> str:
    parts = [{"alg": algorithm, "typ": "JWT"}, claims]
    return ".".join(
        [*(base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode() for part in parts), ""]
    )


def _with_hmac(claims: dict[str, Any], secret: bytes) -> str:
    """HS256 by hand: the library refuses a public key as secret."""
    text = _unsigned(claims, "HS256").removesuffix(".")
    mac = hmac.new(secret, text.encode(), hashlib.sha256).digest()
    return f"{text}.{_encoded(mac)}"


def _changed(claims: dict[str, Any]) -> str:
    """The signature of other claims."""
    head, _, mac = signed(claims).split(".")
    return f"{head}.{_encoded(json.dumps({**claims, 'sub': 'admin'}).encode())}.{mac}"


def _by_other_key(claims: dict[str, Any]) -> str:
    return jwt.encode(claims, private_key("other"), algorithm="RS256", headers={"kid": "rsa"})


def _pem() -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    pem: bytes = private_key("rsa").public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    return pem


def _now(seconds: int = 0) -> int:
    return int(time.time()) + seconds


def _without(claims: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in claims.items() if key != name}


@dataclass(frozen=True)
class Forgery:
    name: str
    code: Code
    forge: Callable[[dict[str, Any]], object]


def _claiming(name: str, code: Code, **claims: object) -> Forgery:
    return Forgery(name, code, lambda right: signed({**right, **claims}))


def _timed(name: str, code: Code, claim: str, seconds: int, number: type[int] | type[str] = int) -> Forgery:
    """A token with a claim of that many seconds from the moment of signing."""
    return Forgery(name, code, lambda right: signed({**right, claim: number(_now(seconds))}))


def _lacking(claim: str, code: Code) -> Forgery:
    return Forgery(f"no {claim}", code, lambda right: signed(_without(right, claim)))


FORGERIES = [
    Forgery("alg none", Code.OIDC_ALGORITHM, lambda right: _unsigned(right, "none")),
    Forgery("alg NoNe", Code.OIDC_ALGORITHM, lambda right: _unsigned(right, "NoNe")),
    Forgery("HS256 with the public key", Code.OIDC_ALGORITHM, lambda right: _with_hmac(right, _pem())),
    Forgery(
        "HS256 with the client's secret", Code.OIDC_ALGORITHM, lambda right: _with_hmac(right, CLIENT_SECRET.encode())
    ),
    Forgery("RS384", Code.OIDC_ALGORITHM, lambda right: signed(right, algorithm="RS384")),
    Forgery("RS256 named for an EC key", Code.OIDC_ALGORITHM, lambda right: signed(right, kid="ec")),
    Forgery("another key under this id", Code.OIDC_SIGNATURE, _by_other_key),
    Forgery("claims changed after signing", Code.OIDC_SIGNATURE, _changed),
    Forgery("unknown key id", Code.OIDC_KEY, lambda right: signed(right, kid="unknown")),
    Forgery(
        "no key id among several keys", Code.OIDC_KEY, lambda right: jwt.encode(right, private_key("rsa"), "RS256")
    ),
    Forgery("its own key", Code.OIDC_KEY, lambda right: signed(right, "other", kid="rsa", jwk=public_jwk("other"))),
    Forgery("its own key's address", Code.OIDC_KEY, lambda right: signed(right, jku="https://evil.test/jwks")),
    Forgery("RSA with 1024 bits", Code.OIDC_KEY, lambda right: signed(right, "weak")),
    _claiming("another issuer", Code.OIDC_ISSUER, iss="https://evil.test"),
    Forgery("issuer with a slash more", Code.OIDC_ISSUER, lambda right: signed({**right, "iss": right["iss"] + "/"})),
    _lacking("iss", Code.OIDC_CLAIM),
    _claiming("another audience", Code.OIDC_AUDIENCE, aud="another"),
    _claiming("odd audience", Code.OIDC_AUDIENCE, aud={"consumo": True}),
    _claiming("audience of numbers", Code.OIDC_AUDIENCE, aud=["consumo", 7]),
    _lacking("aud", Code.OIDC_CLAIM),
    _claiming("several audiences without party", Code.OIDC_AUDIENCE, aud=["consumo", "other"]),
    _claiming("party of another", Code.OIDC_AUDIENCE, azp="other"),
    _timed("expired", Code.OIDC_EXPIRED, "exp", -120),
    _lacking("exp", Code.OIDC_CLAIM),
    _claiming("exp as text", Code.OIDC_TOKEN, exp="tomorrow"),
    _timed("exp as a text of digits", Code.OIDC_TOKEN, "exp", 600, str),
    _timed("issued in the future", Code.OIDC_FUTURE, "iat", 600),
    _timed("issued long ago", Code.OIDC_EXPIRED, "iat", -3_600),
    _lacking("iat", Code.OIDC_CLAIM),
    _timed("not valid yet", Code.OIDC_FUTURE, "nbf", 600),
    _claiming("nonce of another", Code.OIDC_NONCE, nonce="another"),
    _lacking("nonce", Code.OIDC_NONCE),
    _claiming("nonce as a number", Code.OIDC_NONCE, nonce=7),
    _lacking("sub", Code.OIDC_CLAIM),
    _claiming("empty subject", Code.OIDC_SUBJECT, sub=""),
    _claiming("subject of 10,000 characters", Code.OIDC_SUBJECT, sub="x" * 10_000),
    _claiming("subject with a line break", Code.OIDC_SUBJECT, sub="a\nb"),
    _claiming("subject as a number", Code.OIDC_SUBJECT, sub=7),
    Forgery("no token", Code.OIDC_TOKEN, lambda _: "not a token"),
    Forgery("four parts", Code.OIDC_TOKEN, lambda right: f"{signed(right)}.x"),
    Forgery("a number", Code.OIDC_TOKEN, lambda _: 7),
    Forgery(
        "claims that are a list",
        Code.OIDC_TOKEN,
        lambda _: jwt.PyJWS().encode(b"[1]", private_key("rsa"), "RS256", {"kid": "rsa"}),
    ),
    _lacking("auth_time", Code.OIDC_NOT_FRESH),
    _timed("signed in a day ago", Code.OIDC_NOT_FRESH, "auth_time", -86_400),
    _timed("will sign in tomorrow", Code.OIDC_NOT_FRESH, "auth_time", 86_400),
    _claiming("auth_time as text", Code.OIDC_NOT_FRESH, auth_time="now"),
    _claiming("auth_time as true", Code.OIDC_NOT_FRESH, auth_time=True),
]


@pytest.mark.parametrize("forgery", FORGERIES, ids=lambda forgery: forgery.name)
def test_a_forged_or_wrong_token_is_refused(relying: Relying, forgery: Forgery) -> None:
    relying.provider.forge = forgery.forge
    assert refusal(relying.sign_in) is forgery.code


def test_a_key_for_another_algorithm_is_refused(provider: Provider) -> None:
    provider.keys = [public_jwk("rsa", alg="RS256")]
    provider.forge = lambda claims: signed(claims, algorithm="PS256")
    assert refusal(Relying(provider).sign_in) is Code.OIDC_ALGORITHM


@pytest.mark.parametrize(
    "key",
    [
        {"kty": "oct", "kid": "rsa", "k": "c2VjcmV0"},
        public_jwk("rsa", use="enc"),
        {"kty": "RSA", "kid": "rsa"},
        {"kty": "RSA", "kid": "rsa", "n": "!", "e": 7},
        {"kty": "EC", "kid": "rsa", "crv": "P-999", "x": "AA", "y": "AA"},
        {},
        "text",
    ],
)
def test_keys_for_something_else_are_passed_over(provider: Provider, key: Any) -> None:
    provider.keys = [key]
    assert refusal(Relying(provider).sign_in) in (Code.OIDC_KEY, Code.OIDC_ALGORITHM)


def test_several_audiences_with_our_party_are_accepted(relying: Relying) -> None:
    assert relying.sign_in(aud=["other", CLIENT_ID], azp=CLIENT_ID).subject == "nurse-1"


def test_age_of_the_login_counts_only_if_asked_for(provider: Provider) -> None:
    relying = Relying(provider, prompt=Prompt.SELECT_ACCOUNT)
    asked = parse_qs(urlsplit(relying.begin().authorization_url).query)
    assert asked["prompt"] == ["select_account"]
    assert "max_age" not in asked
    assert relying.sign_in(auth_time=_now(-86_400)).subject == "nurse-1"


# --- what the browser brings back ------------------------------------------------------------------------------------


def test_a_code_is_valid_once(relying: Relying) -> None:
    begun = relying.begin()
    back = relying.provider.authorize(begun.authorization_url)
    relying.finish(begun, **back)
    assert refusal(lambda: relying.finish(begun, **back)) is Code.OIDC_CODE


def test_a_code_of_another_transaction_is_refused(relying: Relying) -> None:
    begun, other = relying.begin(), relying.begin()
    back = relying.provider.authorize(begun.authorization_url)
    state = parse_qs(urlsplit(other.authorization_url).query)["state"][0]
    assert refusal(lambda: relying.finish(other, **back)) is Code.OIDC_STATE
    # With the right state, the verifier is the wrong one (PKCE).
    assert refusal(lambda: relying.finish(other, **back | {"state": state})) is Code.OIDC_CODE


@pytest.mark.parametrize("state", ["", "another", "\N{SNOWMAN}"])
def test_another_state_is_refused(relying: Relying, state: str) -> None:
    begun = relying.begin()
    back = relying.provider.authorize(begun.authorization_url)
    assert refusal(lambda: relying.finish(begun, **back | {"state": state})) is Code.OIDC_STATE
    assert "/token" not in relying.provider.calls


@pytest.mark.parametrize("iss", [None, "https://evil.test", ""])
def test_another_issuer_in_the_address_is_refused(relying: Relying, iss: str | None) -> None:
    begun = relying.begin()
    back: dict[str, str | None] = {**relying.provider.authorize(begun.authorization_url), "iss": iss}
    assert refusal(lambda: relying.finish(begun, **back)) is Code.OIDC_ISSUER
    assert "/token" not in relying.provider.calls


def test_an_issuer_that_was_not_announced_may_lack(provider: Provider) -> None:
    del provider.description["authorization_response_iss_parameter_supported"]
    relying = Relying(provider)
    begun = relying.begin()
    back: dict[str, str | None] = {**provider.authorize(begun.authorization_url), "iss": None}
    assert relying.finish(begun, **back).subject == "nurse-1"


@pytest.mark.parametrize("code", ["", "x" * 5_000, "\N{SNOWMAN}", "\ud800"])
def test_an_odd_code_is_refused_without_a_call(relying: Relying, code: str) -> None:
    begun = relying.begin()
    back = relying.provider.authorize(begun.authorization_url)
    assert refusal(lambda: relying.finish(begun, **back | {"code": code})) is Code.OIDC_CODE
    assert "/token" not in relying.provider.calls


@pytest.mark.parametrize(
    ("error", "code", "told"),
    [
        ("access_denied", Code.OIDC_DENIED, None),
        ("login_required", Code.OIDC_PROVIDER, "login_required"),
        ("<b>Nuria Paz</b>", Code.OIDC_PROVIDER, None),
    ],
)
def test_an_error_of_the_provider_keeps_its_code(relying: Relying, error: str, code: Code, told: str | None) -> None:
    begun = relying.begin()
    back = relying.provider.authorize(begun.authorization_url)
    with pytest.raises(IdentityRefused) as refused:
        relying.finish(begun, state=back["state"], iss=back["iss"], error=error)
    assert (refused.value.code, refused.value.error) == (code, told)


@pytest.mark.parametrize("transaction", ["", "x", "\ud800", jwt.encode({"aud": "oidc-transaction"}, "x" * 32)])
def test_a_forged_transaction_is_refused(relying: Relying, transaction: str) -> None:
    begun = relying.begin()
    back = relying.provider.authorize(begun.authorization_url)
    assert refusal(lambda: relying.finish(begun, **back, transaction=transaction)) is Code.OIDC_TRANSACTION


def test_a_transaction_is_for_its_purpose_time_and_key() -> None:
    now = datetime(2026, 5, 4, 12, tzinfo=UTC)
    _, text = Transactions([KEY], lambda: now).begin("sign in")
    in_time, late = now + TRANSACTION_LASTS - timedelta(seconds=1), now + TRANSACTION_LASTS
    assert Transactions([b"a new key of the tests, which is long", KEY], lambda: in_time).read(text, "sign in").state
    for keys, at, purpose in (([KEY], late, "sign in"), ([KEY], now, "link 7"), ([KEY[::-1]], now, "sign in")):
        with pytest.raises(IdentityRefused) as refused:
            Transactions(keys, partial(_same, at)).read(text, purpose)
        assert refused.value.code is Code.OIDC_TRANSACTION


def _same(at: datetime) -> datetime:
    return at


def test_an_access_token_is_no_transaction() -> None:
    claims = {"sid": "x", "sub": "7", "exp": _now(600)}
    text = jwt.encode(claims, KEY, algorithm="HS256")
    assert (
        refusal(lambda: Transactions([KEY], lambda: datetime.now(UTC)).read(text, "sign in")) is Code.OIDC_TRANSACTION
    )


# --- misbehaving providers -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer",
    [
        Answer(b"", 302, {"Location": "http://127.0.0.1:1/"}),
        Answer(b"<html>Welcome</html>"),
        Answer(b"[1, 2]"),
        Answer(b"{}"),
        Answer(b'{"error": "invalid_client"}', 401),
        Answer(b'{"error": ["odd"]}', 400),
        Answer(b"[" * 100_000),
    ],
    ids=["redirect", "html", "list", "no token", "wrong secret", "odd error", "deep"],
)
def test_an_odd_answer_of_the_token_endpoint(
    relying: Relying, answer: Answer, caplog: pytest.LogCaptureFixture
) -> None:
    relying.provider.answers["/token"] = answer
    assert refusal(relying.sign_in) is Code.OIDC_CODE
    assert [record.levelno for record in caplog.records] == [logging.ERROR]


# Seconds.
SILENCE = 30


@pytest.mark.parametrize(
    "answer",
    [
        Answer(b"", 500),
        Answer(b"x" * (MAX_ANSWER_BYTES + 1)),
        Answer(b"{" * 1_000, pause=SILENCE / 1_000),
        Answer(b"silent", pause=SILENCE),
    ],
    ids=["error", "large", "slow", "silent"],
)
def test_a_broken_token_endpoint_is_unreachable(provider: Provider, answer: Answer) -> None:
    relying = Relying(provider)
    begun = relying.begin()
    back = provider.authorize(begun.authorization_url)
    provider.answers["/token"] = answer
    # Only from now on: a slow machine may need longer for the calls that succeed.
    relying.http._max_seconds = 0.4
    began = time.monotonic()
    with pytest.raises(IdentityProviderUnreachable):
        relying.finish(begun, **back)
    assert time.monotonic() - began < SILENCE - 5


def test_a_provider_that_is_down_is_unreachable_and_recovers(provider: Provider) -> None:
    relying = Relying(provider)
    provider.answers[DISCOVERY] = Answer(b"", 503)
    with pytest.raises(IdentityProviderUnreachable):
        relying.begin()
    assert relying.oidc.state() is ProviderState.UNREACHABLE
    down = Relying(provider, issuer="http://127.0.0.1:1")
    with pytest.raises(IdentityProviderUnreachable):
        down.begin()


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"issuer": "https://evil.test"}, Code.OIDC_ISSUER),
        ({"authorization_endpoint": "javascript:alert(1)"}, Code.OIDC_CONFIGURATION),
        ({"authorization_endpoint": "http://hospital.test/authorize"}, Code.OIDC_CONFIGURATION),
        ({"token_endpoint": "/token"}, Code.OIDC_CONFIGURATION),
        ({"token_endpoint": None}, Code.OIDC_CONFIGURATION),
        ({"jwks_uri": "file:///etc/passwd"}, Code.OIDC_CONFIGURATION),
    ],
)
def test_a_provider_that_describes_itself_wrongly(provider: Provider, change: dict[str, Any], code: Code) -> None:
    provider.description |= change
    relying = Relying(provider)
    assert refusal(relying.begin) is code
    assert relying.oidc.state() is ProviderState.UNUSABLE


@pytest.mark.parametrize("body", [b"[]", b"<html>", b'"text"', b""])
def test_a_description_that_is_no_object_is_refused(provider: Provider, body: bytes) -> None:
    provider.answers[DISCOVERY] = Answer(body)
    assert refusal(Relying(provider).begin) is Code.OIDC_CONFIGURATION


@pytest.mark.parametrize("body", [b"[]", b'{"keys": 7}', b"<html>"])
def test_keys_that_are_no_list_are_refused(relying: Relying, body: bytes) -> None:
    relying.provider.answers["/jwks"] = Answer(body)
    assert refusal(relying.sign_in) is Code.OIDC_CONFIGURATION


def test_a_description_lasts_while_the_provider_is_down(provider: Provider) -> None:
    now = [datetime(2026, 5, 4, 12, tzinfo=UTC)]
    discovery = Discovery(provider.issuer, ProviderHttp(), lambda: now[0])
    known = discovery()
    provider.answers[DISCOVERY] = Answer(b"", 500)
    for passed in (timedelta(minutes=61), timedelta(minutes=2), timedelta(hours=22)):
        now[0] += passed
        assert discovery() == known
    now[0] += MAX_DESCRIPTION_AGE
    with pytest.raises(IdentityProviderUnreachable):
        discovery()
    del provider.answers[DISCOVERY]
    now[0] += timedelta(minutes=1)
    assert discovery() == known


def test_a_failure_counts_for_the_calls_that_wait_behind_it(provider: Provider) -> None:
    now = [datetime(2026, 5, 4, 12, tzinfo=UTC)]
    discovery = Discovery(provider.issuer, ProviderHttp(), lambda: now[0])
    provider.answers[DISCOVERY] = Answer(b"", 500)
    for _ in range(20):
        with pytest.raises(IdentityProviderUnreachable):
            discovery()
    assert provider.calls == [DISCOVERY]
    del provider.answers[DISCOVERY]
    now[0] += FAILURE_LASTS
    assert discovery().token_endpoint == f"{provider.issuer}/token"


@pytest.mark.parametrize(
    ("url", "is_one"),
    [
        ("https://login.hospital.test/token", True),
        ("http://localhost:8080/token", True),
        ("http://[::1]:8080/token", True),
        ("http://login.hospital.test/token", False),
        ("https://user:pass@login.hospital.test/", False),
        ("https://login.hospital.test:99999/", False),
        ("https:///token", False),
        ("https://login.hospital.test/a b", False),
        ("https://login.hospital.test/\n", False),
        ("data:text/html,x", False),
        (7, False),
    ],
)
def test_endpoints_need_tls_except_on_this_machine(url: object, is_one: bool) -> None:
    assert is_endpoint(url) is is_one


def test_no_log_line_contains_a_secret(provider: Provider, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    relying = Relying(provider)
    begun = relying.begin()
    back = provider.authorize(begun.authorization_url)
    relying.finish(begun, **back)
    provider.secret = "another"
    refused = provider.authorize(begun.authorization_url)
    assert refusal(lambda: relying.finish(begun, **refused)) is Code.OIDC_CODE
    secrets = [back["code"], refused["code"], back["state"], begun.transaction, CLIENT_SECRET, "nurse-1", "nuria@"]
    assert caplog.text
    assert not [secret for secret in secrets if secret in caplog.text]


# --- sign-outs that the provider announces ---------------------------------------------------------------------------

EVENT: dict[str, Any] = {"http://schemas.openid.net/event/backchannel-logout": {}}


def logout_token(provider: Provider, **changes: Any) -> str:
    now = _now()
    claims = {"iss": provider.issuer, "aud": CLIENT_ID, "iat": now, "exp": now + 120, "jti": "j-1", "events": EVENT}
    claims |= {"sub": "nurse-1", "sid": "s-1"} | changes
    return signed({name: value for name, value in claims.items() if value is not None})


def test_a_logout_token_names_session_and_person(relying: Relying) -> None:
    ended = relying.oidc.read_logout(logout_token(relying.provider))
    assert (ended.id, ended.subject, ended.session) == ("j-1", "nurse-1", "s-1")
    assert relying.oidc.read_logout(logout_token(relying.provider, sid=None)).session is None
    assert relying.oidc.read_logout(logout_token(relying.provider, sub=None)).subject is None


@pytest.mark.parametrize(
    "changes",
    [
        {"events": None},
        {"events": {}},
        {"events": {"http://schemas.openid.net/event/backchannel-logout": True}},
        {"nonce": "x"},
        {"jti": None},
        {"sub": None, "sid": None},
        {"aud": "another"},
        {"iss": "https://evil.test"},
        {"iat": 1_000_000_000},
    ],
)
def test_another_token_ends_nothing(relying: Relying, changes: dict[str, Any]) -> None:
    assert refusal(lambda: relying.oidc.read_logout(logout_token(relying.provider, **changes))).startswith("oidc.")


def test_logout_is_at_the_announced_page(provider: Provider) -> None:
    url = Relying(provider).oidc.logout_url()
    assert url is not None
    assert parse_qs(urlsplit(url).query) == {
        "client_id": [CLIENT_ID],
        "post_logout_redirect_uri": ["https://consumo.test/auth/login"],
    }
    del provider.description["end_session_endpoint"]
    assert Relying(provider).oidc.logout_url() is None
