"""Sign out at the hospital's identity provider, and by it (OIDC)."""

from dataclasses import dataclass
from datetime import timedelta

from application.accounts.ports.identity import SignInMethod
from application.accounts.ports.identity_provider import (
    EndedAtProvider,
    IdentityProvider,
    IdentityProviderUnreachable,
    IdentityRefused,
)
from application.accounts.sessions.identify import SignedIn
from application.accounts.sessions.oidc_rules import OidcRules
from application.accounts.sessions.sessions import end
from application.accounts.sessions.throttle import digest
from application.accounts.work import Begin, Read
from application.common.clock import Clock
from application.common.use_case import permitted, retried
from domain.common.errors import NotFound, Reason, Refused
from domain.common.policy import Actor, Permission

# As long as a logout token is accepted; each counts once.
ANNOUNCEMENT_LASTS = timedelta(minutes=11)


@dataclass(frozen=True, slots=True)
class ReadLogoutUrl:
    """Return the identity provider's page for signing out there too.

    None if the session did not begin there, if it is not wanted, or if the provider has no such page.
    """

    read: Read
    clock: Clock
    identity_provider: IdentityProvider | None
    oidc_rules: OidcRules

    @permitted(Permission.EDIT_OWN_ACCOUNT)
    def __call__(self, signed_in: SignedIn) -> str | None:
        if self.identity_provider is None or not self.oidc_rules.signs_out_there:
            return None
        with self.read() as views:
            own = views.sessions(signed_in.actor.user_id, self.clock())
        if not any(one.id == signed_in.session_id and one.how is SignInMethod.OIDC for one in own):
            return None
        try:
            return self.identity_provider.logout_url()
        except (IdentityProviderUnreachable, IdentityRefused):
            # Signing out here must not depend on the provider.
            return None


@dataclass(frozen=True, slots=True)
class EndSessionsByProvider:
    """End the sessions of a sign-out that the identity provider announces.

    These are those of its session, or all that the person began there (back-channel logout).
    """

    begin: Begin
    clock: Clock
    identity_provider: IdentityProvider | None

    @retried
    def raise_unless_set_up(self) -> None:
        """Raise ``NotFound`` if there is no provider, before anything is read."""
        if self.identity_provider is None:
            raise NotFound

    @retried
    def __call__(self, token: str, address: str = "", client: str = "") -> None:
        """Raise ``Refused`` for an announcement that is not the provider's."""
        self.raise_unless_set_up()
        assert self.identity_provider is not None, "it was asked"
        try:
            ended = self.identity_provider.read_logout(token)
        except IdentityRefused as refused:
            raise Refused(Reason(refused.code)) from None
        self.end(ended, address, client)

    @retried
    def end(self, ended: EndedAtProvider, address: str = "", client: str = "") -> None:
        """End the sessions, once for each announcement."""
        now = self.clock()
        with self.begin() as work:
            announcement = digest(f"oidc logout {ended.id}")
            work.failed_attempts.lock([announcement])
            if work.failed_attempts.since(announcement, now - ANNOUNCEMENT_LASTS):
                return
            work.failed_attempts.add([announcement], now)
            user = work.users.find_linked(ended.issuer, ended.subject) if ended.subject else None
            if ended.session is not None:
                over = work.sessions.of_provider_session(ended.session, now)
            else:
                over = work.views.sessions(user.id, now) if user else []
            for session in over:
                owner = work.users.get(session.user_id)
                is_meant = session.how is SignInMethod.OIDC and (ended.subject is None or owner == user)
                if owner is not None and is_meant:
                    actor = Actor(user_id=owner.id, role=owner.role, staff_id=owner.staff_id)
                    end(work, actor, owner, [session], now, address=address, client=client)
