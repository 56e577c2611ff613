"""Wiring of a hospital's settings, clock, store and mail."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from dependency_injector import containers, providers

from adapters.demo import is_there as is_demonstration
from adapters.hospital.current_hospital import Built, CurrentHospital, OfHospital
from adapters.mail.smtp import NoMailer, SmtpMailer
from adapters.observability.metrics import Metrics
from adapters.setting_values.mail_server import MailServer
from adapters.settings.installation import ServerInstallation
from adapters.settings.read_settings import Settings
from adapters.sql.engine.connections import Limits
from adapters.sql.store import SqlStore
from application.audit.access_log import AccessLog
from application.work import Begin


def now() -> datetime:
    return datetime.now(UTC)


def refresh(hospital: CurrentHospital, begin_read_only: Begin) -> None:
    """Read the hospital's settings if another process has changed them."""
    hospital.refresh(begin_read_only, is_demonstration)


def hospital_name(hospital: CurrentHospital) -> str | None:
    """Return the hospital's name, if it is set."""
    return hospital.settings.name or None


def make_mailer(server: MailServer | None) -> SmtpMailer | NoMailer:
    """Return the mailer for the SMTP URL."""
    return SmtpMailer(server) if server else NoMailer()


def of_hospital(hospital: Any, kind: Callable[..., Built], /, *given: Any, **named: Any) -> providers.Callable[Built]:
    """Provide an object that is rebuilt when the hospital's settings change."""
    build = providers.Factory(kind, *given, **named)
    return providers.Callable(OfHospital.__call__, providers.Singleton(OfHospital, hospital, build.provider))


class HospitalContainer(containers.DeclarativeContainer):
    """``settings`` is required; ``store`` and ``clock`` may be overridden."""

    settings = providers.Dependency(instance_of=Settings)

    clock = providers.Object(now)
    hospital = providers.Singleton(CurrentHospital, settings.provided.hospital)
    zone = hospital.provided.profile.zone
    shifts = hospital.provided.profile.shifts
    currency = hospital.provided.settings.currency
    ask_above_total = hospital.provided.settings.ask_above_total
    billed_waste = hospital.provided.settings.billed_waste
    hospital_name = providers.Callable(hospital_name, hospital)
    public_address = settings.provided.public_address
    installation = providers.Singleton(ServerInstallation, settings, hospital, providers.Callable(now))
    mailer = providers.Singleton(make_mailer, settings.provided.mail_server)

    limits = providers.Singleton(
        Limits,
        pool_size=settings.provided.pool_size,
        statement_timeout=settings.provided.statement_timeout,
        lock_timeout=settings.provided.lock_timeout,
        checkpoint_pages=settings.provided.checkpoint_pages,
    )
    metrics = providers.Singleton(Metrics)
    store = providers.Singleton(
        SqlStore,
        settings.provided.database_url,
        hospital.provided.zone,
        limits,
        reports_url=settings.provided.reports_database_url,
        pooler_url=settings.provided.pooler_url,
        on_commit=metrics.provided.count_event,
    )
    begin = store.provided.begin
    begin_read_only = store.provided.begin_read_only
    begin_bulk_load = store.provided.begin_bulk_load
    read = store.provided.read
    read_for_reports = store.provided.read_for_reports
    refresh_hospital = providers.Callable(refresh, hospital, begin_read_only)
    access_log = providers.Singleton(AccessLog, begin, clock)
