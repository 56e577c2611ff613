"""The composition root: wires adapters to ports.

It is the only place of dependency injection.
"""

import functools
from collections.abc import Callable
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any, ClassVar, get_type_hints

from dependency_injector import containers, providers

from adapters.demo.accounts import PASSWORD as DEMONSTRATION_PASSWORD
from adapters.documents.catalogue import CataloguePacker
from adapters.hl7.adt_parser import PATHS, AdtParser, InvalidPathMap, describe, read_map
from adapters.hl7.dft_message import DftMessageWriter
from adapters.mail import NoMailer, SmtpMailer
from adapters.observability.metrics import Metrics
from adapters.scan import read_scan
from adapters.security.password_judge import ZxcvbnJudge
from adapters.security.passwords import Argon2Passwords
from adapters.security.tokens import JwtTokens
from adapters.settings import InvalidSetting, Settings
from adapters.spreadsheets.open_table import open_table
from adapters.sql.engine.connections import Limits
from adapters.sql.store import SqlStore
from application import views
from application.access_log import AccessLog
from application.entities import DETAIL, KIT, USER
from application.inbound_messages.held_messages import RetryInboundMessage
from application.inbound_messages.receive_message import ReprocessHeldMessages
from application.kits import BrowseKits
from application.list_reader import ListReader
from application.read_audit_log import ReadAccessLog, ReadAuditLog, ReadSheetHistory
from application.recalls import ListRecalledDetails
from application.retry import with_retries
from application.session.sessions import ListSessions
from application.sheets.add_detail import AddDetail
from application.sheets.late_entries import ListLateEntries, RecordLateEntry
from application.sheets.record_details import RecordDetails
from application.sheets.unlisted_items import ResolveUnlistedItem
from application.use_cases import UseCases
from application.users.assign_profile import AssignProfile
from application.users.browse_users import BrowseUsers
from domain.policy import Permission


def now() -> datetime:
    return datetime.now(UTC)


def make_mailer(smtp_url: str | None) -> SmtpMailer | NoMailer:
    """Return the mailer for the SMTP URL."""
    return SmtpMailer(smtp_url) if smtp_url else NoMailer()


def dft_writer(settings: Settings) -> DftMessageWriter | None:
    """Return the writer of DFT messages; None if no destination is set."""
    if settings.dft_destination is None:
        return None
    return DftMessageWriter(conventions=settings.dft_conventions, currency=settings.currency, zone=settings.time_zone)


def adt_parser(settings: Settings) -> AdtParser:
    """Return the parser of ADT messages with the hospital's settings."""
    try:
        paths = read_map(settings.hl7_map) if settings.hl7_map else PATHS
    except InvalidPathMap as bad:
        raise InvalidSetting(f"CONSUMO_HL7_MAP: {bad}.") from None
    return AdtParser(
        zone=settings.time_zone,
        paths=paths,
        authority=settings.hl7_authority,
        classes=frozenset(settings.hl7_classes),
        processing=frozenset({settings.hl7_processing}),
    )


def make_password_checker(letterhead: tuple[str, ...]) -> ZxcvbnJudge:
    """Return the password strength meter.

    It rejects passwords made of the hospital's name, and the demonstration password.
    """
    return ZxcvbnJudge([*letterhead[:1], "Consumo"], known=[DEMONSTRATION_PASSWORD])


def autowire(given: dict[str, Any], explicit: dict[str, Any]) -> dict[str, Any]:
    """Build every use case by name from its field names.

    Those in ``explicit`` are used as given.
    """
    return explicit | {
        name: providers.Singleton(use_case, **{field.name: given[field.name] for field in fields(use_case)})
        for name, use_case in get_type_hints(UseCases).items()
        if name not in explicit
    }


def lists(browse: Callable[..., Any], access_log: Any) -> dict[str, Any]:
    """Return the lists by their names in ``UseCases``."""
    listed = {}
    for field in fields(UseCases):
        if field.metadata:
            options = dict(field.metadata)
            if rule := options.get("access"):
                options["access"] = providers.Singleton(rule, access_log)
            listed[field.name] = browse(**options)
    return listed


