"""Finish a sign-in with the hospital's own account (OIDC)."""

from dataclasses import dataclass, field, replace
from datetime import datetime

from application.accounts.ports.identity import SignInMethod
from application.accounts.ports.identity_provider import IdentityProvider, ProvenIdentity
from application.accounts.sessions.begin_session import BeginSession
from application.accounts.sessions.oidc_rules import OidcRules
from application.accounts.sessions.record_failure import record_failure
from application.accounts.sessions.sessions import end
from application.accounts.sessions.throttle import digest
from application.accounts.sign_in.begin_oidc_sign_in import SIGN_IN
from application.accounts.sign_in.oidc_return import OidcReturn, prove_identity
from application.accounts.users.password_links import revoke_links
from application.accounts.users.save_account import save_account
from application.accounts.work import Begin, UnitOfWork
from application.audit.audit_log import entry
from application.common.clock import Clock
from application.common.entities import AuditAction
from application.common.mail import Mailer, MailMessage
from application.common.use_case import retried
from domain.accounts.user import User, is_email, is_same_email, normalize_email
from domain.common.errors import Code, Reason, Refused
from domain.common.policy import Actor, Role
from domain.common.text import unique_key

# An administrator is linked while signed in: otherwise an administrator of the provider could take the account over.
_LINKED_BY_EMAIL = frozenset({Role.USER, Role.SUPERVISOR})


@dataclass(frozen=True, slots=True)
class OidcSignedIn:
    """The access token, and names for a profile that is to be completed."""

    token: str = field(repr=False)
    given_name: str | None = None
    family_name: str | None = None


