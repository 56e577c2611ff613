"""The ASGI application of a server process."""

import asyncio
import logging
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from pathlib import Path

from granian.utils.proxies import wrap_asgi_with_proxy_headers
from litestar import Litestar
from litestar.concurrency import set_asyncio_executor

from adapters.container import Container, now
from adapters.http.app import CLIENT_FOLDER, create_app
from adapters.http.controllers.operations import Monitoring, PublicSettings
from adapters.http.workers.letters import LETTERS
from adapters.observability.logs import AnsweredRequest, RequestLog, set_up_logs
from adapters.observability.metrics import Workers
from adapters.server.health import Readiness
from adapters.server.ipc import DRAIN, WORKER_SOCKET_DIR
from adapters.server.open_connections import can_count_connections, connections_at, room
from adapters.settings import Settings, read_settings
from application.audit.access_log import hour_of
from application.ports.unit_of_work import Begin, StoreUnavailable
from application.session.throttle import THROTTLE_WINDOW
from domain.device_outbox import FORGOTTEN_AFTER_DAYS
from domain.notice import NOTICES_LAST

log = logging.getLogger("consumo.purge")
refresh_log = logging.getLogger("consumo.settings")

# One day more than promised in docs/contract.md, "Idempotency keys".
_IDEMPOTENCY_KEY_TTL = timedelta(days=8)
# The latest answers stay regardless of the clock: it may be wrong, and a retried request would then be executed twice.
_IDEMPOTENCY_KEYS_THAT_STAY = 10_000
_PURGE_INTERVAL = timedelta(hours=1)
# How long another process may still use the settings from before a change.
_REFRESH_INTERVAL = timedelta(seconds=2)

# Switch interval of the interpreter: a computing thread releases it after this time when another one waits, which a
# request does some fifteen times. With Python's default of 5 ms, recording beside two exports took ten times as long.
_SWITCH_INTERVAL_SECONDS = 0.0005


def create() -> Litestar:
    """Create the application from the environment of this process."""
    settings = read_settings()
    sys.setswitchinterval(_SWITCH_INTERVAL_SECONDS)
    request_log = set_up_logs(settings.log_format)
    set_asyncio_executor(ThreadPoolExecutor(settings.pool_size, thread_name_prefix="request"))
    container = Container(settings=settings)
    readiness = Readiness(container.store().schema_state, container.store().try_writing)
    if can_count_connections():
        container.metrics().watch_connections(room(), partial(connections_at, settings.port))
    meeting_place = os.environ.get(WORKER_SOCKET_DIR)
    workers = Workers(container.metrics().text, Path(meeting_place) if meeting_place else None)
    workers.join()
    app = application(container, request_log, readiness, workers.text)

    def listen() -> None:
        asyncio.get_running_loop().add_signal_handler(DRAIN, readiness.drain)

    refresh_job = RefreshJob(container.refresh_hospital)
    # No request is answered by other settings than those that are stored.
    refresh_job.refresh()
    purge_job = PurgeJob(container.begin(), timedelta(days=settings.hl7_keep_days))
    app.on_startup.extend([listen, refresh_job.begin, purge_job.begin])
    app.on_shutdown.extend(
        [refresh_job.end, purge_job.end, LETTERS.finish, container.mailer().close, container.store().close]
    )
    return app


def application(
    container: Container,
    request_log: RequestLog,
    readiness: Readiness,
    metrics: Callable[[], bytes],
    *,
    client: Path = CLIENT_FOLDER,
) -> Litestar:
    """Create the application over a container.

    ``client`` is the folder of the built web client.
    """
    settings: Settings = container.settings()
    count = container.metrics().count_request
    for name, pool in container.store().pools.items():
        container.metrics().watch_pool(name, pool.size(), pool.checkedout)

    container.metrics().watch_held_messages(container.store().held_messages)
    if settings.dft_destination is not None:
        container.metrics().watch_messages(container.store().unfinished_messages)

    def on_request(answered: AnsweredRequest) -> None:
        count(answered)
        request_log(answered)

    monitoring = Monitoring(
        why_not_ready=readiness,
        metrics=metrics,
        metrics_token=settings.metrics_token,
        metrics_on_this_machine=settings.on_this_machine_alone,
        on_request=on_request,
    )
    hospital = container.hospital()

    def public() -> PublicSettings:
        now, stored = hospital.settings, hospital.stored
        return PublicSettings(
            hospital_name=now.name or None,
            logo_version=stored.logo_version if stored.logo else None,
            currency=now.currency,
            number_format=now.number_format.value,
            time_zone=now.time_zone,
            shifts=[f"{start:%H:%M}" for start in now.shift_starts],
            record_authority=settings.hl7_authority,
            idle_minutes=now.idle_minutes,
            offline=settings.offline,
        )

    # Built now, so that a missing dependency is found at the start.
    container.use_cases()
    app = create_app(
        container.use_cases,
        public,
        monitoring,
        lambda: hospital.profile,
        public_address=settings.public_address,
        client=client,
    )
    if settings.proxies:
        # Otherwise all users would share the proxy's address, and one rate limit.
        app.asgi_handler = wrap_asgi_with_proxy_headers(app.asgi_handler, list(settings.proxies))
    return app


class RefreshJob:
    """Reads the hospital's settings every two seconds."""

    def __init__(self, refresh: Callable[[], None]) -> None:
        self._refresh = refresh
        self._task: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Start the job in the background."""
        self._task = asyncio.create_task(self._run())

    async def end(self) -> None:
        """Stop the job."""
        if self._task:
            self._task.cancel()

    def refresh(self) -> None:
        """Read the settings; they stay as they are while the database is away."""
        try:
            self._refresh()
        except StoreUnavailable as error:
            refresh_log.debug("The settings stay as they are: the database is %s", error.reason)

    async def _run(self) -> None:
        while True:
            await asyncio.to_thread(self.refresh)
            await asyncio.sleep(_REFRESH_INTERVAL.total_seconds())


class PurgeJob:
    """Deletes expired data at the start and every hour."""

    def __init__(self, begin: Begin, messages_last: timedelta) -> None:
        self._begin = begin
        self._messages_last = messages_last
        self._task: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Start the job in the background."""
        self._task = asyncio.create_task(self._run())

    async def end(self) -> None:
        """Stop the job."""
        if self._task:
            self._task.cancel()

    def purge(self) -> None:
        """Delete everything that has expired."""
        try:
            with self._begin() as work:
                work.idempotency_store.purge(now() - _IDEMPOTENCY_KEY_TTL, but=_IDEMPOTENCY_KEYS_THAT_STAY)
                work.failed_attempts.purge(now() - THROTTLE_WINDOW)
                work.audit_log.purge_hours(hour_of(now()) - 1)
                work.inbound_messages.purge(now() - self._messages_last)
                work.notices.purge(now() - NOTICES_LAST)
                work.device_outboxes.purge(now() - timedelta(days=FORGOTTEN_AFTER_DAYS))
        except StoreUnavailable as error:
            log.warning("Nothing was forgotten this time: the database is %s", error.reason)

    async def _run(self) -> None:
        while True:
            await asyncio.to_thread(self.purge)
            await asyncio.sleep(_PURGE_INTERVAL.total_seconds())
