"""Lock a session, as its screen does after some minutes without input."""

from dataclasses import dataclass, replace

from application.accounts.sessions.identify import SignedIn
from application.accounts.work import Begin
from application.common.clock import Clock
from application.common.use_case import permitted
from domain.common.errors import Unauthenticated
from domain.common.policy import Permission


@dataclass(frozen=True, slots=True)
class LockSession:
    """Lock the session until its user proves who they are.

    Meanwhile its token sends the entries that wait on the device, and nothing else. Whether the session is locked
    already does not matter.
    """

    begin: Begin
    clock: Clock

    @permitted(Permission.UNLOCK_SESSION)
    def __call__(self, signed_in: SignedIn) -> None:
        now = self.clock()
        with self.begin() as work:
            session = work.sessions.lock(signed_in.session_id, now)
            if session is None:
                raise Unauthenticated
            if session.locked_at is None:
                work.sessions.save(replace(session, locked_at=now))