class Container(containers.DeclarativeContainer):
    """The container of all components.

    ``settings`` is required; ``store``, ``passwords`` and ``clock`` may be overridden.
    """

    settings = providers.Dependency(instance_of=Settings)

    clock = providers.Object(now)
    zone = settings.provided.time_zone
    limits = providers.Singleton(
        Limits,
        pool_size=settings.provided.pool_size,
        statement_timeout=settings.provided.statement_timeout,
        lock_timeout=settings.provided.lock_timeout,
    )
    metrics = providers.Singleton(Metrics)
    store = providers.Singleton(
        SqlStore,
        settings.provided.database_url,
        zone,
        limits,
        reports_url=settings.provided.reports_database_url,
        on_commit=metrics.provided.count_event,
    )
    passwords = providers.Singleton(Argon2Passwords)
    judge = providers.Singleton(make_password_checker, settings.provided.letterhead)
    mailer = providers.Singleton(make_mailer, settings.provided.smtp_url)
    tokens = providers.Singleton(JwtTokens, settings.provided.secret_key, settings.provided.old_secret_key, clock=clock)

    parse_message = providers.Singleton(adt_parser, settings)

    begin = store.provided.begin
    read = store.provided.read
    read_for_reports = store.provided.read_for_reports
    browse = functools.partial(providers.Singleton, ListReader, begin, read, read_for_reports, clock)
    access_log = providers.Singleton(AccessLog, begin, clock)

    # Values injected into fields of use cases by name.
    given: ClassVar[dict[str, Any]] = {
        "begin": begin,
        "begin_read_only": store.provided.begin_read_only,
        "begin_bulk_load": store.provided.begin_bulk_load,
        "read": read,
        "read_for_reports": read_for_reports,
        "clock": clock,
        "zone": zone,
        "currency": settings.provided.currency,
        "ask_above_total": settings.provided.ask_above_total,
        "public_address": settings.provided.public_address,
        "tokens_last": settings.provided.tokens_last,
        "passwords": passwords,
        "judge": judge,
        "mailer": mailer,
        "tokens": tokens,
        "open_table": providers.Object(open_table),
        "access_log": access_log,
        "pack_catalogue": providers.Singleton(CataloguePacker),
        "read_scan": providers.Object(read_scan),
        "record_authority": settings.provided.hl7_authority,
        "write_charges": providers.Singleton(dft_writer, settings),
        "parse_message": parse_message,
        "describe_message": providers.Object(describe),
        "assign_profile": providers.Singleton(AssignProfile, begin, clock),
    }
    listed = lists(browse, access_log)
    given |= listed

    browse_audit = functools.partial(
        browse, "audit", view=lambda v: v.audit, item_type=views.AuditView, sorts=views.AUDIT_SORTS
    )
    users = providers.Singleton(
        BrowseUsers, browse(USER.name, Permission.MANAGE_USERS, USER.store_of, views.UserView, views.USER_SORTS)
    )
    kits = providers.Singleton(
        BrowseKits, browse(KIT.name, Permission.ADD_DETAILS, KIT.store_of, views.KitView, views.KIT_SORTS)
    )
    record_details = providers.Singleton(
        RecordDetails, begin, clock, zone, given["read_scan"], given["ask_above_total"]
    )
    # Use cases whose fields need other values.
    explicit: ClassVar[dict[str, Any]] = {
        **listed,
        "users": users,
        "kits": kits,
        "recalled_details": providers.Singleton(
            ListRecalledDetails,
            begin,
            clock,
            browse(
                DETAIL.name,
                Permission.MANAGE_RECALLS,
                lambda v: v.exported_details,
                views.ExportedDetailView,
                views.DETAIL_SORTS,
            ),
        ),
        "list_late_entries": providers.Singleton(
            ListLateEntries, store.provided.begin_read_only, access_log, record_details
        ),
        "record_late_entry": providers.Singleton(RecordLateEntry, begin, clock, record_details),
        "resolve_unlisted_item": providers.Singleton(
            ResolveUnlistedItem,
            begin,
            clock,
            providers.Singleton(AddDetail, begin, clock, zone, given["read_scan"], given["ask_above_total"]),
        ),
        "retry_inbound_message": providers.Singleton(
            RetryInboundMessage,
            store.provided.begin_read_only,
            providers.Singleton(
                ReprocessHeldMessages, begin, store.provided.begin_read_only, clock, zone, parse_message
            ),
        ),
        "list_sessions": providers.Singleton(ListSessions, users, read, clock),
        "audit": providers.Singleton(ReadAuditLog, read, browse_audit(permission=Permission.READ_AUDIT_LOG)),
        "read_sheet_history": providers.Singleton(
            ReadSheetHistory, read, browse_audit(permission=Permission.READ_SHEET_HISTORY), access_log
        ),
        "read_access_log": providers.Singleton(
            ReadAccessLog, read, browse_audit(permission=Permission.READ_ACCESS_LOG)
        ),
    }
    use_cases = providers.Singleton(with_retries, providers.Singleton(UseCases, **autowire(given, explicit)))
