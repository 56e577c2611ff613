"""Settings from environment variables, typed and validated."""

import difflib
import os
import re
import secrets
import unicodedata
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from sqlalchemy import make_url

from adapters.files.whole_files import write_file
from adapters.hl7.adt_parser import VisitSource
from adapters.hl7.dft_message import Conventions
from adapters.hospital.hospital_list import (
    CHOSEN,
    HOST_NAMES,
    LIST,
    ListedHospital,
    choose_hospital,
    read_hospital_list,
)
from adapters.oidc.client import OidcClient
from adapters.setting_values.destination import Destination
from adapters.setting_values.invalid_setting import InvalidSetting
from adapters.setting_values.kinds import FILE_SUFFIX, MIN_SECRET_LENGTH, PREFIX, Setting, readable_file
from adapters.setting_values.mail_server import MailServer
from adapters.setting_values.public_origin import origin_of
from adapters.settings import declared
from adapters.settings.declared import NAMES, NAMES_OF_PROCESS, SETTINGS
from adapters.sql.engine.connections import CHECKPOINT_PAGES, FALLBACK_CHECKPOINT_PAGES, to_url
from application.accounts.sessions.oidc_rules import OidcRules
from domain.accounts.passkey import SecondFactorRule
from domain.accounts.quick_unlock import QuickUnlock
from domain.hospital.settings import HospitalSettings
from domain.people.patient import authority_names

# User and password before the host, and what follows a question mark.
_SECRET_IN_URL = re.compile(r"(?<=://)[^/?#\s]*@|[?#]\S*")


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
    pooler_url: str | None = field(default=None, repr=False)
    litestream_socket: Path | None = None
    proxies: tuple[str, ...] = ()
    offline: bool = True
    dft_destination: Destination | None = None
    dft_conventions: Conventions = field(default_factory=Conventions)
    audit_destination: Destination | None = None
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
    def checkpoint_pages(self) -> int:
        """Return after how many pages of log a commit checkpoints."""
        return FALLBACK_CHECKPOINT_PAGES if self.litestream_socket else CHECKPOINT_PAGES

    @property
    def tokens_last(self) -> timedelta:
        """Return the lifetime of an unused session."""
        return timedelta(hours=self.token_hours)


def read_settings(environment: Mapping[str, str] = os.environ, *, folder: Path = Path("var")) -> Settings:
    """Read the settings of the hospital of this process.

    ``folder`` stores generated values of settings that are not set. Raise ``InvalidSetting``.
    """
    given, hospital = _given_to_hospital(environment)
    if hospital is not None:
        folder /= hospital.name
    database_url = _database_url(given, folder)
    on_sqlite = database_url.startswith("sqlite")
    # For inbound and outbound messages.
    hl7_authority, hl7_processing = declared.HL7_AUTHORITY.find(given), declared.HL7_PROCESSING.read(given)
    settings = Settings(
        name=hospital.name if hospital else "",
        host_names=_host_names(hospital.own.get(HOST_NAMES, ""), given) if hospital else frozenset(),
        database_url=database_url,
        host=declared.HOST.read(given),
        port=declared.PORT.read(given),
        secret_key=declared.SECRET_KEY.find(given) or _stored_secret_key(folder),
        workers=declared.WORKERS.read(given),
        hospital=_hospital(given),
        token_hours=declared.TOKEN_HOURS.read(given),
        mail_server=declared.SMTP_URL.find(given),
        public_address=_public_address(given),
        pool_size=declared.POOL_SIZE.read(given),
        statement_timeout=declared.STATEMENT_TIMEOUT.read(given),
        # In SQLite a writer waits for every other one, such as an import.
        lock_timeout=declared.LOCK_TIMEOUT.read(given, "30" if on_sqlite else None),
        old_secret_key=declared.SECRET_KEY_OLD.find(given),
        log_format=declared.LOG_FORMAT.read(given),
        metrics_token=declared.METRICS_TOKEN.find(given),
        reports_database_url=declared.REPORTS_DATABASE_URL.find(given),
        pooler_url=declared.POOLER_URL.find(given),
        litestream_socket=declared.LITESTREAM_SOCKET.find(given),
        drain_seconds=declared.DRAIN_SECONDS.read(given),
        proxies=declared.PROXIES.read(given),
        hl7_map=declared.HL7_MAP.find(given),
        hl7_authority=hl7_authority,
        hl7_classes=declared.HL7_CLASSES.read(given),
        hl7_class_map=declared.HL7_CLASS_MAP.read(given),
        hl7_visit=declared.HL7_VISIT.read(given),
        hl7_processing=hl7_processing,
        hl7_keep_days=declared.HL7_KEEP_DAYS.read(given),
        quick_unlock=QuickUnlock(declared.QUICK_UNLOCK.read(given), badge_alone=declared.BADGE_ALONE.read(given)),
        offline=declared.OFFLINE.read(given),
        oidc=_oidc_client(given),
        oidc_rules=_oidc_rules(given),
        oidc_name=declared.OIDC_NAME.find(given),
        second_factor=_second_factor(given),
        dft_destination=_destination(
            given, declared.DFT_DESTINATION, declared.DFT_TLS_CA, declared.DFT_TLS_CERT, declared.DFT_TLS_KEY
        ),
        audit_destination=_destination(
            given, declared.AUDIT_DESTINATION, declared.AUDIT_TLS_CA, declared.AUDIT_TLS_CERT, declared.AUDIT_TLS_KEY
        ),
        dft_conventions=Conventions(
            sender=declared.DFT_SENDER.read(given),
            receiver=declared.DFT_RECEIVER.read(given),
            charset=declared.DFT_CHARSET.read(given),
            processing=hl7_processing,
            authority=next(iter(authority_names(hl7_authority)), ""),
            pack=declared.DFT_PACK.read(given),
        ),
    )
    if on_sqlite and settings.reports_database_url:
        raise InvalidSetting("CONSUMO_REPORTS_DATABASE_URL: only PostgreSQL has replicas; leave it out on SQLite.")
    if on_sqlite and settings.pooler_url:
        raise InvalidSetting("CONSUMO_POOLER_URL: poolers are for PostgreSQL; leave it out on SQLite.")
    if settings.litestream_socket and not on_sqlite:
        raise InvalidSetting("CONSUMO_LITESTREAM_SOCKET: Litestream copies SQLite files; leave it out on PostgreSQL.")
    if on_sqlite and settings.workers > 1:
        raise InvalidSetting("CONSUMO_WORKERS: SQLite takes one writing process; set it to 1 or use PostgreSQL.")
    if settings.second_factor.roles and settings.passkey_host is None:
        raise InvalidSetting(
            "CONSUMO_SECOND_FACTOR: browsers allow passkeys only over https and by name: set CONSUMO_PUBLIC_URL to an "
            "address such as https://consumo.example."
        )
    return settings


