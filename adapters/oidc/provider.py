"""The hospital's identity provider, by OpenID Connect.

Authorization code flow with PKCE. The page drives it without cookies: it keeps the signed transaction of the attempt,
and returns it with the provider's answer.
"""

import base64
import hashlib
import logging
import re
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote, urlencode

from adapters.oidc.client import OidcClient, Prompt
from adapters.oidc.discovery import Discovery, SigningKeys
from adapters.oidc.http import ProviderHttp
from adapters.oidc.signed_token import LEEWAY, SignedTokens, is_number, read_subject
from adapters.oidc.transaction import Transaction, Transactions
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

log = logging.getLogger("consumo.oidc")

# How long ago the person may have typed the password, if it has to be typed for each sign-in.
MAX_SECONDS_SINCE_LOGIN = 300
_MAX_LOGIN_AGE = timedelta(seconds=MAX_SECONDS_SINCE_LOGIN) + LEEWAY
_LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout"
_ERROR = re.compile(r"[a-z_]{1,40}")
# Of groups in the audit log.
_MAX_DESCRIPTION = 200
_MAX_CODE_LENGTH = 4_096


def _now() -> datetime:
    return datetime.now(UTC)


class OidcProvider:
    """Signs people in at the provider of an ``OidcClient``.

    ``keys`` sign transactions: the current key first.
    """

    def __init__(
        self,
        client: OidcClient,
        keys: Sequence[bytes],
        *,
        clock: Callable[[], datetime] = _now,
        http: ProviderHttp | None = None,
    ) -> None:
        self._client = client
        self._clock = clock
        self._http = http or ProviderHttp(client.proxy)
        self._discovery = Discovery(client.issuer, self._http, clock)
        self._tokens = SignedTokens(client.issuer, client.client_id, SigningKeys(self._discovery, self._http, clock))
        self._transactions = Transactions(keys, clock)

    def begin(self, purpose: str) -> BegunSignIn:
        """Return the provider's page and the signed transaction."""
        endpoint = self._discovery().authorization_endpoint
        begun, transaction = self._transactions.begin(purpose)
        asked = {
            "response_type": "code",
            "client_id": self._client.client_id,
            "redirect_uri": self._client.redirect_uri,
            "scope": " ".join(self._client.scope),
            "state": begun.state,
            "nonce": begun.nonce,
            "code_challenge": _challenge_of(begun.verifier),
            "code_challenge_method": "S256",
        }
        # ``prompt=none`` forbids the provider to ask at all: who is not signed in there could never sign in.
        if self._client.prompt is not Prompt.NONE:
            asked["prompt"] = self._client.prompt
        if self._client.prompt is Prompt.LOGIN:
            asked["max_age"] = str(MAX_SECONDS_SINCE_LOGIN)
        return BegunSignIn(_with_query(endpoint, asked), transaction)

    def finish(self, purpose: str, returned: ProviderReturn) -> ProvenIdentity:
        """Verify the transaction, exchange the code, and verify the ID token."""
        begun = self._transactions.read(returned.transaction, purpose)
        if not _is_same(returned.state, begun.state):
            raise IdentityRefused(Code.OIDC_STATE)
        self._check_issuer(returned.iss)
        if returned.error is not None:
            raise _refused_by_provider(returned.error)
        if not returned.code or len(returned.code) > _MAX_CODE_LENGTH or not returned.code.isascii():
            raise IdentityRefused(Code.OIDC_CODE)
        claims = self._tokens.read(self._id_token(returned.code, begun), "sub", now=self._clock())
        if not _is_same(claims.get("nonce"), begun.nonce):
            raise IdentityRefused(Code.OIDC_NONCE)
        return self._identity(claims)

    def logout_url(self) -> str | None:
        """Return the provider's page for signing out, if it has one."""
        endpoint = self._discovery().end_session_endpoint
        if endpoint is None:
            return None
        asked = {"client_id": self._client.client_id, "post_logout_redirect_uri": self._client.home}
        return _with_query(endpoint, asked)

    def read_logout(self, token: str) -> EndedAtProvider:
        """Verify a logout token (OIDC Back-Channel Logout)."""
        claims = self._tokens.read(token, "jti", now=self._clock())
        events, session = claims.get("events"), _text(claims.get("sid"))
        if not isinstance(events, dict) or not isinstance(events.get(_LOGOUT_EVENT), dict) or "nonce" in claims:
            raise IdentityRefused(Code.OIDC_TOKEN)
        subject = read_subject(claims) if "sub" in claims else None
        if subject is None and session is None:
            raise IdentityRefused(Code.OIDC_CLAIM)
        return EndedAtProvider(id=str(claims["jti"]), issuer=self._client.issuer, subject=subject, session=session)

    def state(self) -> ProviderState:
        """Return whether the provider answers and describes itself rightly."""
        try:
            self._discovery()
        except IdentityProviderUnreachable:
            return ProviderState.UNREACHABLE
        except IdentityRefused:
            return ProviderState.UNUSABLE
        return ProviderState.READY

    def _check_issuer(self, iss: str | None) -> None:
        """Compare the issuer of the answer (RFC 9207)."""
        if iss is None:
            if self._discovery().sends_issuer:
                raise IdentityRefused(Code.OIDC_ISSUER)
        elif iss != self._client.issuer:
            raise IdentityRefused(Code.OIDC_ISSUER)

    def _id_token(self, code: str, begun: Transaction) -> object:
        described = self._discovery()
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self._client.redirect_uri,
            "code_verifier": begun.verifier,
        }
        headers = {}
        secret = self._client.client_secret
        if secret is None:
            form["client_id"] = self._client.client_id
        elif described.takes_basic:
            pair = f"{quote(self._client.client_id, safe='')}:{quote(secret, safe='')}"
            headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        else:
            form |= {"client_id": self._client.client_id, "client_secret": secret}
        answer = self._http.post(described.token_endpoint, form, headers)
        said = answer.content if isinstance(answer.content, dict) else {}
        if answer.status == 200 and "id_token" in said:
            return said["id_token"]
        error = said.get("error")
        if error != "invalid_grant":
            # The code is not the reason, so every sign-in fails.
            shown = error if isinstance(error, str) and _ERROR.fullmatch(error) else "no OAuth error"
            log.error("The identity provider refused the exchange: status %s, %s", answer.status, shown)
        raise IdentityRefused(Code.OIDC_CODE)

    def _identity(self, claims: Mapping[str, Any]) -> ProvenIdentity:
        if self._client.prompt is Prompt.LOGIN and not self._is_fresh(claims.get("auth_time")):
            raise IdentityRefused(Code.OIDC_NOT_FRESH)
        sent = self._sent_groups(claims)
        groups = frozenset(one for one in sent if isinstance(one, str)) if isinstance(sent, list) else None
        return ProvenIdentity(
            issuer=self._client.issuer,
            subject=read_subject(claims),
            email=_text(claims.get("email")),
            # Some providers send the text "false".
            email_verified=claims.get("email_verified") is True,
            given_name=_text(claims.get("given_name")),
            family_name=_text(claims.get("family_name")),
            groups=groups,
            sent_groups=_describe_groups(sent),
            session=_text(claims.get("sid")),
        )

    def _is_fresh(self, authenticated_at: Any) -> bool:
        """Return whether the person has just typed the password."""
        if not is_number(authenticated_at):
            return False
        age = self._clock().timestamp() - authenticated_at
        return bool(-LEEWAY.total_seconds() <= age <= _MAX_LOGIN_AGE.total_seconds())

    def _sent_groups(self, claims: Mapping[str, Any]) -> object:
        """Return the groups as they came; an empty list if they are not used."""
        name = self._client.role_claim
        if name is None:
            return []
        found = _claim(claims, name)
        elsewhere = claims.get("_claim_names")
        if found is None and (claims.get("hasgroups") or (isinstance(elsewhere, dict) and name in elsewhere)):
            # Entra leaves out the groups of a person in more than 200, or in more than 5 in a URL.
            raise IdentityRefused(Code.OIDC_GROUPS_MISSING)
        return found


