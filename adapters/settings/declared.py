"""Every setting, declared once: name, kind, default and one line of help.

``docs/configuration.md`` has a row for each, ``consumo --help`` a line, and the server reads them in
``adapters/settings/read_settings.py``.
"""

from pathlib import Path
from typing import Any

from adapters.hl7.adt_parser import VisitSource
from adapters.hl7.dft_message import PackSegment
from adapters.hospital.hospital_list import CHOSEN, LIST
from adapters.oidc.client import Prompt
from adapters.setting_values.kinds import (
    Setting,
    amount,
    member_of,
    names_of,
    on_or_off,
    one_of,
    readable_file,
    secret,
    text,
    whole_number,
    words,
)
from adapters.settings.readers import (
    _proxy,
    read_address,
    read_application,
    read_billed_waste,
    read_charset,
    read_class_map,
    read_classes,
    read_currency,
    read_database,
    read_day,
    read_destination,
    read_group_roles,
    read_issuer,
    read_letterhead,
    read_log_server,
    read_mail_server,
    read_new_role,
    read_origin,
    read_proxies,
    read_replica,
    read_second_factor_roles,
    read_shift_starts,
    read_time_zone,
    read_unlocking_roles,
)
from domain.hospital.settings import (
    MAX_IDLE_MINUTES,
    NumberFormat,
)

