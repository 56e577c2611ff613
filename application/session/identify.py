"""Find out who acts."""

from dataclasses import dataclass

from application.ports.clock import Clock
from application.ports.identity import Tokens
from application.ports.views import Read
from application.session.note_use import is_noted
from domain.policy import Actor
from domain.refusal import NotSignedIn


@dataclass(frozen=True, slots=True)
class SignedIn:
    """The actor, and the session in which they act; ``use_is_noted``, unless that is to be done."""

    actor: Actor
    session_id: str
    use_is_noted: bool = True


@dataclass(frozen=True, slots=True)
class Identify:
    """Find out who acts, from the token that came with the request.

    Role and profile are looked up each time: a token outlives a demotion, what it is worth does not.
    """

    read: Read
    tokens: Tokens
    clock: Clock

    def __call__(self, token: str) -> SignedIn:
        """Raise ``NotSignedIn`` unless the token's session still runs."""
        session_id, user_id = self.tokens.read(token)
        now = self.clock()
        with self.read() as views:
            active_session = views.active_session(session_id, user_id, now)
        if active_session is None:
            raise NotSignedIn
        return SignedIn(active_session.actor, session_id, is_noted(active_session.used_at, now))
