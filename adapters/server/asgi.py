"""The ASGI application of a server process."""

import asyncio
import logging
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, tzinfo
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from granian.utils.proxies import wrap_asgi_with_proxy_headers
from litestar import Litestar
from litestar.concurrency import set_asyncio_executor
from litestar.types import ASGIApp

from adapters.http.app import CLIENT_FOLDER, create_app
from adapters.http.controllers.operations import Monitoring, OidcSettings, PublicSettings
from adapters.http.workers.letters import LETTERS
from adapters.observability.logs import AnsweredRequest, RequestLog, announcer, set_up_logs
from adapters.observability.metrics import ProcessMetrics, Workers, text_of_all
from adapters.server.announcements import announce_once
from adapters.server.by_host import HospitalsByHost, ServedHospital
from adapters.server.health import Readiness
from adapters.server.ipc import DRAIN, WORKER_SOCKET_DIR
from adapters.server.jobs import (
    LEARNING_INTERVAL,
    PURGE_INTERVAL,
    REFRESH_INTERVAL,
    PeriodicJob,
    learn_missed_charges,
    purge_expired,
    refresh_settings,
    run_safely,
)
from adapters.server.open_connections import can_count_connections, connections_at, room
from adapters.settings.read_settings import Settings, read_all_settings
from adapters.wiring.container import Container
from application.common.store_errors import StoreUnavailable
from application.work import Begin

log = logging.getLogger("consumo.server")

# Switch interval of the interpreter: a computing thread releases it after this time when another one waits, which a
# request does some fifteen times. With Python's default of 5 ms, recording beside two exports took ten times as long.
_SWITCH_INTERVAL_SECONDS = 0.0005

# Upper limit for a server of several hospitals, each of which has a pool of database connections.
MAX_REQUEST_THREADS = 64


def create() -> ASGIApp:
    """Create the application from the environment of this process."""
    all_settings = read_all_settings()
    of_process = all_settings[0]
    sys.setswitchinterval(_SWITCH_INTERVAL_SECONDS)
    request_log = set_up_logs(of_process.log_format)
    threads = min(MAX_REQUEST_THREADS, sum(settings.pool_size for settings in all_settings))
    set_asyncio_executor(ThreadPoolExecutor(threads, thread_name_prefix="request"))
    containers = {settings.name: Container(settings=settings) for settings in all_settings}
    process = ProcessMetrics()
    if can_count_connections():
        process.watch_connections(room(), partial(connections_at, of_process.port))
    meeting_place = os.environ.get(WORKER_SOCKET_DIR)
    own = partial(text_of_all, process, {name: container.metrics() for name, container in containers.items()})
    workers = Workers(own, Path(meeting_place) if meeting_place else None)
    workers.join()
    served = [_serve(container, request_log, workers.text) for container in containers.values()]
    if meeting_place:
        # In a process of the server, because the one that starts them does not load the application.
        announce_once(containers.values(), announcer(of_process.log_format, of_process.name), Path(meeting_place))

    def listen() -> None:
        asyncio.get_running_loop().add_signal_handler(DRAIN, drain)

    def drain() -> None:
        for hospital in served:
            hospital.readiness.drain()

    served[0].app.on_startup.append(listen)
    return HospitalsByHost(served) if of_process.name else served[0].app


def _serve(container: Container, request_log: RequestLog, metrics: Callable[[], bytes]) -> ServedHospital:
    """Create the application of a hospital with its background jobs."""
    settings: Settings = container.settings()
    readiness = Readiness(container.store().schema_state, container.store().try_writing)
    app = application(container, request_log, readiness, metrics)
    refresh = partial(refresh_settings, container.refresh_hospital)
    # No request is answered by other settings than those that are stored.
    run_safely(refresh)
    run_safely(partial(warn_without_local_administrator, settings, container.begin()))
    purge = partial(purge_expired, container.begin(), timedelta(days=settings.hl7_keep_days))
    # The use case is asked for each time: an administrator may change the settings.
    learn = partial(learn_missed_charges, lambda: container.use_cases().missed_charges.learn())
    jobs = [
        PeriodicJob(refresh, REFRESH_INTERVAL),
        PeriodicJob(purge, PURGE_INTERVAL),
        PeriodicJob(learn, LEARNING_INTERVAL),
    ]
    app.on_startup.extend(job.begin for job in jobs)
    app.on_shutdown.extend(
        [*(job.end for job in jobs), LETTERS.finish, container.mailer().close, container.store().close]
    )
    return ServedHospital(settings.name, settings.host_names, app, readiness)


def warn_without_local_administrator(settings: Settings, begin: Begin) -> None:
    """Warn if no password works on the day on which the provider is down."""
    if not settings.oidc_rules.only:
        return
    try:
        with begin() as work:
            has_one = bool(work.users.administrators())
    except StoreUnavailable:
        return
    if not has_one:
        log.warning("CONSUMO_OIDC_ONLY is on, and no administrator has a password: consumo create-user makes one")


def _offset_minutes(zone: tzinfo) -> int:
    """Return the present offset of a time zone from UTC."""
    offset = datetime.now(UTC).astimezone(zone).utcoffset() or timedelta()
    return round(offset / timedelta(minutes=1))


def public_oidc(settings: Settings, hospital_name: str) -> OidcSettings | None:
    """Return what the login page says about the hospital's own account."""
    if settings.oidc is None:
        return None
    rules = settings.oidc_rules
    name = settings.oidc_name or hospital_name or urlsplit(settings.oidc.issuer).hostname or ""
    return OidcSettings(name=name, only=rules.only, logout=rules.signs_out_there)


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
            utc_offset_minutes=_offset_minutes(now.zone),
            shifts=[f"{start:%H:%M}" for start in now.shift_starts],
            record_authority=settings.hl7_authority,
            idle_minutes=now.idle_minutes,
            offline=settings.offline,
            oidc=public_oidc(settings, now.name),
            demonstration=hospital.profile.is_demonstration,
            passkey_host=settings.passkey_host,
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