def _describe_groups(sent: object) -> str:
    """Return which groups came, and in which form."""
    names: Iterable[object]
    match sent:
        case None:
            return "not sent in the ID token"
        case list():
            form, names = "list", sent
        case dict():
            form, names = "object", sent
        case str():
            form, names = "text", [sent]
        case _:
            form, names = type(sent).__name__, []
    return f"{form}: {', '.join(filter(None, map(_text, names)))}"[:_MAX_DESCRIPTION]


def _claim(claims: Mapping[str, Any], name: str) -> object:
    """Return a claim, or one within others: ``realm_access.roles``."""
    if name in claims:
        return claims[name]
    found: object = claims
    for part in name.split("."):
        found = found.get(part) if isinstance(found, dict) else None
    return found


def _text(value: object) -> str | None:
    """Return a short printable text; anything else counts as not sent."""
    if not isinstance(value, str) or not 0 < len(value) <= 255 or not value.isprintable():
        return None
    return value


def _is_same(given: object, secret: str) -> bool:
    """Compare in constant time."""
    return isinstance(given, str) and given.isascii() and secrets.compare_digest(given, secret)


def _challenge_of(verifier: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()


def _with_query(endpoint: str, asked: Mapping[str, str]) -> str:
    return f"{endpoint}{'&' if '?' in endpoint else '?'}{urlencode(asked)}"


def _refused_by_provider(error: str) -> IdentityRefused:
    if error == "access_denied":
        return IdentityRefused(Code.OIDC_DENIED)
    # Only the code: the description may be about the person.
    return IdentityRefused(Code.OIDC_PROVIDER, error if _ERROR.fullmatch(error) else None)
