"""Turn the proof of a person into a session: the only way to one."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from application.accounts.ports.identity import Session, SignInMethod, Tokens
from application.accounts.sessions.ask_second_factor import AskSecondFactor, SecondFactorAsked
from application.accounts.sessions.note_use import LONGEST
from application.accounts.sessions.oidc_rules import OidcRules
from application.accounts.sessions.sessions import end
from application.accounts.sessions.throttle import remember_address
from application.accounts.work import UnitOfWork
from application.audit.audit_log import entry
from application.common.entities import AuditAction
from domain.accounts.passkey import SecondFactorRule
from domain.accounts.user import User
from domain.common.policy import HUMAN_ROLES, Actor, Role

# The maximum number of sessions of a user. A further one ends the oldest.
MAX_SESSIONS = 10


class NotAdmitted(Exception):
    """The proof is right, but the account may not be used with it.

    Each way of signing in answers as if the proof was wrong.
    """


@dataclass(frozen=True, slots=True)
class BeginSession:
    """Begin the session of a user who proved who they are.

    Every way of signing in ends here, and only here it is decided whether that account may be used: by a password, a
    link, a passkey or the hospital's identity provider. Unlocking asks ``accepts`` and ``admits``, too.
    """

    ask_second_factor: AskSecondFactor
    oidc_rules: OidcRules
    second_factor: SecondFactorRule
    tokens: Tokens
    tokens_last: timedelta

    def admits(self, user: User | None) -> bool:
        """Return whether the account may be used at all.

        Not after the identity provider refused the person, until it admits them again or the link to it is removed.
        """
        return user is not None and not user.deleted and user.role in HUMAN_ROLES and user.oidc_refused_at is None

    def accepts(self, user: User | None) -> bool:
        """Return whether the account takes a password, a link or a passkey."""
        return user is not None and self.admits(user) and self.takes_own_proofs(user.role)

    def takes_own_proofs(self, role: Role) -> bool:
        """Return whether the role may use what Consumo itself verifies.

        With ``CONSUMO_OIDC_ONLY`` only administrators may.
        """
        return not self.oidc_rules.only or role is Role.ADMIN

    def __call__(
        self,
        work: UnitOfWork,
        user: User,
        now: datetime,
        *,
        how: SignInMethod,
        address: str,
        client: str,
        oidc_sid: str | None = None,
    ) -> Session | SecondFactorAsked:
        """Begin a session and log it, or ask for a passkey after a password.

        The user is locked. ``address``, ``client`` (the user agent) and a way other than by password are stored in the
        audit log. Raise ``NotAdmitted``.
        """
        is_by_provider = how is SignInMethod.OIDC
        # Without a password the account is not active yet, except at the identity provider.
        is_active = self.admits(user) if is_by_provider else self.accepts(user) and user.password_hash is not None
        if not is_active:
            raise NotAdmitted
        asked = None if how.has_second_factor else self.ask_second_factor(work, user, now)
        if asked is not None:
            return asked
        if how is SignInMethod.ACTIVATION and self.second_factor.due_on(user.role) is None:
            # Only where the role needs a passkey may this session register the first one without a link.
            how = SignInMethod.PASSWORD
        at_most = self.oidc_rules.sessions_last if is_by_provider else None
        actor = Actor(user_id=user.id, role=user.role, staff_id=user.staff_id)
        remember_address(work, user.id, address, now)
        too_many = work.views.sessions(user.id, now)[: -(MAX_SESSIONS - 1)]
        end(work, actor, user, too_many, now, address=address, client=client)
        session = Session(
            id=secrets.token_urlsafe(24),
            user_id=user.id,
            expires_at=now + min(self.tokens_last, at_most or self.tokens_last),
            began_at=now,
            used_at=now,
            ends_at=now + (at_most or max(self.tokens_last, LONGEST)),
            address=address,
            client=client,
            how=how,
            confirmed_at=now,
            oidc_sid=oidc_sid,
        )
        work.sessions.add(session)
        noted = {"address": address, "client": client}
        if how is not SignInMethod.PASSWORD:
            noted["how"] = how
        work.audit_log.append(entry(actor, now, AuditAction.SIGNED_IN, before=user, after=user, **noted))
        return session

    def token_of(self, begun: Session | SecondFactorAsked) -> str:
        """Return the access token of a session, once it is stored.

        Raise ``SecondFactorAsked`` if a passkey is asked for.
        """
        if isinstance(begun, SecondFactorAsked):
            raise begun
        return self.tokens.issue(begun)
