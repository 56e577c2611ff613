"""Begin the session of a user who proved who they are."""

import secrets
from datetime import datetime, timedelta

from application.audit.audit_log import entry
from application.entities import AuditAction
from application.ports.identity import Session, SignInMethod
from application.ports.unit_of_work import UnitOfWork
from application.session.note_use import LONGEST
from application.session.sessions import end
from application.session.throttle import remember_address
from domain.passkey import SecondFactorRule
from domain.policy import Actor
from domain.user import User

# The maximum number of sessions of a user. A further one ends the oldest.
MAX_SESSIONS = 10


def method_of_activation(rule: SecondFactorRule, user: User) -> SignInMethod:
    """Return how the first session of a new account begins.

    It may register the first passkey, if the role needs one.
    """
    return SignInMethod.PASSWORD if rule.due_on(user.role) is None else SignInMethod.ACTIVATION


def begin_session(
    work: UnitOfWork,
    user: User,
    now: datetime,
    *,
    lasts: timedelta,
    address: str,
    client: str,
    how: SignInMethod = SignInMethod.PASSWORD,
    at_most: timedelta | None = None,
    oidc_sid: str | None = None,
) -> Session:
    """Begin a session, log it, and return it.

    ``address``, ``client`` (the user agent) and a way other than by password are stored in the audit log.
    The session ends after ``at_most`` also in use.
    """
    actor = Actor(user_id=user.id, role=user.role, staff_id=user.staff_id)
    remember_address(work, user.id, address, now)
    too_many = work.views.sessions(user.id, now)[: -(MAX_SESSIONS - 1)]
    end(work, actor, user, too_many, now, address=address, client=client)
    session = Session(
        id=secrets.token_urlsafe(24),
        user_id=user.id,
        expires_at=now + min(lasts, at_most or lasts),
        began_at=now,
        used_at=now,
        ends_at=now + (at_most or max(lasts, LONGEST)),
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
