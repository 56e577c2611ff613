"""Readiness check of a process for load balancers."""

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

from sqlalchemy.exc import SQLAlchemyError

from adapters.observability.logs import kinds_of
from adapters.sql.migrate import SchemaState
from application.common.store_errors import UnavailableReason

log = logging.getLogger("consumo.health")

PATIENCE_SECONDS = 3
# Cache duration: the database is queried at most once in this time, regardless of the number of checks.
FRESH_SECONDS = 1

# Interval of write checks, which cost the database something. After a failure each check tries to write until it
# succeeds.
BETWEEN_WRITES_SECONDS = 10

DRAINING, NO_DATABASE, NOT_MIGRATED = "draining", "no database", "not migrated"
DISK_FULL, CANNOT_WRITE = "disk full", "cannot write"


class Readiness:
    """Readiness check with a timeout, independent of the request threads.

    It answers within some seconds even if the database does not.
    """

    def __init__(
        self, schema_state: Callable[[], SchemaState], try_writing: Callable[[], UnavailableReason | None]
    ) -> None:
        self._schema_state = schema_state
        self._try_writing = try_writing
        self._written_at = float("-inf")
        self._draining = False
        self._probe_lock = asyncio.Lock()
        self._looking = ThreadPoolExecutor(1, thread_name_prefix="health")
        self._last_result: str | None = None
        self._probed_at = float("-inf")

    async def __call__(self) -> str | None:
        """Return why this process cannot serve; None if it can."""
        if self._draining:
            return DRAINING
        async with self._probe_lock:
            if time.monotonic() - self._probed_at >= FRESH_SECONDS:
                self._last_result = await self._probe()
                self._probed_at = time.monotonic()
            return self._last_result

    def drain(self) -> None:
        """Report not ready from now on; requests are still served."""
        self._draining = True

    async def _probe(self) -> str | None:
        try:
            return await asyncio.wait_for(
                asyncio.get_running_loop().run_in_executor(self._looking, copy_context().run, self._check),
                PATIENCE_SECONDS,
            )
        except (SQLAlchemyError, TimeoutError) as error:
            log.warning("The database does not answer: %s", kinds_of(error))
            return NO_DATABASE

    def _check(self) -> str | None:
        # A schema that a newer version has migrated still works with this one.
        if self._schema_state() is SchemaState.BEHIND:
            return NOT_MIGRATED
        if time.monotonic() - self._written_at < BETWEEN_WRITES_SECONDS:
            return None
        match self._try_writing():
            # Busy means that a long write is in progress, such as an import: the database can write.
            case None | UnavailableReason.BUSY:
                self._written_at = time.monotonic()
                return None
            case trouble:
                log.warning("Nothing can be written: the database is %s", trouble)
                return DISK_FULL if trouble is UnavailableReason.FULL else CANNOT_WRITE
