"""Note that a session is used, or a key: when it was last used (touch)."""

import logging
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from application.ports.clock import Clock
from application.ports.identity import Session
from application.ports.unit_of_work import Begin, StoreUnavailable

log = logging.getLogger("consumo.sessions")

# A use is written down this seldom: who works does not write with each request.
TOUCH_INTERVAL = timedelta(minutes=5)

# However much it is used, a session ends so long after it began, unless one that is not used at all lasts longer.
LONGEST = timedelta(days=7)


def is_noted(used_at: datetime | None, now: datetime) -> bool:
    """Whether a use at this moment is as good as noted. What was noted by a clock that was ahead does not count."""
    return used_at is not None and used_at <= now < used_at + TOUCH_INTERVAL


@dataclass(frozen=True, slots=True)
class TouchSession:
    """Note that a session is used, and so put off its end."""

    begin: Begin
    clock: Clock
    tokens_last: timedelta

    def __call__(self, session_id: str) -> None:
        """Nobody is kept from their work where it cannot be noted: it is tried again with the next use."""
        try:
            self._note(session_id)
        except StoreUnavailable as error:
            log.warning("The use of a session was not noted: the database is %s", error.reason)

    def _note(self, session_id: str) -> None:
        now = self.clock()
        with self.begin() as work:
            session = work.sessions.lock(session_id, now)
            # Of several requests at once one has noted it.
            if session and not is_noted(session.used_at, now):
                work.sessions.save(used(session, now, self.tokens_last))


@dataclass(frozen=True, slots=True)
class TouchApiKey:
    """Note that a program came with its key."""

    begin: Begin
    clock: Clock

    def __call__(self, key_id: int) -> None:
        """No program is kept from its work where it cannot be noted: it is tried again with the next use."""
        try:
            with self.begin() as work:
                work.api_keys.note_use(key_id, self.clock())
        except StoreUnavailable as error:
            log.warning("The use of a key was not noted: the database is %s", error.reason)


def used(session: Session, now: datetime, tokens_last: timedelta) -> Session:
    """The session as it is after a use."""
    expires_at = min(now + tokens_last, session.ends_at) if session.ends_at else session.expires_at
    return replace(session, used_at=now, expires_at=expires_at)