DATABASE_URL = Setting(
    name="DATABASE_URL",
    parse=read_database,
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
    parse=read_replica,
    is_secret=True,
    doctor_line="reports database",
    help="a PostgreSQL replica of the database, for reports and exports",
)
POOLER_URL = Setting(
    name="POOLER_URL",
    parse=read_replica,
    is_secret=True,
    doctor_line="pooler",
    help="a connection pooler in transaction mode, for requests; work that needs a session bypasses it",
)
LITESTREAM_SOCKET = Setting(
    name="LITESTREAM_SOCKET",
    parse=Path,
    help="the control socket of the Litestream that copies the SQLite file, such as /run/consumo-litestream/socket",
)
HOST = Setting(
    name="HOST",
    parse=read_address,
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
    parse=read_origin,
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
    help="the previous key; its tokens stay valid until they expire",
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
    help="idle timeout: minutes without input after which the screen locks",
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
    parse=read_unlocking_roles,
    default="1,2",
    help="roles that may unlock the screen with a PIN or a badge",
)
BADGE_ALONE = Setting(name="BADGE_ALONE", parse=on_or_off, default="off", help="on: a badge unlocks without the PIN")
OFFLINE = Setting(name="OFFLINE", parse=on_or_off, default="on", help="off: devices work only with the network")
CURRENCY = Setting(name="CURRENCY", parse=read_currency, default="USD", page_field="currency", help="an ISO 4217 code")
NUMBER_FORMAT = Setting(
    name="NUMBER_FORMAT",
    parse=member_of(NumberFormat),
    default=NumberFormat.LANGUAGE,
    page_field="number_format",
    help="comma (1.250,00), point (1,250.00), or language for that of each user's language",
)
TIME_ZONE = Setting(
    name="TIME_ZONE",
    parse=read_time_zone,
    default="UTC",
    page_field="time_zone",
    help="an IANA name, such as America/Mexico_City",
)
SHIFTS = Setting(
    name="SHIFTS",
    parse=read_shift_starts,
    default="06:00,14:00,22:00",
    page_field="shift_starts",
    help="start times of the shifts in the hospital's time zone",
)
BILLED_WASTE = Setting(
    name="BILLED_WASTE",
    parse=read_billed_waste,
    default="opened,dropped,defective,expired",
    page_field="billed_waste",
    help="waste charged to the patient: opened, dropped, defective, expired; or none",
)
LETTERHEAD = Setting(
    name="LETTERHEAD",
    parse=read_letterhead,
    page_field="name",
    help="the hospital's name and further lines of the letterhead of printed sheets and reports",
)
DFT_DESTINATION = Setting(
    name="DFT_DESTINATION",
    parse=read_destination,
    doctor_line="billing destination",
    help="destination of billing messages (HL7 v2) about closed sheets",
)
DFT_SENDER = Setting(
    name="DFT_SENDER",
    parse=read_application,
    default="CONSUMO",
    help="sending application and facility in these messages",
)
DFT_RECEIVER = Setting(name="DFT_RECEIVER", parse=read_application, help="receiving application and facility")
DFT_CHARSET = Setting(name="DFT_CHARSET", parse=read_charset, default="UTF-8", help="UTF-8, 8859/1, 8859/15 or ASCII")
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
AUDIT_DESTINATION = Setting(
    name="AUDIT_DESTINATION",
    parse=read_log_server,
    doctor_line="audit destination",
    help="log server that gets the audit log, such as syslog-tls://logs.example:6514",
)
AUDIT_TLS_CA = Setting(
    name="AUDIT_TLS_CA",
    parse=readable_file,
    doctor_line="audit destination",
    help="a file with the authority that signed the log server's certificate",
)
AUDIT_TLS_CERT = Setting(
    name="AUDIT_TLS_CERT",
    parse=readable_file,
    doctor_line="audit destination",
    help="a file with the client certificate; set together with its key",
)
AUDIT_TLS_KEY = Setting(
    name="AUDIT_TLS_KEY",
    parse=readable_file,
    doctor_line="audit destination",
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
HL7_CLASSES = Setting(
    name="HL7_CLASSES", parse=read_classes, default="I,E", help="patient classes (PV1-2) that get sheets"
)
HL7_CLASS_MAP = Setting(
    name="HL7_CLASS_MAP", parse=read_class_map, help="the hospital's own patient classes with their HL7 classes"
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
    parse=read_second_factor_roles,
    help="roles that need a passkey besides the password",
)
SECOND_FACTOR_FROM = Setting(
    name="SECOND_FACTOR_FROM", parse=read_day, help="the day from which these roles need a passkey, such as 2027-02-01"
)
SMTP_URL = Setting(
    name="SMTP_URL",
    parse=read_mail_server,
    is_secret=True,
    doctor_line="mail server",
    help="such as smtp://user:password@mail.example:587?from=consumo@hospital.example",
)
OIDC_ISSUER = Setting(
    name="OIDC_ISSUER",
    parse=read_issuer,
    doctor_line="sign-in",
    help="the issuer of the hospital's identity provider, exactly as the provider states it",
)
OIDC_CLIENT_ID = Setting(name="OIDC_CLIENT_ID", parse=text, help="the id under which Consumo is registered there")
OIDC_CLIENT_SECRET = Setting(
    name="OIDC_CLIENT_SECRET", parse=text, is_secret=True, help="the secret of that registration"
)
OIDC_NAME = Setting(name="OIDC_NAME", parse=text, help="the name on the button Ingresar con …")
OIDC_SCOPE = Setting(
    name="OIDC_SCOPE", parse=words, help="additional scopes besides openid email profile, separated by spaces"
)
OIDC_ROLES = Setting(
    name="OIDC_ROLES",
    parse=read_group_roles,
    help="groups of the provider and their roles, nurses=1,supervisors=2,admins=10",
)
OIDC_ROLE_CLAIM = Setting(
    name="OIDC_ROLE_CLAIM", parse=text, default="groups", help="the claim with the groups, in the ID token"
)
OIDC_CREATE = Setting(
    name="OIDC_CREATE",
    parse=on_or_off,
    default="on",
    help="off: users need a Consumo account before they sign in",
)
OIDC_NEW_ROLE = Setting(
    name="OIDC_NEW_ROLE",
    parse=read_new_role,
    default="1",
    help="without groups, the role of accounts that a sign-in creates: 1, 2 or none",
)
OIDC_TRUST_EMAIL = Setting(
    name="OIDC_TRUST_EMAIL",
    parse=on_or_off,
    default="off",
    help="on: the provider's emails count as verified without its claim",
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
    help="hours after which a session begun at the provider ends, even in use",
)
OIDC_ONLY = Setting(
    name="OIDC_ONLY",
    parse=on_or_off,
    default="off",
    help="on: only administrators have passwords, passkeys and their links",
)
OIDC_LOGOUT = Setting(
    name="OIDC_LOGOUT", parse=on_or_off, default="off", help="on: signing out also signs out at the provider"
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
    parse=read_proxies,
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
HOSPITAL = Setting(name=CHOSEN, parse=text, of_process=True, help="the hospital of that list that this process serves")

SETTINGS: tuple[Setting[Any], ...] = tuple(one for one in vars().copy().values() if isinstance(one, Setting))

NAMES = names_of(SETTINGS)
NAMES_OF_PROCESS = names_of(one for one in SETTINGS if one.of_process)
