"""Every setting, declared once: name, kind, default and one line of help.

``docs/configuration.md`` has a row for each, ``consumo --help`` a line, and the server reads them in
``adapters/settings/read_settings.py``.
"""

import re
from datetime import date, time
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from adapters.hl7.adt_parser import PATIENT_CLASSES, VisitSource
from adapters.hl7.charset import ENCODINGS
from adapters.hl7.destination import Destination
from adapters.hl7.dft_message import PackSegment
from adapters.hospital.hospital_list import CHOSEN, LIST
from adapters.oidc.client import Prompt
from adapters.oidc.http import is_endpoint
from adapters.setting_values.kinds import (
    Setting,
    UnusableValue,
    amount,
    member_of,
    names_of,
    on_or_off,
    one_of,
    readable_file,
    secret,
    split_list,
    text,
    whole_number,
    words,
)
from adapters.setting_values.mail_server import MailServer, parse_mail_server
from adapters.setting_values.public_origin import origin_of
from domain.common.policy import HUMAN_ROLES, Role
from domain.hospital.settings import (
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
from domain.ward.shift import MAX_SHIFTS, MIN_SHIFTS

_POSTGRESQL = ("postgresql+psycopg",)
_DATABASES = ("sqlite", "sqlite+pysqlite", *_POSTGRESQL)

# The largest networks of balancers: of private addresses, and of others.
_MIN_PRIVATE_PREFIX = 7
_MIN_PUBLIC_PREFIX = {4: 16, 6: 48}


def _is_database(url: str, drivers: tuple[str, ...]) -> bool:
    # Help and completion name settings without a database.
    from sqlalchemy.exc import ArgumentError

    from adapters.sql.engine.connections import to_url

    try:
        made = to_url(url)
        # A password with @ would become part of the host, which messages name.
        return made.drivername in drivers and "@" not in f"{made.host}{made.query.get('host', '')}"
    except (ArgumentError, ValueError):
        return False


def _database(value: str) -> str:
    if not _is_database(value, _DATABASES):
        raise UnusableValue(
            "give a URL such as sqlite:///consumo.db or postgresql://user@host/name, with @ in a password as %40"
        )
    return value


def _replica(value: str) -> str:
    if not _is_database(value, _POSTGRESQL):
        raise UnusableValue("give a URL such as postgresql://user@replica/name")
    return value


def _address(value: str) -> str:
    try:
        return str(ip_address(value))
    except ValueError:
        raise UnusableValue(f"give an IP address such as 127.0.0.1 or 0.0.0.0, not “{value}”") from None


def _origin(value: str) -> str:
    try:
        return origin_of(value)
    except ValueError as error:
        raise UnusableValue(
            f"give the address at which browsers reach Consumo, such as https://consumo.example: {error}"
        ) from None


def _mail_server(value: str) -> MailServer:
    try:
        return parse_mail_server(value)
    except ValueError as error:
        raise UnusableValue(
            "give a URL such as smtp://user:password@mail.example:587?from=consumo@example.org, with "
            f"/ # ? : @ % in user and password as %2F %23 %3F %3A %40 %25: {error}"
        ) from None


def _unlocking_roles(value: str) -> frozenset[Role]:
    if value == "off":
        return frozenset()
    names = {str(int(role)): role for role in HUMAN_ROLES}
    listed = [name.strip() for name in value.split(",")]
    if not names.keys() >= set(listed):
        raise UnusableValue(f"give the roles that may use a PIN, such as 1,2, or off, not “{value}”")
    return frozenset(names[name] for name in listed)


def _second_factor_roles(value: str) -> frozenset[Role]:
    known = {str(int(role)): role for role in sorted(HUMAN_ROLES)}
    roles = [one.strip() for one in value.split(",")]
    if not known.keys() >= set(roles):
        raise UnusableValue(f"give roles such as 2,10 out of {', '.join(known)}")
    return frozenset(known[role] for role in roles)


def _day(value: str) -> date:
    try:
        return date.fromisoformat(value)
    except ValueError:
        raise UnusableValue("give a day such as 2027-02-01") from None


def _currency(value: str) -> str:
    if not is_currency(value):
        raise UnusableValue(f"give an ISO 4217 code such as USD or MXN, not “{value}”")
    return value


def _time_zone(value: str) -> str:
    if not is_time_zone(value):
        raise UnusableValue(f"give an IANA name such as America/Mexico_City, not “{value}”")
    return value


def _shift_starts(value: str) -> tuple[time, ...]:
    """Return the starts of the shifts in order of time."""
    starts = parse_shift_starts(one for one in value.split(",") if one.strip())
    if starts is None:
        raise UnusableValue(
            f"give {MIN_SHIFTS} to {MAX_SHIFTS} different starts of shifts, such as 06:00,14:00,22:00, not “{value}”"
        )
    return starts


def _letterhead(value: str) -> HospitalSettings:
    lines = tuple(line.strip() for line in value.split("|") if line.strip())
    if not is_letterhead(lines):
        raise UnusableValue(
            f"at most {MAX_LETTERHEAD_LINES} lines of {MAX_LETTERHEAD_LENGTH} characters, with | between"
        )
    return from_letterhead(lines)


def _destination(value: str) -> Destination:
    wrong = UnusableValue(
        "give a URL such as mllp://billing.example:6661, mllps://billing.example:6661 (over TLS) or "
        "folder:///var/spool/consumo/out"
    )
    try:
        asked = urlsplit(value)
        port = asked.port
    except ValueError:
        raise wrong from None
    if asked.scheme == "folder" and not asked.netloc and len(asked.path) > 1:
        return Destination(folder=Path(asked.path))
    if asked.scheme not in ("mllp", "mllps") or not asked.hostname or not port or asked.path not in ("", "/"):
        raise wrong
    return Destination(host=asked.hostname, port=port, tls=asked.scheme == "mllps")


def _application(value: str) -> tuple[str, str]:
    """Split a name into application and facility at the bar."""
    application, _, facility = value.partition("|")
    if "|" in facility:
        raise UnusableValue("give an application and its facility, such as BILLING|HOSPITAL")
    return application.strip(), facility.strip()


def _charset(value: str) -> str:
    charset = "UNICODE UTF-8" if value == "UTF-8" else value
    if charset not in ENCODINGS:
        raise UnusableValue(f"give UTF-8, 8859/1, 8859/15 or ASCII, not “{value}”")
    return charset


def _classes(value: str) -> tuple[str, ...]:
    classes = split_list(value)
    if not classes or any(not re.fullmatch(r"[A-Za-z0-9]{1,5}", one) for one in classes):
        raise UnusableValue(f"give patient classes such as I,E, not “{value}”")
    return classes


def _class_map(value: str) -> tuple[tuple[str, str], ...]:
    """Return the hospital's patient classes with those of HL7."""
    pairs = [one.rpartition("=") for one in value.split(",") if one.strip()]
    for theirs, _, ours in pairs:
        if not theirs.strip() or ours.strip() not in PATIENT_CLASSES:
            raise UnusableValue(
                f"give the hospital's patient classes with those of HL7 ({', '.join(PATIENT_CLASSES)}), such as "
                f"HOSP=I,URG=E,AMB=O, not “{value}”"
            )
    return tuple((theirs.strip(), ours.strip()) for theirs, _, ours in pairs)


def _issuer(value: str) -> str:
    if not is_endpoint(value) or urlsplit(value).query or urlsplit(value).fragment:
        raise UnusableValue("give the provider's issuer, such as https://login.hospital.example/realms/hospital")
    return value


def _group_roles(value: str) -> dict[str, Role]:
    return dict(_group_role(one) for one in value.split(",") if one.strip())


def _group_role(value: str) -> tuple[str, Role]:
    group, _, role = value.rpartition("=")
    if not group.strip() or role.strip() not in {str(int(one)) for one in HUMAN_ROLES}:
        raise UnusableValue(f"give groups and roles such as nurses=1,supervisors=2,admins=10, not “{value.strip()}”")
    return group.strip(), Role(int(role))


def _new_role(value: str) -> Role | None:
    role = one_of("1", "2", "none")(value)
    return None if role == "none" else Role(int(role))


def _proxy(value: str) -> str:
    try:
        parts = urlsplit(value)
        is_proxy = parts.scheme == "http" and bool(parts.hostname) and bool(parts.port) and not parts.path.strip("/")
    except ValueError:
        is_proxy = False
    if not is_proxy:
        raise UnusableValue("give a URL such as http://proxy.hospital.example:3128")
    return value


def _proxies(value: str) -> tuple[str, ...]:
    proxies = split_list(value)
    for proxy in proxies:
        try:
            network = ip_network(proxy)
        except ValueError:
            raise UnusableValue(f"give IP addresses or networks such as 10.0.0.5,10.1.0.0/24, not “{proxy}”") from None
        # A client in it chooses the address that is limited and logged.
        if network.prefixlen < (_MIN_PRIVATE_PREFIX if network.is_private else _MIN_PUBLIC_PREFIX[network.version]):
            raise UnusableValue(
                f"“{proxy}” is a network in which clients could invent their addresses; give those of your balancers, "
                "such as 10.0.0.5,10.1.0.0/24"
            )
    return proxies


DATABASE_URL = Setting(
    name="DATABASE_URL",
    parse=_database,
    is_secret=True,
    doctor_line="database",
    help="the database, such as postgresql://consumo:secret@db.example/consumo",
)
DATABASE_PASSWORD = Setting(
    name="DATABASE_PASSWORD",
    parse=text,
    is_secret=True,
    doctor_line="database",
    help="the password of that URL, if it is not in it",
)
REPORTS_DATABASE_URL = Setting(
    name="REPORTS_DATABASE_URL",
    parse=_replica,
    is_secret=True,
    doctor_line="reports database",
    help="a PostgreSQL replica of it, from which reports and exports are read",
)
HOST = Setting(
    name="HOST",
    parse=_address,
    default="127.0.0.1",
    of_process=True,
    help="the IP address on which the server listens",
)
PORT = Setting(
    name="PORT",
    parse=whole_number(1, 65_535),
    default="8000",
    of_process=True,
    help="the port on which the server listens",
)
PUBLIC_URL = Setting(
    name="PUBLIC_URL",
    parse=_origin,
    doctor_line="public address",
    help="the address at which browsers reach Consumo",
)
SECRET_KEY = Setting(
    name="SECRET_KEY", parse=secret, is_secret=True, help="signs session tokens; at least 32 characters"
)
SECRET_KEY_OLD = Setting(
    name="SECRET_KEY_OLD",
    parse=secret,
    is_secret=True,
    help="the previous key, whose tokens stay valid until they expire",
)
TOKEN_HOURS = Setting(
    name="TOKEN_HOURS",
    parse=whole_number(1, 24 * 365),
    default="12",
    help="session lifetime: hours after which an unused session ends",
)
IDLE_MINUTES = Setting(
    name="IDLE_MINUTES",
    parse=whole_number(0, MAX_IDLE_MINUTES),
    default="15",
    page_field="idle_minutes",
    help="idle timeout: minutes without a key or touch after which the screen locks",
)
ASK_ABOVE_TOTAL = Setting(
    name="ASK_ABOVE_TOTAL",
    parse=amount,
    default="500.00",
    page_field="ask_above_total",
    help="line total above which users who see prices are asked to confirm the quantity",
)
QUICK_UNLOCK = Setting(
    name="QUICK_UNLOCK",
    parse=_unlocking_roles,
    default="1,2",
    help="roles that may unlock the screen with a PIN or a badge",
)
BADGE_ALONE = Setting(name="BADGE_ALONE", parse=on_or_off, default="off", help="on: a badge unlocks without the PIN")
OFFLINE = Setting(name="OFFLINE", parse=on_or_off, default="on", help="off: devices work only with the network")
CURRENCY = Setting(name="CURRENCY", parse=_currency, default="USD", page_field="currency", help="an ISO 4217 code")
NUMBER_FORMAT = Setting(
    name="NUMBER_FORMAT",
    parse=member_of(NumberFormat),
    default=NumberFormat.LANGUAGE,
    page_field="number_format",
    help="comma (1.250,00), point (1,250.00), or language for that of each user's language",
)
TIME_ZONE = Setting(
    name="TIME_ZONE",
    parse=_time_zone,
    default="UTC",
    page_field="time_zone",
    help="an IANA name, such as America/Mexico_City",
)
SHIFTS = Setting(
    name="SHIFTS",
    parse=_shift_starts,
    default="06:00,14:00,22:00",
    page_field="shift_starts",
    help="the starts of the shifts on the hospital's clock",
)
LETTERHEAD = Setting(
    name="LETTERHEAD",
    parse=_letterhead,
    page_field="name",
    help="the hospital's name and further lines of the letterhead of printed sheets and reports",
)
DFT_DESTINATION = Setting(
    name="DFT_DESTINATION",
    parse=_destination,
    doctor_line="billing destination",
    help="destination of billing messages (HL7 v2) about closed sheets",
)
DFT_SENDER = Setting(
    name="DFT_SENDER",
    parse=_application,
    default="CONSUMO",
    help="sending application and facility in these messages",
)
DFT_RECEIVER = Setting(name="DFT_RECEIVER", parse=_application, help="receiving application and facility")
DFT_CHARSET = Setting(name="DFT_CHARSET", parse=_charset, default="UTF-8", help="UTF-8, 8859/1, 8859/15 or ASCII")
DFT_PACK = Setting(
    name="DFT_PACK",
    parse=member_of(PackSegment),
    default=PackSegment.OBX,
    help="the segment for lot and serial number: OBX, ZCO or none",
)
DFT_TLS_CA = Setting(
    name="DFT_TLS_CA",
    parse=readable_file,
    doctor_line="billing destination",
    help="a file with the authority that signed the receiver's certificate",
)
DFT_TLS_CERT = Setting(
    name="DFT_TLS_CERT",
    parse=readable_file,
    doctor_line="billing destination",
    help="a file with the client certificate; set together with its key",
)
DFT_TLS_KEY = Setting(
    name="DFT_TLS_KEY",
    parse=readable_file,
    doctor_line="billing destination",
    help="a file with the key of the client certificate",
)
HL7_MAP = Setting(
    name="HL7_MAP",
    parse=Path,
    doctor_line="admission messages",
    help="a TOML file with the position of each value in HL7 messages",
)
HL7_AUTHORITY = Setting(
    name="HL7_AUTHORITY", parse=text, help="the authority that assigns record numbers (CX.4), with all its names"
)
HL7_CLASSES = Setting(name="HL7_CLASSES", parse=_classes, default="I,E", help="patient classes (PV1-2) that get sheets")
HL7_CLASS_MAP = Setting(
    name="HL7_CLASS_MAP", parse=_class_map, help="the hospital's own patient classes with those of HL7"
)
HL7_VISIT = Setting(
    name="HL7_VISIT",
    parse=member_of(VisitSource),
    default=VisitSource.NUMBER,
    help="what identifies a stay: number (PV1-19), or admission for a hospital without visit numbers",
)
HL7_PROCESSING = Setting(
    name="HL7_PROCESSING",
    parse=one_of("P", "T", "D"),
    default="P",
    help="P (production), T (test) or D (debugging), in MSH-11",
)
HL7_KEEP_DAYS = Setting(
    name="HL7_KEEP_DAYS",
    parse=whole_number(1, 3_650),
    default="90",
    help="days after which the text of a message is purged",
)
SECOND_FACTOR = Setting(
    name="SECOND_FACTOR",
    parse=_second_factor_roles,
    help="roles that need a passkey besides the password",
)
SECOND_FACTOR_FROM = Setting(name="SECOND_FACTOR_FROM", parse=_day, help="the first day of that, such as 2027-02-01")
SMTP_URL = Setting(
    name="SMTP_URL",
    parse=_mail_server,
    is_secret=True,
    doctor_line="mail server",
    help="such as smtp://user:password@mail.example:587?from=consumo@hospital.example",
)
OIDC_ISSUER = Setting(
    name="OIDC_ISSUER",
    parse=_issuer,
    doctor_line="sign-in",
    help="the hospital's identity provider: its issuer, exactly as it names itself",
)
OIDC_CLIENT_ID = Setting(name="OIDC_CLIENT_ID", parse=text, help="the id under which Consumo is registered there")
OIDC_CLIENT_SECRET = Setting(
    name="OIDC_CLIENT_SECRET", parse=text, is_secret=True, help="the secret of that registration"
)
OIDC_NAME = Setting(name="OIDC_NAME", parse=text, help="the name on the button Entrar con …")
OIDC_SCOPE = Setting(
    name="OIDC_SCOPE", parse=words, help="further scopes beside openid email profile, separated by blanks"
)
OIDC_ROLES = Setting(
    name="OIDC_ROLES",
    parse=_group_roles,
    help="groups of the provider and their roles, nurses=1,supervisors=2,admins=10",
)
OIDC_ROLE_CLAIM = Setting(
    name="OIDC_ROLE_CLAIM", parse=text, default="groups", help="the claim with the groups, in the ID token"
)
OIDC_CREATE = Setting(
    name="OIDC_CREATE",
    parse=on_or_off,
    default="on",
    help="off: people need an account of Consumo before they sign in",
)
OIDC_NEW_ROLE = Setting(
    name="OIDC_NEW_ROLE",
    parse=_new_role,
    default="1",
    help="the role of accounts that a sign-in creates, without groups: 1, 2 or none",
)
OIDC_TRUST_EMAIL = Setting(
    name="OIDC_TRUST_EMAIL",
    parse=on_or_off,
    default="off",
    help="on: the provider owns all its addresses, and need not say that an email is verified",
)
OIDC_PROMPT = Setting(
    name="OIDC_PROMPT",
    parse=member_of(Prompt),
    default=Prompt.LOGIN,
    help="login: the provider asks for the password each time, which shared tablets need",
)
OIDC_SESSION_HOURS = Setting(
    name="OIDC_SESSION_HOURS",
    parse=whole_number(1, 168),
    default="12",
    help="hours after which such a session ends, also in use",
)
OIDC_ONLY = Setting(
    name="OIDC_ONLY",
    parse=on_or_off,
    default="off",
    help="on: passwords, passkeys and their links are for administrators alone",
)
OIDC_LOGOUT = Setting(
    name="OIDC_LOGOUT", parse=on_or_off, default="off", help="on: signing out goes on at the provider"
)
OIDC_PROXY = Setting(name="OIDC_PROXY", parse=_proxy, doctor_line="sign-in", help="a proxy for calls to the provider")
WORKERS = Setting(
    name="WORKERS",
    parse=whole_number(1, 256),
    default="1",
    of_process=True,
    help="server processes; SQLite allows one",
)
POOL_SIZE = Setting(name="POOL_SIZE", parse=whole_number(1, 128), default="8", help="concurrent requests per process")
STATEMENT_TIMEOUT = Setting(
    name="STATEMENT_TIMEOUT",
    parse=whole_number(1, 3_600),
    default="30",
    help="seconds that PostgreSQL may spend on one statement",
)
LOCK_TIMEOUT = Setting(
    name="LOCK_TIMEOUT",
    parse=whole_number(1, 3_600),
    default="10",
    help="seconds to wait for another writer",
)
DRAIN_SECONDS = Setting(
    name="DRAIN_SECONDS",
    parse=whole_number(0, 300),
    default="0",
    of_process=True,
    help="seconds for which a stopping server keeps serving while it reports that it is not ready",
)
PROXIES = Setting(
    name="PROXIES",
    parse=_proxies,
    of_process=True,
    help="addresses or networks of the load balancers whose X-Forwarded-For is trusted",
)
LOG_FORMAT = Setting(
    name="LOG_FORMAT", parse=one_of("text", "json"), default="text", of_process=True, help="text or json"
)
METRICS_TOKEN = Setting(
    name="METRICS_TOKEN",
    parse=secret,
    is_secret=True,
    of_process=True,
    help="token for reading /metrics from another machine",
)
HOSPITALS = Setting(
    name=LIST, parse=text, of_process=True, doctor_line="settings", help="a TOML file that lists several hospitals"
)
HOSPITAL = Setting(name=CHOSEN, parse=text, of_process=True, help="the hospital of that list that this process is for")

SETTINGS: tuple[Setting[Any], ...] = tuple(one for one in vars().copy().values() if isinstance(one, Setting))

NAMES = names_of(SETTINGS)
NAMES_OF_PROCESS = names_of(one for one in SETTINGS if one.of_process)
