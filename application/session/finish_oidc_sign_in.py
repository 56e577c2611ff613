"""Finish a sign-in with the hospital's own account (OIDC)."""

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from application.audit.audit_log import entry
from application.entities import AuditAction
from application.ports.clock import Clock
from application.ports.identity import Session, SignInMethod, Tokens
from application.ports.identity_provider import IdentityProvider, ProvenIdentity
from application.ports.mail import Mailer, MailMessage
from application.ports.unit_of_work import Begin, UnitOfWork
from application.session.begin_oidc_sign_in import SIGN_IN
from application.session.begin_session import begin_session
from application.session.oidc_return import OidcReturn, prove_identity
from application.session.oidc_rules import OidcRules
from application.session.record_failure import record_failure
from application.session.sessions import end
from application.session.throttle import digest
from domain.errors import Code, Reason, Refused
from domain.policy import Actor, Role
from domain.text import unique_key
from domain.user import User, is_email, normalize_email

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
    tokens: Tokens
    tokens_last: timedelta
    mailer: Mailer

    def __call__(self, returned: OidcReturn, address: str = "", client: str = "", language: str = "es") -> OidcSignedIn:
        """Return the access token of a new session.

        Raise ``TooManyAttempts`` after too many failures from that address.
        """
        identity = prove_identity(
            self.begin, self.clock, self.identity_provider, SIGN_IN, returned, address=address, client=client
        )
        return self.admit(identity, address, client, language)

    def admit(
        self, identity: ProvenIdentity, address: str = "", client: str = "", language: str = "es"
    ) -> OidcSignedIn:
        """Begin the session of a proven identity.

        The code of the provider is valid once, so only this part is repeated after a conflict.
        """
        now = self.clock()
        letters: list[MailMessage] = []
        with self.begin() as work:
            # Two first sign-ins of a person at the same moment create one account.
            work.failed_attempts.lock([digest(f"oidc {identity.issuer} {identity.subject}")])
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
                session = self._begin_session(work, user, identity, now, address, client)
        if isinstance(user, Code):
            raise Refused(Reason(user))
        for letter in letters:
            self.mailer.send(letter)
        needs_profile = Actor(user_id=user.id, role=user.role, staff_id=user.staff_id).profile_required
        names = (identity.given_name, identity.family_name) if needs_profile else (None, None)
        return OidcSignedIn(self.tokens.issue(session), *names)

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
                end_oidc_sessions(work, linked, at, address=address, client=client)
            return Code.OIDC_NO_ROLE
        if linked is not None and not linked.deleted:
            return self._with_role(work, linked.id, role, at)
        email = normalize_email(rules.verified_email(identity))
        if not is_email(email):
            return Code.OIDC_UNLINKED
        twin = work.users.find("email", unique_key(email))
        if twin is not None:
            if twin.role not in _LINKED_BY_EMAIL or twin.is_linked:
                return Code.OIDC_UNLINKED
            return self._with_role(work, twin.id, role, at)
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

    def _with_role(self, work: UnitOfWork, user_id: int, role: Role | None, at: datetime) -> User | Code:
        """Return the account, locked, with the role of the person's groups.

        The last administrator keeps the role.
        """
        user = work.users.lock(user_id)
        if user is None or user.deleted:
            return Code.OIDC_UNLINKED
        if role is None or role is user.role:
            return user
        user, administrators = work.users.lock_with_administrators(user_id)
        assert user is not None, "it is locked"
        if [one.id for one in administrators] == [user.id]:
            kept = entry(_actor(user), at, AuditAction.USER_ROLE_KEPT, before=user, after=user, role=str(int(role)))
            work.audit_log.append(kept)
            return user
        before = replace(user)
        user.role = role
        work.users.save(user)
        work.audit_log.append(entry(_actor(user), at, AuditAction.USER_ROLE_FROM_OIDC, before=before, after=user))
        work.sessions.revoke_all(user.id)
        work.password_links.revoke_all(user.id)
        return user

    def _begin_session(
        self, work: UnitOfWork, user: User, identity: ProvenIdentity, at: datetime, address: str, client: str
    ) -> Session:
        return begin_session(
            work,
            user,
            at,
            lasts=self.tokens_last,
            address=address,
            client=client,
            how=SignInMethod.OIDC,
            at_most=self.oidc_rules.sessions_last,
            oidc_sid=identity.session,
        )


def end_oidc_sessions(work: UnitOfWork, user: User, at: datetime, *, address: str, client: str) -> None:
    """End the sessions that began at the identity provider."""
    began_there = [one for one in work.views.sessions(user.id, at) if one.how is SignInMethod.OIDC]
    end(work, _actor(user), user, began_there, at, address=address, client=client)


def _actor(user: User) -> Actor:
    return Actor(user_id=user.id, role=user.role, staff_id=user.staff_id)
