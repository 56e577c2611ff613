"""The composition root: wires adapters to ports.

It is the only place of dependency injection.
"""

from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from datetime import UTC, datetime
from typing import Any, ClassVar, TypeVar, get_type_hints

from dependency_injector import containers, providers

from adapters.demo import is_there as is_demonstration
from adapters.demo.accounts import PASSWORD as DEMONSTRATION_PASSWORD
from adapters.documents.catalogue import CataloguePacker
from adapters.documents.pdf.labels import bars_fit
from adapters.files.images import read_logo, read_picture
from adapters.hl7.adt_parser import AdtParser, describe
from adapters.hl7.adt_paths import PATHS, InvalidPathMap, read_map
from adapters.hl7.dft_message import DftMessageWriter
from adapters.hospital.current_hospital import CurrentHospital, OfHospital
from adapters.mail.smtp import NoMailer, SmtpMailer
from adapters.observability.metrics import Metrics
from adapters.oidc.client import OidcClient
from adapters.oidc.provider import OidcProvider
from adapters.security.derived_keys import Purpose, derive_keys
from adapters.security.device_keys import P256Keys
from adapters.security.passkey_challenges import SignedChallenges
from adapters.security.passkeys import WebAuthnPasskeys
from adapters.security.password_judge import ZxcvbnJudge
from adapters.security.passwords import Argon2Passwords
from adapters.security.second_factor_tickets import JwtSecondFactorTickets
from adapters.security.tokens import JwtTokens
from adapters.security.unlocking import KeyedBadges, PepperedPins, SignedNonces
from adapters.setting_values.invalid_setting import InvalidSetting
from adapters.setting_values.mail_server import MailServer
from adapters.settings.installation import ServerInstallation
from adapters.settings.read_settings import Settings
from adapters.spreadsheets.open_table import open_table
from adapters.sql.engine.connections import Limits
from adapters.sql.store import SqlStore
from adapters.symbols.scan import read_scan
from application.accounts.sessions.ask_second_factor import AskSecondFactor
from application.accounts.sessions.begin_session import BeginSession
from application.accounts.sign_in.unlock_with_passkey import VerifyOwnPasskey
from application.accounts.users.assign_profile import AssignProfile
from application.audit.access_log import AccessLog
from application.use_cases import UseCases
from application.work import Begin

Built = TypeVar("Built")
_Paths = dict[str, tuple[str, ...]]


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


def make_identity_provider(settings: Settings, clock: Callable[[], datetime]) -> OidcProvider | None:
    """Return the hospital's identity provider; None if none is configured."""
    client: OidcClient | None = settings.oidc
    if client is None:
        return None
    keys = derive_keys(settings.secret_key, settings.old_secret_key, Purpose.OIDC_TRANSACTION)
    return OidcProvider(client, keys, clock=clock)


def dft_writer(settings: Settings, hospital: CurrentHospital) -> DftMessageWriter | None:
    """Return the writer of DFT messages; None if no destination is set."""
    if settings.dft_destination is None:
        return None
    now = hospital.settings
    return DftMessageWriter(conventions=settings.dft_conventions, currency=now.currency, zone=now.zone)


def adt_paths(settings: Settings) -> _Paths:
    """Return the paths in ADT messages, from the hospital's map if any."""
    try:
        return read_map(settings.hl7_map) if settings.hl7_map else PATHS
    except InvalidPathMap as bad:
        raise InvalidSetting(f"CONSUMO_HL7_MAP: {bad}.") from None


def adt_parser(settings: Settings, paths: _Paths, hospital: CurrentHospital) -> AdtParser:
    """Return the parser of ADT messages with the hospital's settings."""
    return AdtParser(
        zone=hospital.zone(),
        paths=paths,
        authority=settings.hl7_authority,
        classes=frozenset(settings.hl7_classes),
        class_map=dict(settings.hl7_class_map),
        visit=settings.hl7_visit,
        processing=frozenset({settings.hl7_processing}),
    )


def make_password_checker(hospital: CurrentHospital) -> ZxcvbnJudge:
    """Return the password strength meter.

    It rejects passwords made of the hospital's name, and the demonstration password.
    """
    return ZxcvbnJudge([*filter(None, [hospital.settings.name]), "Consumo"], known=[DEMONSTRATION_PASSWORD])


def keys_for(settings: Settings, purpose: Purpose) -> list[bytes]:
    """Return the keys of a purpose, the current one first."""
    return derive_keys(settings.secret_key, settings.old_secret_key, purpose)


def of_hospital(hospital: Any, kind: Callable[..., Built], /, *given: Any, **named: Any) -> providers.Callable[Built]:
    """Provide an object that is rebuilt when the hospital's settings change."""
    build = providers.Factory(kind, *given, **named)
    return providers.Callable(_call, providers.Singleton(OfHospital, hospital, build.provider))


def _call(held: OfHospital[Built]) -> Built:
    return held()