@dataclass(frozen=True, slots=True)
class FinishOidcSignIn:
    """Sign in the person whom the identity provider names.

    The account is found by the provider's subject, or else by a verified email. If the rules allow it, it is linked or
    created, and gets the role of the person's groups.
    """

    begin: Begin
    clock: Clock
    identity_provider: IdentityProvider | None
    oidc_rules: OidcRules
    begin_session: BeginSession
    mailer: Mailer

    @retried
    def __call__(self, returned: OidcReturn, address: str = "", client: str = "", language: str = "es") -> OidcSignedIn:
        """Return the access token of a new session."""
        identity = prove_identity(
            self.begin, self.clock, self.identity_provider, SIGN_IN, returned, address=address, client=client
        )
        return self.admit(identity, address, client, language)

    @retried
    def admit(
        self, identity: ProvenIdentity, address: str = "", client: str = "", language: str = "es"
    ) -> OidcSignedIn:
        """Begin the session of a proven identity.

        The code of the provider is valid once, so only this part is repeated after a conflict.
        """
        now = self.clock()
        letters: list[MailMessage] = []
        with self.begin() as work:
            # Two first sign-ins at the same moment, of a person or with one email, take turns.
            named = (f"oidc {identity.issuer} {identity.subject}", f"oidc email {unique_key(identity.email or '')}")
            work.failed_attempts.lock([digest(one) for one in named])
            user = self._account_of(work, identity, now, address, client)
            if isinstance(user, Code):
                notes = {"code": user.value}
                if user is Code.OIDC_NO_ROLE:
                    notes["groups"] = identity.sent_groups
                record_failure(work, now, AuditAction.OIDC_REFUSED, 0, address=address, client=client, **notes)
            else:
                if not user.is_linked:
                    self._link(work, user, identity, now)
                    letters.append(MailMessage(user.email, "oidc_linked", language, now))
                begun = self.begin_session(
                    work,
                    user,
                    now,
                    how=SignInMethod.OIDC,
                    address=address,
                    client=client,
                    oidc_sid=identity.session,
                )
        if isinstance(user, Code):
            raise Refused(Reason(user))
        for letter in letters:
            self.mailer.send(letter)
        needs_profile = Actor(user_id=user.id, role=user.role, staff_id=user.staff_id).profile_required
        names = (identity.given_name, identity.family_name) if needs_profile else (None, None)
        return OidcSignedIn(self.begin_session.token_of(begun), *names)

    def _account_of(
        self, work: UnitOfWork, identity: ProvenIdentity, at: datetime, address: str, client: str
    ) -> User | Code:
        """Return the account, locked and with its role, or why there is none.

        An account that is found by its email is not linked yet.
        """
        linked = work.users.find_linked(identity.issuer, identity.subject)
        rules = self.oidc_rules
        role = rules.role_of(identity.groups or ()) if rules.roles else None
        if rules.roles and role is None:
            # Groups in another form say nothing about what the person may do: running sessions stay.
            is_removed = identity.groups is not None and not any(map(rules.is_near, identity.groups))
            if is_removed and linked is not None and not linked.deleted:
                self._shut_out(work, linked.id, at, address, client)
            return Code.OIDC_NO_ROLE
        if linked is not None and not linked.deleted:
            user = work.users.lock(linked.id)
            if user is None or user.deleted or user.oidc_subject != identity.subject:
                return Code.OIDC_UNLINKED
            return self._with_role(work, user, role, at)
        email = rules.verified_email(identity) or ""
        # An address that is written in another way than Consumo would store it proves nothing.
        if not is_email(email) or normalize_email(email) != email:
            return Code.OIDC_UNLINKED
        twin = work.users.find("email", unique_key(email))
        if twin is not None:
            # Locked before it is judged: another person may be linked to it at this moment.
            user = work.users.lock(twin.id)
            if user is None or user.deleted or not is_same_email(user.email, email):
                return Code.OIDC_UNLINKED
            # A user who chose a colleague's address would share the account with that colleague.
            if user.role not in _LINKED_BY_EMAIL or user.is_linked or user.email_is_own_choice:
                return Code.OIDC_UNLINKED
            return self._with_role(work, user, role, at)
        new_role = role if rules.roles else rules.new_role
        # A deleted account is not created again: an administrator invites the person.
        if linked is not None or not rules.creates or new_role is None:
            return Code.OIDC_UNLINKED
        return self._create(work, email, new_role, identity, at)

    def _create(self, work: UnitOfWork, email: str, role: Role, identity: ProvenIdentity, at: datetime) -> User:
        user = User(email=email, role=role, password_hash=None)
        user.link(identity.issuer, identity.subject)
        work.users.add(user)
        work.audit_log.append(entry(_actor(user), at, AuditAction.USER_CREATED_BY_OIDC, after=user))
        return user

    def _link(self, work: UnitOfWork, user: User, identity: ProvenIdentity, at: datetime) -> None:
        # Of a deleted account, in whose place an administrator has made this one.
        earlier = work.users.find_linked(identity.issuer, identity.subject)
        if earlier is not None:
            earlier.unlink()
            work.users.save(earlier)
        user.link(identity.issuer, identity.subject)
        work.users.save(user)
        work.audit_log.append(entry(_actor(user), at, AuditAction.USER_OIDC_LINKED, before=user, after=user))

    def _with_role(self, work: UnitOfWork, user: User, role: Role | None, at: datetime) -> User:
        """Return a locked account with the role of the person's groups.

        The last administrator keeps the role.
        """
        if user.oidc_refused_at is not None:
            user.oidc_refused_at = None
            work.users.save(user)
            work.audit_log.append(entry(_actor(user), at, AuditAction.USER_ADMITTED_BY_OIDC, before=user, after=user))
        if role is None or role is user.role:
            return user
        _, administrators = work.users.lock_with_administrators(user.id)
        if [one.id for one in administrators] == [user.id]:
            kept = entry(_actor(user), at, AuditAction.USER_ROLE_KEPT, before=user, after=user, role=str(int(role)))
            work.audit_log.append(kept)
            return user
        before = replace(user)
        user.role = role
        save_account(work, _actor(user), before, user, at, by_provider=True)
        work.audit_log.append(entry(_actor(user), at, AuditAction.USER_ROLE_FROM_OIDC, before=before, after=user))
        return user

    def _shut_out(self, work: UnitOfWork, user_id: int, at: datetime, address: str, client: str) -> None:
        """Store that the provider no longer admits a person, and end all sessions.

        The last administrator loses those that began at the provider alone.
        """
        user, administrators = work.users.lock_with_administrators(user_id)
        if user is None or user.deleted:
            return
        if [one.id for one in administrators] == [user.id]:
            end_oidc_sessions(work, user, at, address=address, client=client)
            return
        end(work, _actor(user), user, work.views.sessions(user.id, at), at, address=address, client=client)
        if user.oidc_refused_at is None:
            action = AuditAction.USER_REFUSED_BY_OIDC
            work.audit_log.append(entry(None, at, action, before=user, after=user, address=address, client=client))
        user.oidc_refused_at = at
        work.users.save(user)
        revoke_links(work, user.id)


def end_oidc_sessions(work: UnitOfWork, user: User, at: datetime, *, address: str, client: str) -> None:
    """End the sessions that began at the identity provider."""
    began_there = [one for one in work.views.sessions(user.id, at) if one.how is SignInMethod.OIDC]
    end(work, _actor(user), user, began_there, at, address=address, client=client)


def _actor(user: User) -> Actor:
    return Actor(user_id=user.id, role=user.role, staff_id=user.staff_id)
