"""Store the last use of sessions and API keys (touch)."""

import logging
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from application.accounts.ports.identity import Session
from application.accounts.work import Begin
from application.common.clock import Clock
from application.common.store_errors import StoreUnavailable
from application.common.use_case import retried

log = logging.getLogger("consumo.sessions")

# The minimum time between two stored uses, so that not every request writes.
TOUCH_INTERVAL = timedelta(minutes=5)

# The maximum duration of a session with use. Without use it may last as long as its token, if that is longer.
LONGEST = timedelta(days=7)


def is_noted(used_at: datetime | None, now: datetime) -> bool:
    """Return whether the stored use is recent enough.

    A time in the future, stored by a clock that was ahead, does not count.
    """
    return used_at is not None and used_at <= now < used_at + TOUCH_INTERVAL


@dataclass(frozen=True, slots=True)
class TouchSession:
    """Store that a session is used, which extends it."""

    begin: Begin
    clock: Clock
    tokens_last: timedelta

    @retried
    def __call__(self, session_id: str) -> None:
        """Store the use. If the store is unavailable, ignore it.

        The next use tries again, so that users can go on working.
        """
        try:
            self._note(session_id)
        except StoreUnavailable as error:
            log.warning("The use of a session was not noted: the database is %s", error.reason)

    def _note(self, session_id: str) -> None:
        now = self.clock()
        with self.begin() as work:
            session = work.sessions.lock(session_id, now)
            # Of several concurrent requests, one stores the use.
            if session and not is_noted(session.used_at, now):
                work.sessions.save(after_use(session, now, self.tokens_last))


@dataclass(frozen=True, slots=True)
class TouchApiKey:
    """Store that an API key is used."""

    begin: Begin
    clock: Clock

    @retried
    def __call__(self, key_id: int) -> None:
        """Store the use. If the store is unavailable, ignore it.

        The next use tries again, so that programs can go on working.
        """
        try:
            with self.begin() as work:
                work.api_keys.record_use(key_id, self.clock())
        except StoreUnavailable as error:
            log.warning("The use of a key was not noted: the database is %s", error.reason)


def after_use(session: Session, now: datetime, tokens_last: timedelta) -> Session:
    """Return the session as it is after a use."""
    expires_at = min(now + tokens_last, session.ends_at) if session.ends_at else session.expires_at
    return replace(session, used_at=now, expires_at=expires_at)