def _given_to_hospital(environment: Mapping[str, str]) -> tuple[dict[str, str], ListedHospital | None]:
    """Return the settings that are given to the hospital of this process."""
    given = _given(environment)
    hospital = choose_hospital(read_hospital_list(given, NAMES, NAMES_OF_PROCESS), given)
    given |= _secrets_in_files(given)
    if hospital is not None:
        for name, value in hospital.own.items():
            _raise_if_unseen(name, value)
        given = hospital.settings_within(given, {**hospital.own, **_secrets_in_files(hospital.own)})
    return given, hospital


def shown_settings(environment: Mapping[str, str] = os.environ) -> dict[str, str | None]:
    """Return the given settings by variable; None stands for a secret.

    What may be a secret in an address is left out.
    """
    given, _ = _given_to_hospital(environment)
    return {
        one.variable: None if one.is_secret else _without_secret(given[one.name])
        for one in SETTINGS
        if one.name in given
    }


def _without_secret(value: str) -> str:
    return _SECRET_IN_URL.sub("", value) if "://" in value else value


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
    listed = read_hospital_list(given, NAMES, NAMES_OF_PROCESS)
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
        name.removeprefix(PREFIX): value.strip()
        for name, value in environment.items()
        if name.startswith(PREFIX) and value.strip()
    }
    for name in NAMES & given.keys():
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
        if name.startswith(PREFIX) and (unknown := name.removeprefix(PREFIX)) not in NAMES:
            near = difflib.get_close_matches(unknown, sorted(NAMES), 1, 0.8)
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
    for one in SETTINGS:
        in_file = Setting(name=f"{one.name}{FILE_SUFFIX}", help=one.help, parse=readable_file)
        if not one.is_secret or (file := in_file.find(given)) is None:
            continue
        if one.name in given:
            raise InvalidSetting(f"{one.variable}, {in_file.variable}: give one of them, not both.")
        try:
            # Editors write a byte order mark.
            secret = file.read_bytes().decode("utf-8-sig").strip()
        except UnicodeDecodeError:
            raise InvalidSetting(f"{in_file.variable}: {file} is not UTF-8 text: save it as UTF-8.") from None
        if not secret:
            raise InvalidSetting(f"{in_file.variable}: {file} is empty.")
        _raise_if_unseen(in_file.name, secret)
        found[one.name] = secret
    return found


def _database_url(given: Mapping[str, str], folder: Path) -> str:
    url, password = declared.DATABASE_URL.find(given), declared.DATABASE_PASSWORD.find(given)
    if url is None:
        if password is not None:
            raise InvalidSetting("CONSUMO_DATABASE_PASSWORD: give CONSUMO_DATABASE_URL as well.")
        folder.mkdir(parents=True, exist_ok=True)
        return f"sqlite:///{folder / 'consumo.db'}"
    if password is None:
        return url
    if make_url(url).password is not None:
        raise InvalidSetting("CONSUMO_DATABASE_PASSWORD: leave the password out of CONSUMO_DATABASE_URL.")
    return make_url(url).set(password=password).render_as_string(hide_password=False)


