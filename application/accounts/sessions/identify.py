"""Authenticate requests by session token or API key."""

from dataclasses import dataclass, replace
from datetime import tzinfo

from application.accounts.ports.identity import Tokens
from application.accounts.sessions.note_use import is_noted
from application.accounts.sessions.service_accounts import digest_of, is_key
from application.accounts.sessions.throttle import count_wrong_key
from application.accounts.work import Begin, Read
from application.common.clock import Clock
from application.common.use_case import retried
from domain.accounts.api_key import is_within
from domain.accounts.passkey import SecondFactorRule
from domain.common.day import day_of
from domain.common.errors import Unauthenticated
from domain.common.policy import Actor, Limit

# Counted in the metrics: a valid key was used from outside its networks.
NETWORK_REFUSED = "key.network_refused"


@dataclass(frozen=True, slots=True)
class SignedIn:
    """The authenticated actor and session.

    A program has an API key and no session. ``use_is_noted`` is False if the time of use has to be stored.
    """

    actor: Actor
    session_id: str
    use_is_noted: bool = True


@dataclass(frozen=True, slots=True)
class Identify:
    """Authenticate a request by its token or API key.

    Role, profile and scopes are read each time, so that a change takes effect although the token stays valid.
    """

    read: Read
    begin: Begin
    tokens: Tokens
    clock: Clock
    zone: tzinfo
    second_factor: SecondFactorRule

    @retried
    def __call__(self, token: str, address: str = "") -> SignedIn:
        """Raise ``Unauthenticated`` for an invalid token or key.

        The session must be active, or the key valid from that address. Raise ``TooManyAttempts`` after too many invalid
        keys from there.
        """
        if is_key(token):
            return self._by_key(token, address)
        session_id, user_id = self.tokens.read(token)
        now = self.clock()
        with self.read() as views:
            active_session = views.active_session(session_id, user_id, now)
        if active_session is None:
            raise Unauthenticated
        actor = active_session.actor
        if not active_session.how.has_second_factor and self.second_factor.is_in_force(
            actor.role, day_of(now, self.zone)
        ):
            actor = replace(actor, session_limits=(*actor.session_limits, Limit.SECOND_FACTOR))
        return SignedIn(actor, session_id, is_noted(active_session.used_at, now))

    def _by_key(self, secret: str, address: str) -> SignedIn:
        now = self.clock()
        with self.read() as views:
            active_key = views.active_key(digest_of(secret), now)
        if active_key is None or not is_within(address, active_key.networks):
            with self.begin() as work:
                count_wrong_key(work, address, now)
                if active_key is not None and active_key.actor.api_key_id is not None:
                    work.api_keys.record_refusal(active_key.actor.api_key_id, address, now)
                    work.audit_log.count(NETWORK_REFUSED)
            raise Unauthenticated
        return SignedIn(active_key.actor, "", is_noted(active_key.used_at, now))
