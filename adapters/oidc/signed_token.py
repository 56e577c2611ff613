"""Signatures and claims of the provider's tokens."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from jwt.types import Options

from adapters.oidc.discovery import SigningKeys
from application.accounts.ports.identity_provider import IdentityRefused
from domain.common.errors import Code

LEEWAY = timedelta(seconds=60)
# A token is made for this sign-in, so it is new.
MAX_TOKEN_AGE = timedelta(minutes=10)
MIN_RSA_BITS = 2_048
MAX_SUBJECT_LENGTH = 255

# The accepted signatures, and the kind of key of each.
_KEY_TYPES = {"RS256": "RSA", "PS256": "RSA", "ES256": "EC", "EdDSA": "OKP"}
# A token must not bring or name its own key.
_FOREIGN_KEYS = ("jwk", "jku", "x5u")

# The first that fits, from the special to the general.
_CODES: tuple[tuple[type[Exception], Code], ...] = (
    (jwt.InvalidSignatureError, Code.OIDC_SIGNATURE),
    (jwt.ExpiredSignatureError, Code.OIDC_EXPIRED),
    (jwt.ImmatureSignatureError, Code.OIDC_FUTURE),
    (jwt.InvalidIssuerError, Code.OIDC_ISSUER),
    (jwt.InvalidAudienceError, Code.OIDC_AUDIENCE),
    (jwt.exceptions.InvalidSubjectError, Code.OIDC_SUBJECT),
    (jwt.MissingRequiredClaimError, Code.OIDC_CLAIM),
    (jwt.InvalidIssuedAtError, Code.OIDC_TOKEN),
    (jwt.InvalidAlgorithmError, Code.OIDC_ALGORITHM),
    (jwt.InvalidKeyError, Code.OIDC_KEY),
    (jwt.PyJWKError, Code.OIDC_KEY),
)


class SignedTokens:
    """Verifies the provider's tokens (JWT) for this client."""

    def __init__(self, issuer: str, client_id: str, keys: SigningKeys) -> None:
        self._issuer = issuer
        self._client_id = client_id
        self._keys = keys

    def read(self, token: object, *required: str, now: datetime) -> Mapping[str, Any]:
        """Return the claims. Raise ``IdentityRefused``.

        Signature, issuer, audience and times are checked. ``required`` are further claims.
        """
        if not isinstance(token, str):
            raise IdentityRefused(Code.OIDC_TOKEN)
        try:
            header = jwt.get_unverified_header(token)
            key, algorithm = self._key_for(header)
            options: Options = {"require": ["iss", "aud", "exp", "iat", *required]}
            claims: dict[str, Any] = jwt.decode(
                token,
                key,
                algorithms=[algorithm],
                audience=self._client_id,
                issuer=self._issuer,
                leeway=LEEWAY,
                options=options,
            )
        except jwt.PyJWTError as error:
            raise IdentityRefused(_code_of(error)) from None
        except (ValueError, TypeError, OverflowError, RecursionError):
            # Numbers or texts that the library does not expect.
            raise IdentityRefused(Code.OIDC_TOKEN) from None
        self._check_further(claims, now)
        return claims

    def _key_for(self, header: Mapping[str, Any]) -> tuple[jwt.PyJWK, str]:
        algorithm, kid = header.get("alg"), header.get("kid")
        key_type = _KEY_TYPES.get(algorithm) if isinstance(algorithm, str) else None
        if not isinstance(algorithm, str) or key_type is None:
            raise IdentityRefused(Code.OIDC_ALGORITHM)
        if any(name in header for name in _FOREIGN_KEYS) or not isinstance(kid, str | None):
            raise IdentityRefused(Code.OIDC_KEY)
        found = self._keys.find(kid)
        if found["kty"] != key_type or found.get("alg", algorithm) != algorithm:
            raise IdentityRefused(Code.OIDC_ALGORITHM)
        key = jwt.PyJWK(dict(found), algorithm)
        if isinstance(key.key, RSAPublicKey) and key.key.key_size < MIN_RSA_BITS:
            # The library only warns.
            raise IdentityRefused(Code.OIDC_KEY)
        return key, algorithm

    def _check_further(self, claims: Mapping[str, Any], now: datetime) -> None:
        audience, party = claims["aud"], claims.get("azp")
        is_shared = isinstance(audience, list) and len(audience) > 1
        if (is_shared and party is None) or party not in (None, self._client_id):
            raise IdentityRefused(Code.OIDC_AUDIENCE)
        if not is_number(claims["iat"]) or not is_number(claims["exp"]):
            raise IdentityRefused(Code.OIDC_TOKEN)
        if now.timestamp() - claims["iat"] > (MAX_TOKEN_AGE + LEEWAY).total_seconds():
            raise IdentityRefused(Code.OIDC_EXPIRED)


def read_subject(claims: Mapping[str, Any]) -> str:
    """Return the subject. Raise ``IdentityRefused`` for one that is no name."""
    subject = claims["sub"]
    if not isinstance(subject, str) or not 0 < len(subject) <= MAX_SUBJECT_LENGTH or not subject.isprintable():
        raise IdentityRefused(Code.OIDC_SUBJECT)
    return subject


def is_number(value: object) -> bool:
    """Return whether a claim is a number, which a boolean is not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _code_of(error: Exception) -> Code:
    return next((code for kind, code in _CODES if isinstance(error, kind)), Code.OIDC_TOKEN)
