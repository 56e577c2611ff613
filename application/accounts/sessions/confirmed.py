"""Demand that the person has just proved who they are.

A token alone must not be enough for changing how an account signs in: setting a PIN, adding a badge or a passkey,
removing a passkey, and linking the hospital's account.
"""

from datetime import datetime, timedelta

from application.accounts.ports.identity import Session
from application.accounts.sessions.identify import SignedIn
from application.accounts.work import UnitOfWork
from domain.common.errors import Code, Reason, Refused, Unauthenticated

# A sign-in, a password or a passkey counts for this time. A PIN or a badge does not.
CONFIRMATION_LASTS = timedelta(minutes=5)


def lock_confirmed_session(work: UnitOfWork, signed_in: SignedIn, now: datetime) -> Session:
    """Return the actor's session, locked until the unit of work ends.

    Raise ``Refused`` if it was not confirmed recently, and ``Unauthenticated`` if it has ended.
    """
    session = work.sessions.lock(signed_in.session_id, now)
    if session is None:
        raise Unauthenticated
    confirmed_at = session.confirmed_at
    if confirmed_at is None or not confirmed_at <= now < confirmed_at + CONFIRMATION_LASTS:
        raise Refused(Reason(Code.SESSION_UNCONFIRMED))
    return session
