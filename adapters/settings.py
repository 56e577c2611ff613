"""Settings from environment variables, typed and validated."""

import difflib
import os
import re
import secrets
import unicodedata
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date, time, timedelta
from decimal import Decimal
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from adapters.files import write_file
from adapters.hl7.adt_parser import PATIENT_CLASSES, VisitSource
from adapters.hl7.charset import ENCODINGS
from adapters.hl7.destination import Destination
from adapters.hl7.dft_message import Conventions, PackSegment
from adapters.hospital_list import CHOSEN, HOST_NAMES, LIST, choose_hospital, read_hospital_list
from adapters.invalid_setting import InvalidSetting
from adapters.mail_server import MailServer, parse_mail_server
from adapters.oidc.client import OidcClient, Prompt
from adapters.oidc.http import is_endpoint
from adapters.public_origin import origin_of
from adapters.sql.engine.connections import to_url
from application.session.oidc_rules import OidcRules
from domain.hospital import (
    MAX_IDLE_MINUTES,
    MAX_LETTERHEAD_LENGTH,
    MAX_LETTERHEAD_LINES,
    HospitalSettings,
    NumberFormat,
    from_letterhead,
    is_currency,
    is_letterhead,
    is_time_zone,
    parse_shift_starts,
)
from domain.passkey import SecondFactorRule
from domain.patient import authority_names
from domain.policy import HUMAN_ROLES, Role
from domain.quick_unlock import QuickUnlock
from domain.shift import MAX_SHIFTS, MIN_SHIFTS

SECRET_LENGTH = 32

# Each may be given as the file that contains it: CONSUMO_SECRET_KEY_FILE.
SECRETS = (
    "SECRET_KEY",
    "SECRET_KEY_OLD",
    "DATABASE_URL",
    "DATABASE_PASSWORD",
    "REPORTS_DATABASE_URL",
    "METRICS_TOKEN",
    "SMTP_URL",
    "OIDC_CLIENT_SECRET",
)

# Without the prefix CONSUMO_.
SETTING_NAMES = frozenset(
    {
        "ASK_ABOVE_TOTAL",
        "BADGE_ALONE",
        "CURRENCY",
        "DATABASE_PASSWORD",
        "DATABASE_URL",
        "DFT_CHARSET",
        "DFT_DESTINATION",
        "DFT_PACK",
        "DFT_RECEIVER",
        "DFT_SENDER",
        "DFT_TLS_CA",
        "DFT_TLS_CERT",
        "DFT_TLS_KEY",
        "DRAIN_SECONDS",
        "HL7_AUTHORITY",
        "HL7_CLASSES",
        "HL7_CLASS_MAP",
        "HL7_KEEP_DAYS",
        "HL7_MAP",
        "HL7_PROCESSING",
        "HL7_VISIT",
        "HOSPITAL",
        "HOSPITALS",
        "HOST",
        "IDLE_MINUTES",
        "LETTERHEAD",
        "LOCK_TIMEOUT",
        "LOG_FORMAT",
        "METRICS_TOKEN",
        "NUMBER_FORMAT",
        "OFFLINE",
        "OIDC_CLIENT_ID",
        "OIDC_CLIENT_SECRET",
        "OIDC_CREATE",
        "OIDC_ISSUER",
        "OIDC_LOGOUT",
        "OIDC_NAME",
        "OIDC_NEW_ROLE",
        "OIDC_ONLY",
        "OIDC_PROMPT",
        "OIDC_PROXY",
        "OIDC_ROLES",
        "OIDC_ROLE_CLAIM",
        "OIDC_SCOPE",
        "OIDC_SESSION_HOURS",
        "OIDC_TRUST_EMAIL",
        "POOL_SIZE",
        "PORT",
        "PROXIES",
        "PUBLIC_URL",
        "QUICK_UNLOCK",
        "REPORTS_DATABASE_URL",
        "SECOND_FACTOR",
        "SECOND_FACTOR_FROM",
        "SECRET_KEY",
        "SECRET_KEY_OLD",
        "SHIFTS",
        "SMTP_URL",
        "STATEMENT_TIMEOUT",
        "TIME_ZONE",
        "TOKEN_HOURS",
        "WORKERS",
    }
)

_KNOWN = SETTING_NAMES | {f"{name}_FILE" for name in SECRETS}

