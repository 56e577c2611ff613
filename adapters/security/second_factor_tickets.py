"""Tickets of the second factor: signed proof that a password was right."""

from collections.abc import Callable
from datetime import UTC, datetime

import jwt
from jwt.types import Options

from adapters.security.derived_keys import Purpose, derive_keys
from application.accounts.ports.passkeys import PasskeyRefused
from domain.common.errors import Code

_ALGORITHM = "HS256"


def _now() -> datetime:
    return datetime.now(UTC)


class JwtSecondFactorTickets:
    """Signs and verifies tickets.

    They have a key and an audience of their own, so that a ticket is no access token and an access token no ticket.
    """

    def __init__(
        self, secret_key: str, old_secret_key: str | None = None, *, clock: Callable[[], datetime] = _now
    ) -> None:
        self._keys = derive_keys(secret_key, old_secret_key, Purpose.SECOND_FACTOR)
        self._clock = clock

    def issue(self, user_id: int, stamp: str, expires_at: datetime) -> str:
        """Issue a ticket."""
        claims = {"aud": Purpose.SECOND_FACTOR, "sub": str(user_id), "pwd": stamp, "exp": expires_at}
        return jwt.encode(claims, self._keys[0], algorithm=_ALGORITHM)

    def read(self, ticket: str) -> tuple[int, str]:
        """Return user id and stamp of a valid ticket.

        Raise ``PasskeyRefused`` if it is not ours or has expired.
        """
        options: Options = {"require": ["aud", "sub", "pwd", "exp"], "verify_exp": False}
        for key in self._keys:
            try:
                claims = jwt.decode(
                    ticket, key, algorithms=[_ALGORITHM], audience=Purpose.SECOND_FACTOR, options=options
                )
                if int(claims["exp"]) > self._clock().timestamp():
                    return int(claims["sub"]), str(claims["pwd"])
                break
            except jwt.InvalidSignatureError:
                continue
            except (jwt.InvalidTokenError, ValueError, TypeError, OverflowError):
                break
        raise PasskeyRefused(Code.PASSKEY_CHALLENGE)
