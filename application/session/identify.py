"""Find out who acts."""

from dataclasses import dataclass

from application.ports import Clock, Read, Tokens
from domain.policy import Actor
from domain.refusal import NotSignedIn


@dataclass(frozen=True, slots=True)
class SignedIn:
    """The actor, and the session in which they act."""

    actor: Actor
    session_id: str


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
        with self.read() as views:
            actor = views.actor(session_id, user_id, self.clock())
        if actor is None:
            raise NotSignedIn
        return SignedIn(actor, session_id)
