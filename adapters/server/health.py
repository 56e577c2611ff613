"""Health checks: whether this process can serve, as load balancers ask before they send anybody here."""

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from sqlalchemy.exc import SQLAlchemyError

from adapters.observability.logs import kinds_of
from adapters.sql.migrate import SchemaState
from application.ports.unit_of_work import UnavailableReason

log = logging.getLogger("consumo.health")

PATIENCE_SECONDS = 3
# However often it is asked, the database is asked once in this time.
FRESH_SECONDS = 1

# Trying to write costs the database something: seldom while all is well, and each time until it is again.
BETWEEN_WRITES_SECONDS = 10

DRAINING, NO_DATABASE, NOT_MIGRATED = "draining", "no database", "not migrated"
DISK_FULL, CANNOT_WRITE = "disk full", "cannot write"


class Readiness:
    """Answers within some seconds, whatever the database does, and without the threads that requests need."""

    def __init__(
        self, schema_state: Callable[[], SchemaState], try_writing: Callable[[], UnavailableReason | None]
    ) -> None:
        self._schema_state = schema_state
        self._try_writing = try_writing
        self._written_at = float("-inf")
        self._draining = False
        self._one_look = asyncio.Lock()
        self._looking = ThreadPoolExecutor(1, thread_name_prefix="health")
        self._seen: str | None = None
        self._seen_at = float("-inf")

    async def __call__(self) -> str | None:
        """Why this process cannot serve; None when it can."""
        if self._draining:
            return DRAINING
        async with self._one_look:
            if time.monotonic() - self._seen_at >= FRESH_SECONDS:
                self._seen = await self._probe()
                self._seen_at = time.monotonic()
            return self._seen

    def drain(self) -> None:
        """This process is about to end: whoever asks is sent elsewhere; whoever is here is still served."""
        self._draining = True

    async def _probe(self) -> str | None:
        try:
            return await asyncio.wait_for(
                asyncio.get_running_loop().run_in_executor(self._looking, self._found_out), PATIENCE_SECONDS
            )
        except (SQLAlchemyError, TimeoutError) as error:
            log.warning("The database does not answer: %s", kinds_of(error))
            return NO_DATABASE

    def _found_out(self) -> str | None:
        # What a newer version has migrated still serves this one.
        if self._schema_state() is SchemaState.BEHIND:
            return NOT_MIGRATED
        if time.monotonic() - self._written_at < BETWEEN_WRITES_SECONDS:
            return None
        match self._try_writing():
            # Somebody else is writing for long, such as an import: then one can.
            case None | UnavailableReason.BUSY:
                self._written_at = time.monotonic()
                return None
            case trouble:
                log.warning("Nothing can be written: the database is %s", trouble)
                return DISK_FULL if trouble is UnavailableReason.FULL else CANNOT_WRITE
