"""The signed transaction of a sign-in, which the browser keeps meanwhile."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import jwt

from application.accounts.ports.identity_provider import IdentityRefused
from domain.common.errors import Code

TRANSACTION_LASTS = timedelta(minutes=10)
_ALGORITHM = "HS256"
_AUDIENCE = "oidc-transaction"


@dataclass(frozen=True, slots=True)
class Transaction:
    """The secrets of one attempt; only ``state`` and ``nonce`` are sent."""

    purpose: str
    state: str = field(repr=False)
    nonce: str = field(repr=False)
    verifier: str = field(repr=False)


class Transactions:
    """Begins transactions, and verifies them when the browser returns."""

    def __init__(self, keys: Sequence[bytes], clock: Callable[[], datetime]) -> None:
        self._keys = keys
        self._clock = clock

    def begin(self, purpose: str) -> tuple[Transaction, str]:
        """Return a new transaction and its signed text."""
        begun = Transaction(purpose, secrets.token_urlsafe(32), secrets.token_urlsafe(32), secrets.token_urlsafe(48))
        claims = {
            "aud": _AUDIENCE,
            "exp": int((self._clock() + TRANSACTION_LASTS).timestamp()),
            "purpose": begun.purpose,
            "state": begun.state,
            "nonce": begun.nonce,
            "verifier": begun.verifier,
        }
        return begun, jwt.encode(claims, self._keys[0], algorithm=_ALGORITHM)

    def read(self, text: str, purpose: str) -> Transaction:
        """Return the transaction. Raise ``IdentityRefused`` if it is not ours.

        It is refused too after its time, and for another purpose.
        """
        options: jwt.types.Options = {"require": ["aud", "exp"], "verify_exp": False}
        for key in self._keys if text.isascii() else ():
            try:
                claims = jwt.decode(text, key, algorithms=[_ALGORITHM], audience=_AUDIENCE, options=options)
            except jwt.InvalidTokenError:
                continue
            if claims["exp"] <= self._clock().timestamp() or claims["purpose"] != purpose:
                break
            return Transaction(purpose, claims["state"], claims["nonce"], claims["verifier"])
        raise IdentityRefused(Code.OIDC_TRANSACTION)
