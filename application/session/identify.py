"""Find out who acts."""

from dataclasses import dataclass

from application.ports.clock import Clock
from application.ports.identity import Tokens
from application.ports.unit_of_work import Begin
from application.ports.views import Read
from application.service_accounts import digest_of, is_key
from application.session.note_use import is_noted
from application.session.throttle import count_wrong_key
from domain.api_key import is_within
from domain.errors import Unauthenticated
from domain.policy import Actor


@dataclass(frozen=True, slots=True)
class SignedIn:
    """The actor, and the session in which they act; a program has none, and acts by its key.

    ``use_is_noted``, unless that is to be done.
    """

    actor: Actor
    session_id: str
    use_is_noted: bool = True


@dataclass(frozen=True, slots=True)
class Identify:
    """Find out who acts, from the token or the key that came with the request.

    Role, profile and scopes are looked up each time: a token outlives a demotion, what it is worth does not.
    """

    read: Read
    begin: Begin
    tokens: Tokens
    clock: Clock

    def __call__(self, token: str, address: str = "") -> SignedIn:
        """Raise ``Unauthenticated`` unless the token's session still runs, or the key works from that address.

        Raise ``TooManyAttempts`` where too many that do not came from there.
        """
        if is_key(token):
            return self._by_key(token, address)
        session_id, user_id = self.tokens.read(token)
        now = self.clock()
        with self.read() as views:
            active_session = views.active_session(session_id, user_id, now)
        if active_session is None:
            raise Unauthenticated
        return SignedIn(active_session.actor, session_id, is_noted(active_session.used_at, now))

    def _by_key(self, secret: str, address: str) -> SignedIn:
        now = self.clock()
        with self.read() as views:
            active_key = views.active_key(digest_of(secret), now)
        if active_key is None or not is_within(address, active_key.networks):
            with self.begin() as work:
                count_wrong_key(work, address, now)
            raise Unauthenticated
        return SignedIn(active_key.actor, "", is_noted(active_key.used_at, now))
