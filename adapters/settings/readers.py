"""How the values of settings are read; each raises ``InvalidSetting``."""

import re
from datetime import date, time
from ipaddress import ip_address, ip_network
from pathlib import Path
from urllib.parse import urlsplit

from adapters.hl7.adt_codes import PATIENT_CLASSES
from adapters.hl7.charset import ENCODINGS
from adapters.oidc.http import is_endpoint
from adapters.setting_values.destination import Destination
from adapters.setting_values.kinds import (
    UnusableValue,
    one_of,
    split_list,
)
from adapters.setting_values.mail_server import MailServer, parse_mail_server
from adapters.setting_values.public_origin import origin_of
from domain.common.policy import HUMAN_ROLES, Role
from domain.hospital.settings import (
    MAX_LETTERHEAD_LENGTH,
    MAX_LETTERHEAD_LINES,
    HospitalSettings,
    from_letterhead,
    is_currency,
    is_letterhead,
    is_time_zone,
    parse_billed_waste,
    parse_shift_starts,
)
from domain.hospital.use_reason import WASTE, UseReason
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


def read_database(value: str) -> str:
    if not _is_database(value, _DATABASES):
        raise UnusableValue(
            "give a URL such as sqlite:///consumo.db or postgresql://user@host/name, with @ in a password as %40"
        )
    return value


def read_replica(value: str) -> str:
    if not _is_database(value, _POSTGRESQL):
        raise UnusableValue("give a URL such as postgresql://user@replica/name")
    return value


def read_address(value: str) -> str:
    try:
        return str(ip_address(value))
    except ValueError:
        raise UnusableValue(f"give an IP address such as 127.0.0.1 or 0.0.0.0, not “{value}”") from None


def read_origin(value: str) -> str:
    try:
        return origin_of(value)
    except ValueError as error:
        raise UnusableValue(
            f"give the address at which browsers reach Consumo, such as https://consumo.example: {error}"
        ) from None


def read_mail_server(value: str) -> MailServer:
    try:
        return parse_mail_server(value)
    except ValueError as error:
        raise UnusableValue(
            "give a URL such as smtp://user:password@mail.example:587?from=consumo@example.org, with "
            f"/ # ? : @ % in user and password as %2F %23 %3F %3A %40 %25: {error}"
        ) from None


def read_unlocking_roles(value: str) -> frozenset[Role]:
    if value == "off":
        return frozenset()
    names = {str(int(role)): role for role in HUMAN_ROLES}
    listed = [name.strip() for name in value.split(",")]
    if not names.keys() >= set(listed):
        raise UnusableValue(f"give the roles that may use a PIN, such as 1,2, or off, not “{value}”")
    return frozenset(names[name] for name in listed)


def read_second_factor_roles(value: str) -> frozenset[Role]:
    known = {str(int(role)): role for role in sorted(HUMAN_ROLES)}
    roles = [one.strip() for one in value.split(",")]
    if not known.keys() >= set(roles):
        raise UnusableValue(f"give roles such as 2,10 out of {', '.join(known)}")
    return frozenset(known[role] for role in roles)


def read_day(value: str) -> date:
    try:
        return date.fromisoformat(value)
    except ValueError:
        raise UnusableValue("give a day such as 2027-02-01") from None


def read_currency(value: str) -> str:
    if not is_currency(value):
        raise UnusableValue(f"give an ISO 4217 code such as USD or MXN, not “{value}”")
    return value


def read_time_zone(value: str) -> str:
    if not is_time_zone(value):
        raise UnusableValue(f"give an IANA name such as America/Mexico_City, not “{value}”")
    return value


def read_shift_starts(value: str) -> tuple[time, ...]:
    """Return the starts of the shifts in order of time."""
    starts = parse_shift_starts(one for one in value.split(",") if one.strip())
    if starts is None:
        raise UnusableValue(
            f"give {MIN_SHIFTS} to {MAX_SHIFTS} different starts of shifts, such as 06:00,14:00,22:00, not “{value}”"
        )
    return starts


def read_billed_waste(value: str) -> tuple[UseReason, ...]:
    """Return the reasons of waste for which the patient is charged."""
    reasons = parse_billed_waste(() if value.strip() == "none" else value.split(","))
    if reasons is None:
        raise UnusableValue(f"give {', '.join(WASTE)}, or none, not “{value}”")
    return reasons


def read_letterhead(value: str) -> HospitalSettings:
    lines = tuple(line.strip() for line in value.split("|") if line.strip())
    if not is_letterhead(lines):
        raise UnusableValue(
            f"at most {MAX_LETTERHEAD_LINES} lines of {MAX_LETTERHEAD_LENGTH} characters, with | between"
        )
    return from_letterhead(lines)


def read_destination(value: str) -> Destination:
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


def read_log_server(value: str) -> Destination:
    """Read the address of a log server, which is always reached over TLS."""
    wrong = UnusableValue("give an address such as syslog-tls://logs.example:6514")
    try:
        asked = urlsplit(value)
        port = asked.port
    except ValueError:
        raise wrong from None
    if asked.scheme != "syslog-tls" or not asked.hostname or not port or asked.path not in ("", "/"):
        raise wrong
    return Destination(host=asked.hostname, port=port, tls=True)


def read_application(value: str) -> tuple[str, str]:
    """Split a name into application and facility at the bar."""
    application, _, facility = value.partition("|")
    if "|" in facility:
        raise UnusableValue("give an application and its facility, such as BILLING|HOSPITAL")
    return application.strip(), facility.strip()


def read_charset(value: str) -> str:
    charset = "UNICODE UTF-8" if value == "UTF-8" else value
    if charset not in ENCODINGS:
        raise UnusableValue(f"give UTF-8, 8859/1, 8859/15 or ASCII, not “{value}”")
    return charset


def read_classes(value: str) -> tuple[str, ...]:
    classes = split_list(value)
    if not classes or any(not re.fullmatch(r"[A-Za-z0-9]{1,5}", one) for one in classes):
        raise UnusableValue(f"give patient classes such as I,E, not “{value}”")
    return classes


def read_class_map(value: str) -> tuple[tuple[str, str], ...]:
    """Return the hospital's patient classes with those of HL7."""
    pairs = [one.rpartition("=") for one in value.split(",") if one.strip()]
    for theirs, _, ours in pairs:
        if not theirs.strip() or ours.strip() not in PATIENT_CLASSES:
            raise UnusableValue(
                f"give the hospital's patient classes with those of HL7 ({', '.join(PATIENT_CLASSES)}), such as "
                f"HOSP=I,URG=E,AMB=O, not “{value}”"
            )
    return tuple((theirs.strip(), ours.strip()) for theirs, _, ours in pairs)


def read_issuer(value: str) -> str:
    if not is_endpoint(value) or urlsplit(value).query or urlsplit(value).fragment:
        raise UnusableValue("give the provider's issuer, such as https://login.hospital.example/realms/hospital")
    return value


def read_group_roles(value: str) -> dict[str, Role]:
    return dict(_group_role(one) for one in value.split(",") if one.strip())


def _group_role(value: str) -> tuple[str, Role]:
    group, _, role = value.rpartition("=")
    if not group.strip() or role.strip() not in {str(int(one)) for one in HUMAN_ROLES}:
        raise UnusableValue(f"give groups and roles such as nurses=1,supervisors=2,admins=10, not “{value.strip()}”")
    return group.strip(), Role(int(role))


def read_new_role(value: str) -> Role | None:
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


def read_proxies(value: str) -> tuple[str, ...]:
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