_POSTGRESQL = ("postgresql+psycopg",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The configuration of an installation."""

    database_url: str = field(repr=False)
    # Name of the hospital in the list, if there is one, and the names at which it is reached.
    name: str = ""
    host_names: frozenset[str] = frozenset()
    host: str
    port: int
    secret_key: str = field(repr=False)
    workers: int
    token_hours: int
    # What is set here wins over what administrators set.
    hospital: HospitalSettings = field(default_factory=HospitalSettings)
    mail_server: MailServer | None = None
    public_address: str = "http://127.0.0.1:8000"
    pool_size: int = 8
    statement_timeout: int = 30
    lock_timeout: int = 30
    old_secret_key: str | None = field(default=None, repr=False)
    log_format: str = "text"
    metrics_token: str | None = field(default=None, repr=False)
    drain_seconds: int = 0
    reports_database_url: str | None = field(default=None, repr=False)
    proxies: tuple[str, ...] = ()
    offline: bool = True
    dft_destination: Destination | None = None
    dft_conventions: Conventions = field(default_factory=Conventions)
    hl7_map: Path | None = None
    hl7_authority: str | None = None
    hl7_classes: tuple[str, ...] = ("I", "E")
    hl7_class_map: tuple[tuple[str, str], ...] = ()
    hl7_visit: VisitSource = VisitSource.NUMBER
    hl7_processing: str = "P"
    hl7_keep_days: int = 90
    second_factor: SecondFactorRule = field(default_factory=SecondFactorRule)
    quick_unlock: QuickUnlock = field(default_factory=QuickUnlock)
    oidc: OidcClient | None = None
    oidc_rules: OidcRules = field(default_factory=OidcRules)
    oidc_name: str | None = None

    @property
    def on_this_machine_alone(self) -> bool:
        """Return whether only this machine can connect, without a proxy."""
        return all(_is_loopback(host) for host in (self.host, urlsplit(self.public_address).hostname))

    @property
    def passkey_host(self) -> str | None:
        """Return the host at which browsers allow passkeys, if any."""
        return _passkey_host(self.public_address)

    @property
    def tokens_last(self) -> timedelta:
        """Return the lifetime of an unused session."""
        return timedelta(hours=self.token_hours)


def read_settings(environment: Mapping[str, str] = os.environ, *, folder: Path = Path("var")) -> Settings:
    """Read the settings of the hospital of this process.

    ``folder`` stores generated values of settings that are not set. Raise ``InvalidSetting``.
    """
    given = _given(environment)
    hospital = choose_hospital(read_hospital_list(given, _KNOWN), given)
    given |= _secrets_in_files(given)
    if hospital is not None:
        for name, value in hospital.own.items():
            _raise_if_unseen(name, value)
        given = hospital.settings_within(given, {**hospital.own, **_secrets_in_files(hospital.own)})
        folder /= hospital.name
    database_url = _database_url(given.get("DATABASE_URL"), given.get("DATABASE_PASSWORD"), folder)
    on_sqlite = database_url.startswith("sqlite")
    # For inbound and outbound messages.
    hl7_authority, hl7_processing = given.get("HL7_AUTHORITY"), _one_of(given, "HL7_PROCESSING", ("P", "T", "D"))
    settings = Settings(
        name=hospital.name if hospital else "",
        host_names=_host_names(hospital.own.get(HOST_NAMES, ""), given) if hospital else frozenset(),
        database_url=database_url,
        host=_address(given.get("HOST", "127.0.0.1")),
        port=_whole_number(given, "PORT", 8000, least=1, most=65_535),
        secret_key=_secret(given, "SECRET_KEY") or _stored_secret_key(folder),
        workers=_whole_number(given, "WORKERS", 1, least=1, most=256),
        hospital=_hospital(given),
        token_hours=_whole_number(given, "TOKEN_HOURS", 12, least=1, most=24 * 365),
        mail_server=_mail_server(given.get("SMTP_URL")),
        public_address=_public_address(given),
        pool_size=_whole_number(given, "POOL_SIZE", 8, least=1, most=128),
        statement_timeout=_whole_number(given, "STATEMENT_TIMEOUT", 30, least=1, most=3_600),
        # In SQLite a writer waits for every other one, such as an import.
        lock_timeout=_whole_number(given, "LOCK_TIMEOUT", 30 if on_sqlite else 10, least=1, most=3_600),
        old_secret_key=_secret(given, "SECRET_KEY_OLD"),
        log_format=_log_format(given.get("LOG_FORMAT", "text")),
        metrics_token=_secret(given, "METRICS_TOKEN"),
        reports_database_url=_reports_database_url(given),
        drain_seconds=_whole_number(given, "DRAIN_SECONDS", 0, least=0, most=300),
        proxies=_proxies(given.get("PROXIES", "")),
        hl7_map=Path(given["HL7_MAP"]) if "HL7_MAP" in given else None,
        hl7_authority=hl7_authority,
        hl7_classes=_classes(given.get("HL7_CLASSES", "I,E")),
        hl7_class_map=_class_map(given.get("HL7_CLASS_MAP", "")),
        hl7_visit=VisitSource(_one_of(given, "HL7_VISIT", tuple(VisitSource))),
        hl7_processing=hl7_processing,
        hl7_keep_days=_whole_number(given, "HL7_KEEP_DAYS", 90, least=1, most=3_650),
        quick_unlock=QuickUnlock(_roles(given), badge_alone=_on_or_off(given, "BADGE_ALONE", "off")),
        offline=_on_or_off(given, "OFFLINE", "on"),
        oidc=_oidc_client(given),
        oidc_rules=_oidc_rules(given),
        oidc_name=given.get("OIDC_NAME"),
        second_factor=_second_factor(given),
        dft_destination=_destination(given),
        dft_conventions=Conventions(
            sender=_application(given, "DFT_SENDER", "CONSUMO"),
            receiver=_application(given, "DFT_RECEIVER", ""),
            charset=_charset(given.get("DFT_CHARSET", "UTF-8")),
            processing=hl7_processing,
            authority=next(iter(authority_names(hl7_authority)), ""),
            pack=PackSegment(_one_of(given, "DFT_PACK", tuple(PackSegment))),
        ),
    )
    if on_sqlite and settings.reports_database_url:
        raise InvalidSetting("CONSUMO_REPORTS_DATABASE_URL: only PostgreSQL has replicas; leave it out on SQLite.")
    if on_sqlite and settings.workers > 1:
        raise InvalidSetting("CONSUMO_WORKERS: SQLite takes one writing process; set it to 1 or use PostgreSQL.")
    if settings.second_factor.roles and settings.passkey_host is None:
        raise InvalidSetting(
            "CONSUMO_SECOND_FACTOR: browsers allow passkeys only over https and by name: set CONSUMO_PUBLIC_URL to an "
            "address such as https://consumo.example."
        )
    return settings


def read_all_settings(environment: Mapping[str, str] = os.environ, *, folder: Path = Path("var")) -> list[Settings]:
    """Read the settings of all hospitals that a server serves.

    Raise ``InvalidSetting``.
    """
    if LIST in _given(environment) and CHOSEN not in _given(environment):
        return read_listed_hospitals(environment, folder=folder)
    return [read_settings(environment, folder=folder)]


def read_listed_hospitals(environment: Mapping[str, str] = os.environ, *, folder: Path = Path("var")) -> list[Settings]:
    """Read the settings of all hospitals in the list.

    Raise ``InvalidSetting``, also if two of them share a database or a host name.
    """
    given = _given(environment)
    listed = read_hospital_list(given, _KNOWN)
    hospitals = [read_settings({**environment, f"CONSUMO_{CHOSEN}": name}, folder=folder) for name in listed]
    for place, one in enumerate(hospitals):
        for other in hospitals[:place]:
            if to_url(one.database_url) == to_url(other.database_url):
                raise InvalidSetting(f"{given[LIST]}: {other.name} and {one.name} have the same database_url.")
            if shared := sorted(one.host_names & other.host_names):
                raise InvalidSetting(f"{given[LIST]}: {other.name} and {one.name} are both reached at {shared[0]}.")
    return hospitals


def _given(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the settings of an environment without their prefix."""
    given = {
        name.removeprefix("CONSUMO_"): value.strip()
        for name, value in environment.items()
        if name.startswith("CONSUMO_") and value.strip()
    }
    for name in _KNOWN & given.keys():
        _raise_if_unseen(name, given[name])
    return given


def _raise_if_unseen(name: str, value: str) -> None:
    """Raise ``InvalidSetting`` for line breaks and invisible characters."""
    for character in value:
        if unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp", "Cs"):
            raise InvalidSetting(
                f"CONSUMO_{name}: remove the line break or invisible character U+{ord(character):04X} from the value."
            )


def unknown_settings(environment: Mapping[str, str] = os.environ) -> list[str]:
    """Return a sentence for each variable that looks like a setting."""
    sentences = []
    for name in sorted(environment):
        if name.startswith("CONSUMO_") and (unknown := name.removeprefix("CONSUMO_")) not in _KNOWN:
            near = difflib.get_close_matches(unknown, sorted(_KNOWN), 1, 0.8)
            advice = f"did you mean CONSUMO_{near[0]}?" if near else "leave it out."
            sentences.append(f"{name} is no setting and is ignored: {advice}")
    return sentences


def _host_names(listed: str, given: Mapping[str, str]) -> frozenset[str]:
    """Return the names at which a hospital is reached."""
    names = {name.strip().lower() for name in listed.split(",") if name.strip()}
    for name in names:
        if not re.fullmatch(r"[a-z0-9.-]+|\[[0-9a-f:.]+\]", name):
            raise InvalidSetting(f"host_names: give names such as consumo.hospital.example, not “{name}”.")
    return frozenset({*names, urlsplit(_public_address(given)).hostname or ""})


def _secrets_in_files(given: Mapping[str, str]) -> dict[str, str]:
    """Read the secrets that are given as files."""
    found = {}
    for name in SECRETS:
        file = _readable(given, f"{name}_FILE")
        if file is None:
            continue
        if name in given:
            raise InvalidSetting(f"CONSUMO_{name}, CONSUMO_{name}_FILE: give one of them, not both.")
        try:
            # Editors write a byte order mark.
            found[name] = file.read_bytes().decode("utf-8-sig").strip()
        except UnicodeDecodeError:
            raise InvalidSetting(f"CONSUMO_{name}_FILE: {file} is not UTF-8 text: save it as UTF-8.") from None
        if not found[name]:
            raise InvalidSetting(f"CONSUMO_{name}_FILE: {file} is empty.")
        _raise_if_unseen(f"{name}_FILE", found[name])
    return found


def _database_url(given: str | None, password: str | None, folder: Path) -> str:
    if given is None:
        if password is not None:
            raise InvalidSetting("CONSUMO_DATABASE_PASSWORD: give CONSUMO_DATABASE_URL as well.")
        folder.mkdir(parents=True, exist_ok=True)
        return f"sqlite:///{folder / 'consumo.db'}"
    if not _is_database(given, ("sqlite", "sqlite+pysqlite", *_POSTGRESQL)):
        raise InvalidSetting(
            "CONSUMO_DATABASE_URL: give a URL such as sqlite:///consumo.db or postgresql://user@host/name, with @ in a "
            "password as %40."
        )
    if password is None:
        return given
    if make_url(given).password is not None:
        raise InvalidSetting("CONSUMO_DATABASE_PASSWORD: leave the password out of CONSUMO_DATABASE_URL.")
    return make_url(given).set(password=password).render_as_string(hide_password=False)


def _reports_database_url(given: Mapping[str, str]) -> str | None:
    url = given.get("REPORTS_DATABASE_URL")
    if url is not None and not _is_database(url, _POSTGRESQL):
        raise InvalidSetting("CONSUMO_REPORTS_DATABASE_URL: give a URL such as postgresql://user@replica/name.")
    return url


def _is_database(url: str, drivers: tuple[str, ...]) -> bool:
    try:
        made = to_url(url)
        # A password with @ would become part of the host, which messages name.
        return made.drivername in drivers and "@" not in f"{made.host}{made.query.get('host', '')}"
    except (ArgumentError, ValueError):
        return False


def _destination(given: Mapping[str, str]) -> Destination | None:
    """Return the destination of charges; None if it is not set."""
    url = given.get("DFT_DESTINATION")
    if url is None:
        return None
    wrong = InvalidSetting(
        "CONSUMO_DFT_DESTINATION: give a URL such as mllp://billing.example:6661, mllps://billing.example:6661 (over "
        "TLS) or folder:///var/spool/consumo/out."
    )
    try:
        asked = urlsplit(url)
        port = asked.port
    except ValueError:
        raise wrong from None
    if asked.scheme == "folder" and not asked.netloc and len(asked.path) > 1:
        return Destination(folder=Path(asked.path))
    if asked.scheme not in ("mllp", "mllps") or not asked.hostname or not port or asked.path not in ("", "/"):
        raise wrong
    files = {name: _readable(given, f"DFT_TLS_{name.upper()}") for name in ("ca", "cert", "key")}
    if (files["cert"] is None) != (files["key"] is None):
        raise InvalidSetting("CONSUMO_DFT_TLS_CERT, CONSUMO_DFT_TLS_KEY: give both, or neither.")
    if any(files.values()) and asked.scheme == "mllp":
        raise InvalidSetting("CONSUMO_DFT_DESTINATION: over TLS it begins with mllps://.")
    return Destination(host=asked.hostname, port=port, tls=asked.scheme == "mllps", **files)


def _oidc_client(given: Mapping[str, str]) -> OidcClient | None:
    """Return the registration at the identity provider; None if it is not set."""
    issuer, client_id = given.get("OIDC_ISSUER"), given.get("OIDC_CLIENT_ID")
    if issuer is None:
        if others := sorted(name for name in given if name.startswith("OIDC_")):
            raise InvalidSetting(f"CONSUMO_OIDC_ISSUER: set it as well, or leave out CONSUMO_{others[0]}.")
        return None
    if not is_endpoint(issuer) or urlsplit(issuer).query or urlsplit(issuer).fragment:
        raise InvalidSetting(
            "CONSUMO_OIDC_ISSUER: give the provider's issuer, such as https://login.hospital.example/realms/hospital."
        )
    if client_id is None:
        raise InvalidSetting("CONSUMO_OIDC_CLIENT_ID: give the id under which Consumo is registered at the provider.")
    public_address = _public_address(given)
    return OidcClient(
        issuer=issuer,
        client_id=client_id,
        client_secret=given.get("OIDC_CLIENT_SECRET"),
        redirect_uri=f"{public_address}/auth/oidc/callback",
        home=f"{public_address}/auth/login",
        scope=tuple(dict.fromkeys(["openid", "email", "profile", *given.get("OIDC_SCOPE", "").split()])),
        role_claim=given.get("OIDC_ROLE_CLAIM", "groups") if "OIDC_ROLES" in given else None,
        prompt=Prompt(_one_of(given, "OIDC_PROMPT", tuple(Prompt))),
        proxy=_oidc_proxy(given.get("OIDC_PROXY")),
    )


def _oidc_rules(given: Mapping[str, str]) -> OidcRules:
    if "OIDC_ROLE_CLAIM" in given and "OIDC_ROLES" not in given:
        raise InvalidSetting("CONSUMO_OIDC_ROLES: set it as well, or leave out CONSUMO_OIDC_ROLE_CLAIM.")
    new_role = _one_of(given, "OIDC_NEW_ROLE", ("1", "2", "none"))
    return OidcRules(
        roles=dict(_oidc_role(one) for one in given.get("OIDC_ROLES", "").split(",") if one.strip()),
        new_role=None if new_role == "none" else Role(int(new_role)),
        creates=_on_or_off(given, "OIDC_CREATE", "on"),
        trusts_emails=_on_or_off(given, "OIDC_TRUST_EMAIL", "off"),
        only=_on_or_off(given, "OIDC_ONLY", "off"),
        signs_out_there=_on_or_off(given, "OIDC_LOGOUT", "off"),
        sessions_last=timedelta(hours=_whole_number(given, "OIDC_SESSION_HOURS", 12, least=1, most=168)),
    )


def _oidc_role(given: str) -> tuple[str, Role]:
    group, _, role = given.rpartition("=")
    if not group.strip() or role.strip() not in {str(int(one)) for one in HUMAN_ROLES}:
        raise InvalidSetting(
            "CONSUMO_OIDC_ROLES: give groups and roles such as nurses=1,supervisors=2,admins=10, "
            f"not “{given.strip()}”."
        )
    return group.strip(), Role(int(role))


def _oidc_proxy(given: str | None) -> str | None:
    if given is not None:
        try:
            parts = urlsplit(given)
            is_proxy = (
                parts.scheme == "http" and bool(parts.hostname) and bool(parts.port) and not parts.path.strip("/")
            )
        except ValueError:
            is_proxy = False
        if not is_proxy:
            raise InvalidSetting("CONSUMO_OIDC_PROXY: give a URL such as http://proxy.hospital.example:3128.")
    return given


def _readable(given: Mapping[str, str], name: str) -> Path | None:
    if name not in given:
        return None
    try:
        with Path(given[name]).open("rb") as file:
            file.read(1)
        return Path(given[name])
    except OSError as error:
        raise InvalidSetting(f"CONSUMO_{name}: {given[name]} cannot be read: {error.strerror}.") from None


def _application(given: Mapping[str, str], name: str, default: str) -> tuple[str, str]:
    """Split a name into application and facility at the bar."""
    application, _, facility = given.get(name, default).partition("|")
    if "|" in facility:
        raise InvalidSetting(f"CONSUMO_{name}: give an application and its facility, such as BILLING|HOSPITAL.")
    return application.strip(), facility.strip()


def _charset(value: str) -> str:
    charset = "UNICODE UTF-8" if value == "UTF-8" else value
    if charset not in ENCODINGS:
        raise InvalidSetting(f"CONSUMO_DFT_CHARSET: give UTF-8, 8859/1, 8859/15 or ASCII, not “{value}”.")
    return charset


def _one_of(given: Mapping[str, str], name: str, known: tuple[str, ...]) -> str:
    """Return an allowed value, by default the first."""
    value = given.get(name, known[0])
    if value not in known:
        raise InvalidSetting(f"CONSUMO_{name}: give {', '.join(known[:-1])} or {known[-1]}, not “{value}”.")
    return value


def _mail_server(given: str | None) -> MailServer | None:
    try:
        return parse_mail_server(given) if given is not None else None
    except ValueError as error:
        raise InvalidSetting(
            "CONSUMO_SMTP_URL: give a URL such as smtp://user:password@mail.example:587?from=consumo@example.org, with "
            f"/ # ? : @ % in user and password as %2F %23 %3F %3A %40 %25: {error}."
        ) from None


def _public_address(given: Mapping[str, str]) -> str:
    """Return the public base URL: links in emails begin with it."""
    host, port = given.get("HOST", "127.0.0.1"), given.get("PORT", "8000")
    host = f"[{host}]" if ":" in host else host
    try:
        return origin_of(given.get("PUBLIC_URL", f"http://{host}:{port}"))
    except ValueError as error:
        raise InvalidSetting(
            "CONSUMO_PUBLIC_URL: give the address at which browsers reach Consumo, such as https://consumo.example: "
            f"{error}."
        ) from None


def _address(value: str) -> str:
    try:
        return str(ip_address(value))
    except ValueError:
        raise InvalidSetting(f"CONSUMO_HOST: give an IP address such as 127.0.0.1 or 0.0.0.0, not “{value}”.") from None


def _whole_number(given: Mapping[str, str], name: str, default: int, *, least: int, most: int) -> int:
    value = given.get(name, str(default))
    if not re.fullmatch(r"[0-9]{1,9}", value) or not least <= int(value) <= most:
        raise InvalidSetting(f"CONSUMO_{name}: give a whole number from {least} to {most}, not “{value}”.")
    return int(value)


def _amount(given: Mapping[str, str], name: str) -> Decimal:
    value = given[name]
    if not re.fullmatch(r"[0-9]{1,13}(\.[0-9]{1,2})?", value):
        raise InvalidSetting(f"CONSUMO_{name}: give an amount such as 500.00, not “{value}”.")
    return Decimal(value)


def _on_or_off(given: Mapping[str, str], name: str, default: str) -> bool:
    value = given.get(name, default)
    if value not in ("on", "off"):
        raise InvalidSetting(f"CONSUMO_{name}: give on or off, not “{value}”.")
    return value == "on"


def _second_factor(given: Mapping[str, str]) -> SecondFactorRule:
    """Return the roles that need a passkey, and from which day."""
    if ("SECOND_FACTOR" in given) != ("SECOND_FACTOR_FROM" in given):
        raise InvalidSetting("CONSUMO_SECOND_FACTOR, CONSUMO_SECOND_FACTOR_FROM: give both, or neither.")
    if "SECOND_FACTOR" not in given:
        return SecondFactorRule()
    known = {str(int(role)): role for role in sorted(HUMAN_ROLES)}
    roles = [one.strip() for one in given["SECOND_FACTOR"].split(",")]
    if not known.keys() >= set(roles):
        raise InvalidSetting(f"CONSUMO_SECOND_FACTOR: give roles such as 2,10 out of {', '.join(known)}.")
    try:
        from_day = date.fromisoformat(given["SECOND_FACTOR_FROM"])
    except ValueError:
        raise InvalidSetting("CONSUMO_SECOND_FACTOR_FROM: give a day such as 2027-02-01.") from None
    return SecondFactorRule(frozenset(known[role] for role in roles), from_day)


def _roles(given: Mapping[str, str]) -> frozenset[Role]:
    """Return the roles that may unlock by PIN and badge."""
    value = given.get("QUICK_UNLOCK", "1,2")
    if value == "off":
        return frozenset()
    names = {str(int(role)): role for role in HUMAN_ROLES}
    listed = [name.strip() for name in value.split(",")]
    if not names.keys() >= set(listed):
        raise InvalidSetting(
            f"CONSUMO_QUICK_UNLOCK: give the roles that may use a PIN, such as 1,2, or off, not “{value}”."
        )
    return frozenset(names[name] for name in listed)


def _hospital(given: Mapping[str, str]) -> HospitalSettings:
    """Return the settings of the hospital that are set here."""
    hospital = from_letterhead(_letterhead(given["LETTERHEAD"])) if "LETTERHEAD" in given else HospitalSettings()
    readers: dict[str, tuple[str, Callable[[], Any]]] = {
        "CURRENCY": ("currency", lambda: _currency(given["CURRENCY"])),
        "NUMBER_FORMAT": ("number_format", lambda: NumberFormat(_one_of(given, "NUMBER_FORMAT", tuple(NumberFormat)))),
        "TIME_ZONE": ("time_zone", lambda: _time_zone(given["TIME_ZONE"])),
        "SHIFTS": ("shift_starts", lambda: _shift_starts(given["SHIFTS"])),
        "IDLE_MINUTES": (
            "idle_minutes",
            lambda: _whole_number(given, "IDLE_MINUTES", 0, least=0, most=MAX_IDLE_MINUTES),
        ),
        "ASK_ABOVE_TOTAL": ("ask_above_total", lambda: _amount(given, "ASK_ABOVE_TOTAL")),
    }
    return replace(hospital, **{field: read() for name, (field, read) in readers.items() if name in given})


# The settings that the page Hospital has, too, by their fields.
_ON_THE_PAGE = {
    "name": "LETTERHEAD",
    "currency": "CURRENCY",
    "number_format": "NUMBER_FORMAT",
    "time_zone": "TIME_ZONE",
    "shift_starts": "SHIFTS",
    "idle_minutes": "IDLE_MINUTES",
    "ask_above_total": "ASK_ABOVE_TOTAL",
}


def fixed_on_the_page(settings: Settings) -> list[str]:
    """Return the variables that win over what the page Hospital sets."""
    fixed = [f"CONSUMO_{name}" for key, name in _ON_THE_PAGE.items() if getattr(settings.hospital, key) is not None]
    return sorted(fixed)


def _currency(value: str) -> str:
    if not is_currency(value):
        raise InvalidSetting(f"CONSUMO_CURRENCY: give an ISO 4217 code such as USD or MXN, not “{value}”.")
    return value


def _time_zone(value: str) -> str:
    if not is_time_zone(value):
        raise InvalidSetting(f"CONSUMO_TIME_ZONE: give an IANA name such as America/Mexico_City, not “{value}”.")
    return value


def _shift_starts(value: str) -> tuple[time, ...]:
    """Return the starts of the shifts in order of time."""
    starts = parse_shift_starts(one for one in value.split(",") if one.strip())
    if starts is None:
        raise InvalidSetting(
            f"CONSUMO_SHIFTS: give {MIN_SHIFTS} to {MAX_SHIFTS} different starts of shifts, such as 06:00,14:00,22:00, "
            f"not “{value}”."
        )
    return starts


def _letterhead(value: str) -> tuple[str, ...]:
    lines = tuple(line.strip() for line in value.split("|") if line.strip())
    if not is_letterhead(lines):
        raise InvalidSetting(
            f"CONSUMO_LETTERHEAD: at most {MAX_LETTERHEAD_LINES} lines of {MAX_LETTERHEAD_LENGTH} characters, with | "
            "between."
        )
    return lines


def _proxies(value: str) -> tuple[str, ...]:
    proxies = tuple(proxy.strip() for proxy in value.split(",") if proxy.strip())
    for proxy in proxies:
        try:
            network = ip_network(proxy)
        except ValueError:
            raise InvalidSetting(
                f"CONSUMO_PROXIES: give IP addresses or networks such as 10.0.0.5,10.1.0.0/24, not “{proxy}”."
            ) from None
        # A client in it chooses the address that is limited and logged.
        if network.prefixlen < (_MIN_PRIVATE_PREFIX if network.is_private else _MIN_PUBLIC_PREFIX[network.version]):
            raise InvalidSetting(
                f"CONSUMO_PROXIES: “{proxy}” is a network in which clients could invent their addresses; give "
                "those of your balancers, such as 10.0.0.5,10.1.0.0/24."
            )
    return proxies


# The largest networks of balancers: of private addresses, and of others.
_MIN_PRIVATE_PREFIX = 7
_MIN_PUBLIC_PREFIX = {4: 16, 6: 48}


def _classes(value: str) -> tuple[str, ...]:
    classes = tuple(one.strip() for one in value.split(",") if one.strip())
    if not classes or any(not re.fullmatch(r"[A-Za-z0-9]{1,5}", one) for one in classes):
        raise InvalidSetting(f"CONSUMO_HL7_CLASSES: give patient classes such as I,E, not “{value}”.")
    return classes


def _class_map(value: str) -> tuple[tuple[str, str], ...]:
    """Return the hospital's patient classes with those of HL7."""
    pairs = [one.rpartition("=") for one in value.split(",") if one.strip()]
    for theirs, _, ours in pairs:
        if not theirs.strip() or ours.strip() not in PATIENT_CLASSES:
            raise InvalidSetting(
                "CONSUMO_HL7_CLASS_MAP: give the hospital's patient classes with those of HL7 "
                f"({', '.join(PATIENT_CLASSES)}), such as HOSP=I,URG=E,AMB=O, not “{value}”."
            )
    return tuple((theirs.strip(), ours.strip()) for theirs, _, ours in pairs)


def _log_format(value: str) -> str:
    if value not in ("text", "json"):
        raise InvalidSetting(f"CONSUMO_LOG_FORMAT: give text or json, not “{value}”.")
    return value


def _passkey_host(public_address: str) -> str | None:
    """Return the host of an address at which browsers allow passkeys.

    They need https and a name. This machine is reached by ``localhost`` as well, without https.
    """
    address = urlsplit(public_address)
    host = address.hostname or ""
    if _is_loopback(host):
        return "localhost" if host == "localhost" or address.scheme == "http" else None
    try:
        ip_address(host)
    except ValueError:
        return host if address.scheme == "https" else None
    return None


def _is_loopback(host: str | None) -> bool:
    try:
        return host == "localhost" or ip_address(host or "").is_loopback
    except ValueError:
        return False


def _secret(given: Mapping[str, str], name: str) -> str | None:
    """Return a secret of sufficient length."""
    if name in given and len(given[name]) < SECRET_LENGTH:
        raise InvalidSetting(f"CONSUMO_{name}: give at least {SECRET_LENGTH} random characters.")
    return given.get(name)


def _stored_secret_key(folder: Path) -> str:
    """Return the secret key from a private file, created on the first run."""
    kept = folder / "secret-key"
    if not kept.exists():
        folder.mkdir(parents=True, exist_ok=True)
        # The first file wins: two processes that start at once read the same key.
        with suppress(FileExistsError), write_file(kept, replace=False) as file:
            file.write(secrets.token_urlsafe(SECRET_LENGTH * 2).encode())
    key = kept.read_text().strip()
    if len(key) < SECRET_LENGTH:
        raise InvalidSetting(
            f"CONSUMO_SECRET_KEY: the key in {kept} is damaged; delete that file, and all users sign in again."
        )
    return key
