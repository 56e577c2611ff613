"""Link the own account to the hospital's own one (OIDC)."""

from dataclasses import dataclass, replace

from application.accounts.ports.identity_provider import BegunSignIn, IdentityProvider, ProvenIdentity
from application.accounts.sessions.confirmed import lock_confirmed_session
from application.accounts.sessions.identify import SignedIn
from application.accounts.sessions.throttle import digest
from application.accounts.sign_in.begin_oidc_sign_in import begin_at_provider
from application.accounts.sign_in.oidc_return import OidcReturn, prove_identity
from application.accounts.work import Begin
from application.audit.audit_log import entry
from application.common.clock import Clock
from application.common.entities import AuditAction
from application.common.mail import Mailer, MailMessage
from application.common.use_case import permitted
from domain.common.errors import Code, Reason, Refused, Unauthenticated
from domain.common.policy import Actor, Permission


@dataclass(frozen=True, slots=True)
class BeginLinkingOidc:
    """Return the identity provider's page for linking the own account.

    The session must have been confirmed just now.
    """

    begin: Begin
    clock: Clock
    identity_provider: IdentityProvider | None

    @permitted(Permission.EDIT_OWN_ACCOUNT)
    def __call__(self, signed_in: SignedIn) -> BegunSignIn:
        signed_in.actor.require_second_factor()
        with self.begin() as work:
            lock_confirmed_session(work, signed_in, self.clock())
        return begin_at_provider(self.identity_provider, _purpose_of(signed_in))


@dataclass(frozen=True, slots=True)
class LinkOidc:
    """Link the own account to the one at the identity provider.

    The transaction is of this session, which was confirmed when it began. The user gets a notice by email.
    """

    begin: Begin
    clock: Clock
    identity_provider: IdentityProvider | None
    mailer: Mailer

    @permitted(Permission.EDIT_OWN_ACCOUNT)
    def __call__(
        self, signed_in: SignedIn, returned: OidcReturn, address: str = "", client: str = "", language: str = "es"
    ) -> None:
        """Raise ``Refused`` if that account is linked to another user.

        A session that owes its second factor links nothing: signing in with the linked account would spare it.
        """
        signed_in.actor.require_second_factor()
        identity = prove_identity(
            self.begin,
            self.clock,
            self.identity_provider,
            _purpose_of(signed_in),
            returned,
            address=address,
            client=client,
        )
        self.link(signed_in.actor, identity, language)

    @permitted(Permission.EDIT_OWN_ACCOUNT)
    def link(self, actor: Actor, identity: ProvenIdentity, language: str = "es") -> None:
        """Store the link to a proven identity."""
        now = self.clock()
        with self.begin() as work:
            work.failed_attempts.lock([digest(f"oidc {identity.issuer} {identity.subject}")])
            holder = work.users.find_linked(identity.issuer, identity.subject)
            if holder is not None and holder.id != actor.user_id:
                if not holder.deleted:
                    raise Refused(Reason(Code.OIDC_TAKEN))
                holder.unlink()
                work.users.save(holder)
            before = work.users.lock(actor.user_id)
            if before is None or before.deleted:
                raise Unauthenticated
            user = replace(before)
            user.link(identity.issuer, identity.subject)
            work.users.save(user)
            work.audit_log.append(entry(actor, now, AuditAction.USER_OIDC_LINKED, before=before, after=user))
        self.mailer.send(MailMessage(user.email, "oidc_linked", language, now))


def _purpose_of(signed_in: SignedIn) -> str:
    return f"link {signed_in.session_id}"
