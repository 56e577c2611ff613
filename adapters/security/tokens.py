"""Access tokens: JSON Web Tokens with the ids of session and user.

They contain no permissions.
"""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache

import jwt
from jwt.types import Options

from application.accounts.ports.identity import Session
from domain.common.errors import Unauthenticated

_ALGORITHM = "HS256"

# Cache size of verified tokens: about the number of users who work at a time.
_CACHE_SIZE = 4_096


# Ids outside these patterns are in none of our tokens and are not looked up: a database would fail on a number with a
# hundred digits.
_SESSION_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_USER_ID = re.compile(r"[1-9][0-9]{0,17}")


def _now() -> datetime:
    return datetime.now(UTC)


class JwtTokens:
    """Signs and verifies access tokens.

    Tokens signed with the old key are valid until they expire. A verified token is cached, because the result does not
    change. Whether its session is active, and with which permissions, is not part of the token and never cached.
    """

    def __init__(
        self, secret_key: str, old_secret_key: str | None = None, *, clock: Callable[[], datetime] = _now
    ) -> None:
        self._secret_key = secret_key
        self._clock = clock
        self._verified = lru_cache(_CACHE_SIZE)(self._verify)
        self._keys = [secret_key, old_secret_key] if old_secret_key else [secret_key]

    def issue(self, session: Session) -> str:
        """Issue the token of a session."""
        # The maximum lifetime: the session decides whether it ends earlier.
        expires_at = session.ends_at or session.expires_at
        claims = {"sid": session.id, "sub": str(session.user_id), "exp": expires_at.astimezone(UTC)}
        return jwt.encode(claims, self._secret_key, algorithm=_ALGORITHM)

    def read(self, token: str) -> tuple[str, int]:
        """Return the ids of session and user.

        Raise ``Unauthenticated`` if the token is not ours or has expired.
        """
        session_id, user_id, expires_at = self._verified(token)
        if expires_at <= self._clock().timestamp():
            raise Unauthenticated
        return session_id, user_id

    def _verify(self, token: str) -> tuple[str, int, int]:
        """Return the ids of session and user, and the expiry timestamp."""
        options: Options = {"require": ["sid", "sub", "exp"], "verify_exp": False}
        for key in self._keys:
            try:
                claims = jwt.decode(token, key, algorithms=[_ALGORITHM], options=options)
                session_id, user_id, expires_at = str(claims["sid"]), str(claims["sub"]), int(claims["exp"])
                if not _SESSION_ID.fullmatch(session_id) or not _USER_ID.fullmatch(user_id):
                    break
                return session_id, int(user_id), expires_at
            except jwt.InvalidSignatureError:
                continue
            except (jwt.InvalidTokenError, ValueError, TypeError, OverflowError):
                break
        raise Unauthenticated