def autowire(given: dict[str, Any]) -> dict[str, Any]:
    """Build every group of use cases from the types and names of fields.

    A field whose type is another use case or a list gets that one. ``CreateArea`` gets ``given["begin"]`` and
    ``given["clock"]``, for example, because its fields have these names.
    """

    instances: dict[type, Any] = {}

    def provide(kind: type) -> Any:
        if kind not in instances:
            types = get_type_hints(kind)
            needed = [field.name for field in fields(kind) if field.default is MISSING or field.name in given]
            instances[kind] = providers.Factory(kind, **{name: value_of(name, types[name]) for name in needed})
        return instances[kind]

    def value_of(name: str, kind: Any) -> Any:
        return provide(kind) if name not in given and isinstance(kind, type) and is_dataclass(kind) else given[name]

    return {
        group: providers.Factory(kind, **{name: provide(use_case) for name, use_case in get_type_hints(kind).items()})
        for group, kind in get_type_hints(UseCases).items()
    }


class Container(containers.DeclarativeContainer):
    """The container of all components.

    ``settings`` is required; ``store``, ``passwords`` and ``clock`` may be overridden.
    """

    settings = providers.Dependency(instance_of=Settings)

    clock = providers.Object(now)
    hospital = providers.Singleton(CurrentHospital, settings.provided.hospital)
    zone = hospital.provided.profile.zone
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
        hospital.provided.zone,
        limits,
        reports_url=settings.provided.reports_database_url,
        on_commit=metrics.provided.count_event,
    )
    passwords = providers.Singleton(Argon2Passwords)
    judge = of_hospital(hospital, make_password_checker, hospital)
    mailer = providers.Singleton(make_mailer, settings.provided.mail_server)
    installation = providers.Singleton(ServerInstallation, settings, hospital, providers.Callable(now))
    tokens = providers.Singleton(JwtTokens, settings.provided.secret_key, settings.provided.old_secret_key, clock=clock)
    identity_provider = providers.Singleton(make_identity_provider, settings, clock)

    passkeys = providers.Singleton(WebAuthnPasskeys, settings.provided.passkey_host, settings.provided.public_address)
    second_factor_tickets = providers.Singleton(
        JwtSecondFactorTickets, settings.provided.secret_key, settings.provided.old_secret_key, clock=clock
    )
    challenges = providers.Singleton(
        SignedChallenges, providers.Callable(keys_for, settings, Purpose.PASSKEY_CHALLENGE)
    )
    begin_session = providers.Singleton(
        BeginSession,
        providers.Singleton(AskSecondFactor, passkeys, second_factor_tickets),
        settings.provided.oidc_rules,
        settings.provided.second_factor,
        tokens,
        settings.provided.tokens_last,
    )
    pin_hasher = providers.Singleton(PepperedPins, passwords, providers.Callable(keys_for, settings, Purpose.PIN))
    badge_digests = providers.Singleton(KeyedBadges, providers.Callable(keys_for, settings, Purpose.BADGE))
    nonces = providers.Singleton(SignedNonces, providers.Callable(keys_for, settings, Purpose.NONCE))

    paths = providers.Singleton(adt_paths, settings)
    parse_message = of_hospital(hospital, adt_parser, settings, paths, hospital)

    begin = store.provided.begin
    read = store.provided.read
    read_for_reports = store.provided.read_for_reports
    refresh_hospital = providers.Callable(refresh, hospital, store.provided.begin_read_only)
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
        "shifts": hospital.provided.profile.shifts,
        "currency": hospital.provided.settings.currency,
        "ask_above_total": hospital.provided.settings.ask_above_total,
        "hospital_name": providers.Callable(hospital_name, hospital),
        "hospital": hospital,
        "read_logo": providers.Object(read_logo),
        "read_picture": providers.Object(read_picture),
        "public_address": settings.provided.public_address,
        "tokens_last": settings.provided.tokens_last,
        "passwords": passwords,
        "judge": judge,
        "mailer": mailer,
        "installation": installation,
        "tokens": tokens,
        "passkeys": passkeys,
        "tickets": second_factor_tickets,
        "verify_own_passkey": providers.Singleton(VerifyOwnPasskey, begin, clock, passkeys, mailer),
        "challenges": challenges,
        "begin_session": begin_session,
        "second_factor": settings.provided.second_factor,
        "pin_hasher": pin_hasher,
        "badge_digests": badge_digests,
        "nonces": nonces,
        "device_keys": providers.Object(P256Keys()),
        "quick_unlock": settings.provided.quick_unlock,
        "identity_provider": identity_provider,
        "oidc_rules": settings.provided.oidc_rules,
        "open_table": providers.Object(open_table),
        "access_log": access_log,
        "pack_catalogue": providers.Singleton(CataloguePacker),
        "read_scan": providers.Object(read_scan),
        "bars_fit": providers.Object(bars_fit),
        "record_authority": settings.provided.hl7_authority,
        "write_charges": of_hospital(hospital, dft_writer, settings, hospital),
        "parse_message": parse_message,
        "describe_message": providers.Object(describe),
        "assign_profile": providers.Singleton(AssignProfile, begin, clock),
    }

    use_cases = of_hospital(hospital, UseCases, **autowire(given))