def _destination(given: Mapping[str, str], address: Setting[Destination], *files: Setting[Path]) -> Destination | None:
    """Return a destination with its TLS files; None if it is not set.

    The files are the authority, the client certificate and its key.
    """
    destination = address.find(given)
    ca, cert, key = (one.find(given) for one in files)
    if destination is None or destination.folder:
        return destination
    if (cert is None) != (key is None):
        raise InvalidSetting(f"{files[1].variable}, {files[2].variable}: give both, or neither.")
    if (ca or cert) and not destination.tls:
        raise InvalidSetting(f"{address.variable}: over TLS it begins with mllps://.")
    return replace(destination, ca=ca, cert=cert, key=key)


def _oidc_client(given: Mapping[str, str]) -> OidcClient | None:
    """Return the registration at the identity provider; None if it is not set."""
    issuer, client_id = declared.OIDC_ISSUER.find(given), declared.OIDC_CLIENT_ID.find(given)
    if issuer is None:
        if others := sorted(name for name in given if name.startswith("OIDC_")):
            raise InvalidSetting(f"CONSUMO_OIDC_ISSUER: set it as well, or leave out CONSUMO_{others[0]}.")
        return None
    if client_id is None:
        raise InvalidSetting("CONSUMO_OIDC_CLIENT_ID: give the id under which Consumo is registered at the provider.")
    public_address = _public_address(given)
    return OidcClient(
        issuer=issuer,
        client_id=client_id,
        client_secret=declared.OIDC_CLIENT_SECRET.find(given),
        redirect_uri=f"{public_address}/auth/oidc/callback",
        home=f"{public_address}/auth/login",
        scope=tuple(dict.fromkeys(["openid", "email", "profile", *declared.OIDC_SCOPE.read(given)])),
        role_claim=declared.OIDC_ROLE_CLAIM.read(given) if declared.OIDC_ROLES.find(given) is not None else None,
        prompt=declared.OIDC_PROMPT.read(given),
        proxy=declared.OIDC_PROXY.find(given),
    )


def _oidc_rules(given: Mapping[str, str]) -> OidcRules:
    if declared.OIDC_ROLE_CLAIM.find(given) is not None and declared.OIDC_ROLES.find(given) is None:
        raise InvalidSetting("CONSUMO_OIDC_ROLES: set it as well, or leave out CONSUMO_OIDC_ROLE_CLAIM.")
    return OidcRules(
        roles=declared.OIDC_ROLES.read(given),
        new_role=declared.OIDC_NEW_ROLE.read(given),
        creates=declared.OIDC_CREATE.read(given),
        trusts_emails=declared.OIDC_TRUST_EMAIL.read(given),
        only=declared.OIDC_ONLY.read(given),
        signs_out_there=declared.OIDC_LOGOUT.read(given),
        sessions_last=timedelta(hours=declared.OIDC_SESSION_HOURS.read(given)),
    )


def _public_address(given: Mapping[str, str]) -> str:
    """Return the public base URL: links in emails begin with it."""
    host, port = declared.HOST.read(given), declared.PORT.read(given)
    return declared.PUBLIC_URL.find(given) or origin_of(f"http://{f'[{host}]' if ':' in host else host}:{port}")


def _second_factor(given: Mapping[str, str]) -> SecondFactorRule:
    """Return the roles that need a passkey, and from which day."""
    roles, from_day = declared.SECOND_FACTOR.find(given), declared.SECOND_FACTOR_FROM.find(given)
    if roles is None and from_day is None:
        return SecondFactorRule()
    if roles is None or from_day is None:
        raise InvalidSetting("CONSUMO_SECOND_FACTOR, CONSUMO_SECOND_FACTOR_FROM: give both, or neither.")
    return SecondFactorRule(roles, from_day)


def _hospital(given: Mapping[str, str]) -> HospitalSettings:
    """Return the settings of the hospital that are set here."""
    hospital = declared.LETTERHEAD.find(given) or HospitalSettings()
    fields = {one.page_field: one for one in SETTINGS if one.page_field and one is not declared.LETTERHEAD}
    return replace(hospital, **{name: one.read(given) for name, one in fields.items() if one.name in given})


def fixed_on_the_page(settings: Settings) -> list[str]:
    """Return the variables that win over what the page Hospital sets."""
    on_the_page = [one for one in SETTINGS if one.page_field]
    return sorted(one.variable for one in on_the_page if getattr(settings.hospital, one.page_field) is not None)


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


def _stored_secret_key(folder: Path) -> str:
    """Return the secret key from a private file, created on the first run."""
    kept = folder / "secret-key"
    if not kept.exists():
        folder.mkdir(parents=True, exist_ok=True)
        # The first file wins: two processes that start at once read the same key.
        with suppress(FileExistsError), write_file(kept, replace=False) as file:
            file.write(secrets.token_urlsafe(MIN_SECRET_LENGTH * 2).encode())
    key = kept.read_text().strip()
    if len(key) < MIN_SECRET_LENGTH:
        raise InvalidSetting(
            f"CONSUMO_SECRET_KEY: the key in {kept} is damaged; delete that file, and all users sign in again."
        )
    return key
