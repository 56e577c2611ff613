"""Background jobs of a server process."""

import asyncio
import logging
from collections.abc import Callable
from datetime import timedelta

from adapters.observability.logs import kinds_of
from adapters.wiring.hospital import now
from application.accounts.sessions.throttle import THROTTLE_WINDOW
from application.audit.access_log import hour_of
from application.common.store_errors import StoreUnavailable
from application.scanning.look_up_product import UNKNOWN_CODES_LAST
from application.work import Begin
from domain.sheets.device_outbox import FORGOTTEN_AFTER_DAYS
from domain.sheets.notice import NOTICES_LAST

PURGE_INTERVAL = timedelta(hours=1)
# How often a process asks whether the missed charges are due.
LEARNING_INTERVAL = timedelta(minutes=20)
# Workers apply a change of the hospital's settings that was saved by another one within this time.
REFRESH_INTERVAL = timedelta(seconds=2)

# One day more than promised in docs/contract.md, "Idempotency keys".
_IDEMPOTENCY_KEY_TTL = timedelta(days=8)
# The latest answers stay regardless of the clock: it may be wrong, and a retried request would then be executed twice.
_IDEMPOTENCY_KEYS_THAT_STAY = 10_000

jobs_log = logging.getLogger("consumo.jobs")
purge_log = logging.getLogger("consumo.purge")
learning_log = logging.getLogger("consumo.learning")
settings_log = logging.getLogger("consumo.settings")


class PeriodicJob:
    """Runs a function in a thread at the start, and then again and again.

    A failure is logged, and does not end the job.
    """

    def __init__(self, run: Callable[[], None], interval: timedelta) -> None:
        self._run = run
        self._interval = interval
        self._task: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Start the job in the background."""
        self._task = asyncio.create_task(self._repeat())

    async def end(self) -> None:
        """Stop the job."""
        if self._task:
            self._task.cancel()

    async def _repeat(self) -> None:
        while True:
            await asyncio.to_thread(run_safely, self._run)
            await asyncio.sleep(self._interval.total_seconds())


def run_safely(run: Callable[[], None]) -> None:
    """Run a function, and log its error."""
    try:
        run()
    except Exception as error:  # noqa: BLE001 - the job goes on
        jobs_log.exception("A background job failed: %s", kinds_of(error))


def refresh_settings(refresh: Callable[[], None]) -> None:
    """Read the settings; they stay as they are while the database is away."""
    try:
        refresh()
    except StoreUnavailable as error:
        settings_log.debug("The settings stay as they are: the database is %s", error.reason)


def learn_missed_charges(learn: Callable[[], int | None]) -> None:
    """Learn the pairs of products if that is due, and log their number."""
    try:
        pairs = learn()
    except StoreUnavailable as error:
        learning_log.warning("No missed charges were learned this time: the database is %s", error.reason)
        return
    if pairs is not None:
        learning_log.info("Learned %d pairs of products from closed sheets", pairs)


def purge_expired(begin: Begin, messages_last: timedelta) -> None:
    """Delete everything that has expired."""
    try:
        with begin() as work:
            work.idempotency_store.purge(now() - _IDEMPOTENCY_KEY_TTL, but=_IDEMPOTENCY_KEYS_THAT_STAY)
            work.failed_attempts.purge(now() - THROTTLE_WINDOW)
            work.passkey_secrets.purge(now())
            work.audit_log.purge_hours(hour_of(now()) - 1)
            work.inbound_messages.purge(now() - messages_last)
            work.notices.purge(now() - NOTICES_LAST)
            work.device_outboxes.purge(now() - timedelta(days=FORGOTTEN_AFTER_DAYS))
            work.unknown_codes.purge(now() - UNKNOWN_CODES_LAST)
    except StoreUnavailable as error:
        purge_log.warning("Nothing was forgotten this time: the database is %s", error.reason)
