"""Access tokens: JSON Web Tokens that name a session and its user, and nothing about rights."""

from datetime import UTC

import jwt

from application.ports import Session
from domain.refusal import NotSignedIn

_ALGORITHM = "HS256"


class JwtTokens:
    """Turns a session into a signed token, and back. Those that the old key has signed are good until they expire."""

    def __init__(self, secret_key: str, old_secret_key: str | None = None) -> None:
        self._secret_key = secret_key
        self._keys = [secret_key, old_secret_key] if old_secret_key else [secret_key]

    def issue(self, session: Session) -> str:
        """The token for a session."""
        claims = {"sid": session.id, "sub": str(session.user_id), "exp": session.expires_at.astimezone(UTC)}
        return jwt.encode(claims, self._secret_key, algorithm=_ALGORITHM)

    def read(self, token: str) -> tuple[str, int]:
        """The ids of session and user. Raise ``NotSignedIn`` for a token that is not ours or has expired."""
        for key in self._keys:
            try:
                claims = jwt.decode(token, key, algorithms=[_ALGORITHM], options={"require": ["sid", "sub", "exp"]})
                return str(claims["sid"]), int(claims["sub"])
            except jwt.InvalidSignatureError:
                continue
            except (jwt.InvalidTokenError, ValueError):
                break
        raise NotSignedIn
