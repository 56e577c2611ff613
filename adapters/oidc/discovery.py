"""The provider's own description (discovery) and its keys (JWKS), cached."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Lock
from typing import Any

from adapters.oidc.http import ProviderHttp, is_endpoint
from application.accounts.ports.identity_provider import IdentityProviderUnreachable, IdentityRefused
from domain.common.errors import Code

log = logging.getLogger("consumo.oidc")

DESCRIPTION_LASTS = timedelta(hours=1)
# While the provider does not describe itself, the last description is used for this time.
MAX_DESCRIPTION_AGE = timedelta(hours=24)
KEYS_LAST = timedelta(minutes=10)
# Made-up key ids cost one call in this time.
MIN_BETWEEN_KEY_READS = timedelta(seconds=30)
# Calls that have queued up behind a failed one fail too, instead of waiting in turn.
FAILURE_LASTS = timedelta(seconds=2)
# With an earlier description at hand, the next attempt has time.
RETRIED_AFTER = timedelta(minutes=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderDescription:
    """What the provider says about itself."""

    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    end_session_endpoint: str | None
    takes_basic: bool
    sends_issuer: bool


class Discovery:
    """Reads the description at first use, and again each hour.

    The server starts without it, because the provider may be down.
    """

    def __init__(self, issuer: str, http: ProviderHttp, clock: Callable[[], datetime]) -> None:
        self._issuer = issuer
        self._http = http
        self._clock = clock
        self._lock = Lock()
        self._known: tuple[datetime, ProviderDescription] | None = None
        # The code of a description that is unusable; None if the provider did not answer.
        self._failed: tuple[datetime, Code | None] | None = None

    def __call__(self) -> ProviderDescription:
        """Return the description.

        Raise ``IdentityRefused`` for one that is unusable, and ``IdentityProviderUnreachable``.
        """
        with self._lock:
            now = self._clock()
            if self._known and _is_within(self._known[0], DESCRIPTION_LASTS, now):
                return self._known[1]
            waits = RETRIED_AFTER if self._known else FAILURE_LASTS
            if not self._failed or not _is_within(self._failed[0], waits, now):
                self._refresh()
            if self._failed is None and self._known:
                return self._known[1]
            if self._known and _is_within(self._known[0], MAX_DESCRIPTION_AGE, now):
                return self._known[1]
            code = self._failed[1] if self._failed else None
            raise IdentityProviderUnreachable if code is None else IdentityRefused(code)

    def _refresh(self) -> None:
        try:
            description = self._read()
        except IdentityProviderUnreachable:
            self._failed = self._clock(), None
        except IdentityRefused as refused:
            self._failed = self._clock(), refused.code
        else:
            self._known, self._failed = (self._clock(), description), None

    def _read(self) -> ProviderDescription:
        answer = self._http.get(f"{self._issuer.removesuffix('/')}/.well-known/openid-configuration")
        if answer.status != 200 or not isinstance(answer.content, dict):
            raise _misconfigured("it does not describe itself there")
        said: Mapping[str, Any] = answer.content
        # Character by character, also a slash at the end: another issuer is another provider.
        if said.get("issuer") != self._issuer:
            log.error("The identity provider names another issuer than CONSUMO_OIDC_ISSUER")
            raise IdentityRefused(Code.OIDC_ISSUER)
        for name in ("authorization_endpoint", "token_endpoint", "jwks_uri"):
            if not is_endpoint(said.get(name)):
                raise _misconfigured(f"its {name} is no address with https")
        methods = said.get("token_endpoint_auth_methods_supported")
        ends = said.get("end_session_endpoint")
        return ProviderDescription(
            authorization_endpoint=said["authorization_endpoint"],
            token_endpoint=said["token_endpoint"],
            jwks_uri=said["jwks_uri"],
            end_session_endpoint=ends if is_endpoint(ends) else None,
            takes_basic=not isinstance(methods, list) or not methods or "client_secret_basic" in methods,
            sends_issuer=said.get("authorization_response_iss_parameter_supported") is True,
        )


class SigningKeys:
    """Reads the provider's public keys, and again for an unknown key id."""

    def __init__(self, discovery: Discovery, http: ProviderHttp, clock: Callable[[], datetime]) -> None:
        self._discovery = discovery
        self._http = http
        self._clock = clock
        self._lock = Lock()
        self._known: tuple[datetime, list[Mapping[str, Any]]] | None = None

    def find(self, kid: str | None) -> Mapping[str, Any]:
        """Return the key with that id; without an id, the only key.

        Raise ``IdentityRefused`` if there is none.
        """
        with self._lock:
            known = self._known
            if known is None or not _is_within(known[0], KEYS_LAST, self._clock()):
                known = self._known = self._clock(), self._read()
            found = _matching(known[1], kid)
            if found is None and not _is_within(known[0], MIN_BETWEEN_KEY_READS, self._clock()):
                # The provider may have changed its keys.
                known = self._known = self._clock(), self._read()
                found = _matching(known[1], kid)
        if found is None:
            raise IdentityRefused(Code.OIDC_KEY)
        return found

    def _read(self) -> list[Mapping[str, Any]]:
        answer = self._http.get(self._discovery().jwks_uri)
        keys = answer.content.get("keys") if isinstance(answer.content, dict) else None
        if answer.status != 200 or not isinstance(keys, list):
            raise _misconfigured("it has no list of keys")
        return [key for key in keys if isinstance(key, dict) and _signs(key)]


def _signs(key: Mapping[str, Any]) -> bool:
    """Return whether it is a public key for signatures."""
    return key.get("kty") in ("RSA", "EC", "OKP") and key.get("use", "sig") == "sig"


def _matching(keys: list[Mapping[str, Any]], kid: str | None) -> Mapping[str, Any] | None:
    if kid is None:
        return keys[0] if len(keys) == 1 else None
    return next((key for key in keys if key.get("kid") == kid), None)


def _is_within(at: datetime, time: timedelta, now: datetime) -> bool:
    return at <= now < at + time


def _misconfigured(reason: str) -> IdentityRefused:
    log.error("The identity provider at CONSUMO_OIDC_ISSUER is unusable: %s", reason)
    return IdentityRefused(Code.OIDC_CONFIGURATION)
