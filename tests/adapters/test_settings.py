"""Settings from environment variables: defaults, values and errors."""

import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date, time, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from adapters.hl7.dft_message import Conventions, PackSegment
from adapters.oidc.client import OidcClient, Prompt
from adapters.setting_values.destination import Destination
from adapters.setting_values.invalid_setting import InvalidSetting
from adapters.setting_values.kinds import MIN_SECRET_LENGTH
from adapters.setting_values.mail_server import MailServer
from adapters.settings.declared import SETTINGS
from adapters.settings.read_settings import Settings, fixed_on_the_page, read_settings, unknown_settings
from application.accounts.sessions.oidc_rules import OidcRules
from domain.accounts.passkey import SecondFactorRule
from domain.common.policy import Role
from domain.hospital.settings import HospitalSettings, effective

Read = Callable[..., Settings]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    return lambda **given: read_settings({f"CONSUMO_{name}": value for name, value in given.items()}, folder=tmp_path)


def test_defaults_serve_locally_with_a_database_file(read: Read, tmp_path: Path) -> None:
    settings = read()
    assert settings.database_url == f"sqlite:///{tmp_path / 'consumo.db'}"
    assert (settings.host, settings.port, settings.workers) == ("127.0.0.1", 8000, 1)
    assert settings.token_hours == 12
    assert settings.hospital == HospitalSettings()
    assert effective(settings.hospital) == effective()
    assert effective().currency == "USD"
    assert effective().time_zone == "UTC"
    assert (settings.pool_size, settings.statement_timeout, settings.lock_timeout) == (8, 30, 30)
    assert settings.tokens_last == timedelta(hours=12)
    assert effective().idle_minutes == 15
    assert settings.offline
    assert effective().shift_starts == (time(6), time(14), time(22))


def test_passkeys_need_https_and_a_name(read: Read) -> None:
    hosts = {
        "http://127.0.0.1:8000": "localhost",
        "http://[::1]:8000": "localhost",
        "http://localhost": "localhost",
        "https://consumo.example": "consumo.example",
        "https://Consumo.example:8443": "consumo.example",
        "https://127.0.0.1": None,
        "http://consumo.example": None,
        "https://192.0.2.7": None,
        "https://[2001:db8::7]": None,
    }
    assert {address: read(PUBLIC_URL=address).passkey_host for address in hosts} == hosts


def test_roles_need_a_second_factor_from_a_day(read: Read) -> None:
    address = "https://consumo.example"
    rule = read(SECOND_FACTOR="2, 10", SECOND_FACTOR_FROM="2027-02-01", PUBLIC_URL=address).second_factor
    assert rule == SecondFactorRule(frozenset({Role.SUPERVISOR, Role.ADMIN}), date(2027, 2, 1))
    assert rule.due_on(Role.ADMIN) == date(2027, 2, 1)
    assert rule.due_on(Role.USER) is None
    assert rule.is_in_force(Role.ADMIN, date(2027, 2, 1))
    assert not rule.is_in_force(Role.ADMIN, date(2027, 1, 31))
    assert not read().second_factor.is_in_force(Role.ADMIN, date(2027, 2, 1))
    for given, named in (
        ({"SECOND_FACTOR": "2"}, "CONSUMO_SECOND_FACTOR_FROM"),
        ({"SECOND_FACTOR_FROM": "2027-02-01"}, "CONSUMO_SECOND_FACTOR_FROM"),
        ({"SECOND_FACTOR": "30", "SECOND_FACTOR_FROM": "2027-02-01"}, "CONSUMO_SECOND_FACTOR:"),
        ({"SECOND_FACTOR": "admin", "SECOND_FACTOR_FROM": "2027-02-01"}, "CONSUMO_SECOND_FACTOR:"),
        ({"SECOND_FACTOR": "2", "SECOND_FACTOR_FROM": "soon"}, "CONSUMO_SECOND_FACTOR_FROM:"),
        ({"SECOND_FACTOR": "2", "SECOND_FACTOR_FROM": "2027-02-01", "PUBLIC_URL": "http://192.0.2.7"}, "https"),
    ):
        with pytest.raises(InvalidSetting, match=named):
            read(**{"PUBLIC_URL": address, **given})


def test_every_setting_is_read(read: Read) -> None:
    settings = read(
        DATABASE_URL=" postgresql://u@h/d ",
        HOST="0.0.0.0",  # noqa: S104
        PORT="80",
        SECRET_KEY="k" * MIN_SECRET_LENGTH,
        WORKERS="4",
        CURRENCY="MXN",
        TIME_ZONE="America/Mexico_City",
        TOKEN_HOURS="8",
        POOL_SIZE="12",
        STATEMENT_TIMEOUT="60",
        LOCK_TIMEOUT="5",
        LETTERHEAD="Hospital San José | Av. Amazonas 123 |",
        OFFLINE="off",
    )
    assert settings.database_url == "postgresql://u@h/d"
    assert (settings.pool_size, settings.statement_timeout, settings.lock_timeout) == (12, 60, 5)
    assert (settings.host, settings.port, settings.workers) == ("0.0.0.0", 80, 4)  # noqa: S104
    assert settings.secret_key == "k" * MIN_SECRET_LENGTH
    assert not settings.offline
    assert effective(settings.hospital).lines == ("Hospital San José", "Av. Amazonas 123")
    assert effective(settings.hospital).name == "Hospital San José"
    assert (settings.hospital.currency, settings.hospital.time_zone) == ("MXN", "America/Mexico_City")
    assert settings.token_hours == 8


def test_the_destination_of_charges_is_read(read: Read, tmp_path: Path) -> None:
    assert read().dft_destination is None
    key = tmp_path / "key.pem"
    key.write_text("a key")
    settings = read(
        DFT_DESTINATION="mllps://billing.example:6661",
        DFT_SENDER="CONSUMO | HSJ",
        DFT_RECEIVER="BILLING",
        DFT_CHARSET="8859/1",
        DFT_PACK="ZCO",
        DFT_TLS_CERT=str(key),
        DFT_TLS_KEY=str(key),
        HL7_AUTHORITY="HSJ",
        HL7_PROCESSING="T",
    )
    assert settings.dft_destination == Destination(host="billing.example", port=6661, tls=True, cert=key, key=key)
    assert settings.dft_conventions == Conventions(
        sender=("CONSUMO", "HSJ"), receiver=("BILLING", ""), charset="8859/1", processing="T", authority="HSJ",
        pack=PackSegment.ZCO,
    )  # fmt: skip
    plain = read(DFT_DESTINATION="mllp://10.0.0.9:6661")
    assert (plain.dft_destination, plain.dft_conventions) == (Destination(host="10.0.0.9", port=6661), Conventions())
    assert read(DFT_DESTINATION=f"folder://{tmp_path}").dft_destination == Destination(folder=tmp_path)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(
            ("DFT_DESTINATION", url)
            for url in ("billing:6661", "mllp://billing", "mllp://:6661", "http://b:1", "folder:x")
        ),
        *(("DFT_DESTINATION", url) for url in ("mllp://b:99999", "mllp://b:1/path", "folder:///", "folder://host/x")),
        ("DFT_CHARSET", "latin-1"),
        ("DFT_PACK", "obx"),
        ("HL7_PROCESSING", "X"),
        ("HL7_VISIT", "PV1-19"),
        ("HL7_CLASS_MAP", "HOSP"),
        ("HL7_CLASS_MAP", "HOSP=X"),
        ("HL7_CLASS_MAP", "=I"),
        ("DFT_SENDER", "A|B|C"),
        ("DFT_TLS_CA", "/there/is/no/such/file"),
    ],
)
def test_an_invalid_destination_of_charges_is_reported(read: Read, name: str, value: str) -> None:
    with pytest.raises(InvalidSetting, match=f"CONSUMO_{name}"):
        read(**{"DFT_DESTINATION": "mllps://billing.example:6661"} | {name: value})


def test_tls_certificates_need_their_key_and_mllps(read: Read, tmp_path: Path) -> None:
    file = tmp_path / "ca.pem"
    file.write_text("a certificate")
    with pytest.raises(InvalidSetting, match="DFT_TLS_KEY: give both"):
        read(DFT_DESTINATION="mllps://b:1", DFT_TLS_CERT=str(file))
    with pytest.raises(InvalidSetting, match="begins with mllps"):
        read(DFT_DESTINATION="mllp://b:1", DFT_TLS_CA=str(file))


def test_the_log_server_is_always_reached_over_tls(read: Read, tmp_path: Path) -> None:
    assert read().audit_destination is None
    file = tmp_path / "ca.pem"
    file.write_text("a certificate")
    read_one = read(AUDIT_DESTINATION="syslog-tls://logs.example:6514", AUDIT_TLS_CA=str(file)).audit_destination
    assert read_one == Destination(host="logs.example", port=6514, tls=True, ca=file)
    for wrong in ("logs.example:6514", "syslog://logs.example:514", "syslog-tls://logs.example", "syslog-tls://:6514"):
        with pytest.raises(InvalidSetting, match="CONSUMO_AUDIT_DESTINATION"):
            read(AUDIT_DESTINATION=wrong)
    with pytest.raises(InvalidSetting, match="AUDIT_TLS_KEY: give both"):
        read(AUDIT_DESTINATION="syslog-tls://b:1", AUDIT_TLS_CERT=str(file))


def test_an_empty_setting_uses_the_default(read: Read) -> None:
    assert read(PORT="", CURRENCY="  ").port == 8000


@pytest.mark.parametrize("url", ["sqlite:///x.db", "sqlite://", "postgres://h/d", "postgresql+psycopg://u:p@h:5432/d"])
def test_supported_databases_are_accepted(read: Read, url: str) -> None:
    assert read(DATABASE_URL=url).database_url == url


NOT_IN_BROWSERS = ["localtime", "posix/Europe/Madrid", "right/Europe/Madrid", "posixrules", "Factory", "europe/madrid"]
NO_ORIGINS = [
    "consumo.example",
    "ftp://consumo.example",
    "https://",
    "https://consumo.example?x=1",
    "https://consumo.example?",
    "https://consumo.example/#/",
    "https://consumo.example/ward",
    "https://user:word@consumo.example",
    "https://consumo.example:0",
    "https://consumo.example:99999",
    "https://consumo.example:x",
    "https://consumo..example",
    "https://consumo example",
    "https://192.0.2.999",
    "https://straße.example",
    "https://[::1",
]
NO_MAIL_SERVERS = [
    "mail.example",
    "http://mail.example",
    "smtp://",
    "smtp://aviso:pa/ss@127.0.0.1:9025",
    "smtp://aviso:pa#ss@127.0.0.1:9025",
    "smtp://aviso:pa?ss@127.0.0.1:9025",
    "smtp://aviso:pa@ss@127.0.0.1:9025",
    "smtp://aviso:pa:ss@127.0.0.1:9025",
    "smtp://aviso:pa%ss@127.0.0.1:9025",
    "smtp://aviso:contraseña@127.0.0.1:9025",
    "smtp://mail.example:0",
    "smtp://mail.example:99999",
    "smtp://mail.example:port",
    "smtp://mail.example?from=no-address",
    "smtp://mail.example?from=a@b.c,d@e.f",
    "smtp://mail.example?from=avisó@b.c",
    "smtp://mail.example?tls=off",
    "smtp://mail.example?form=a@b.c",
]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        (
            "DATABASE_URL",
            ["x", "mysql://h/d", "postgresql+asyncpg://h/d", "sqlite+aiosqlite:///x", "postgresql://h:port/d", "://"],
        ),
        ("HOST", ["localhost", "nonsense", "127.0.0.1:80", "256.0.0.1", "0"]),
        ("PORT", ["0", "65536", "-1", "x", "80.0", "٨", "9" * 5000]),
        ("SECRET_KEY", ["short", "k" * (MIN_SECRET_LENGTH - 1)]),
        ("WORKERS", ["0", "-1", "x", "257"]),
        ("CURRENCY", ["usd", "US", "USDX", "€", "dollars", "XXX", "XTS", "XAU"]),
        ("TIME_ZONE", ["Mars/Base", "../../etc/passwd", "/etc/passwd", "America", "UTC+1", "\x00", *NOT_IN_BROWSERS]),
        ("TOKEN_HOURS", ["0", "8761", "1.5"]),
        ("POOL_SIZE", ["0", "129", "x"]),
        ("STATEMENT_TIMEOUT", ["0", "3601", "-1", "0.5"]),
        ("LOCK_TIMEOUT", ["0", "3601", "1s"]),
        ("SECRET_KEY_OLD", ["short", "k" * (MIN_SECRET_LENGTH - 1)]),
        ("METRICS_TOKEN", ["short", "k" * (MIN_SECRET_LENGTH - 1)]),
        ("REPORTS_DATABASE_URL", ["x", "sqlite:///x.db", "mysql://h/d", "postgresql://h/d"]),
        # The database of these tests is a file.
        ("POOLER_URL", ["x", "sqlite:///x.db", "postgresql://h/d"]),
        ("LOG_FORMAT", ["JSON", "xml", "logfmt"]),
        ("OFFLINE", ["no", "ON", "1"]),
        ("ASK_ABOVE_TOTAL", ["-1", "x", "1,5", "1.005", "1e3", "٨", "9" * 14, "NaN"]),
        ("DRAIN_SECONDS", ["-1", "301", "x"]),
        (
            "PROXIES",
            [
                "x",
                "10.0.0.1 10.0.0.2",
                "10.0.0.1/24",
                "localhost",
                "*",
                "0.0.0.0/0",
                "::/0",
                "0.0.0.0/1,128.0.0.0/1",
                "8.0.0.0/8",
                "2000::/3",
            ],
        ),
        ("SHIFTS", ["06:00", "6:00,14:00", "06:00,24:00", "06:00,06:00", "06,14,22", "00:00,01:00,02:00,03:00,04:00"]),
        ("LETTERHEAD", ["x" * 121, "|".join("abcdefg"), "Hospital\nSan José", "Hospital\u200b"]),
        ("PUBLIC_URL", NO_ORIGINS),
        ("SMTP_URL", NO_MAIL_SERVERS),
        ("DATABASE_URL", ["postgresql://u:p@ss@h/d", "postgresql://u:p@ss@h:1,g:2/d", "\u200bpostgresql://h/d"]),
    ],
)
def test_an_invalid_setting_is_reported_by_name(read: Read, name: str, values: list[str]) -> None:
    for value in values:
        with pytest.raises(InvalidSetting, match=f"^CONSUMO_{name}: .*\\.$"):
            read(**{name: value})


def test_proxies_are_addresses_and_networks(read: Read) -> None:
    assert read(PROXIES=" 10.0.0.5, fd00::/8,").proxies == ("10.0.0.5", "fd00::/8")
    assert read().proxies == ()


def test_the_amount_for_a_question_is_read(read: Read) -> None:
    assert effective(read().hospital).ask_above_total == Decimal(500)
    assert read(ASK_ABOVE_TOTAL="0").hospital.ask_above_total == 0
    assert read(ASK_ABOVE_TOTAL="1234.5").hospital.ask_above_total == Decimal("1234.50")


def test_starts_of_shifts_are_read_in_order(read: Read) -> None:
    assert read(SHIFTS=" 19:30, 07:30 ").hospital.shift_starts == (time(7, 30), time(19, 30))
    assert effective(read(SHIFTS="00:00,06:00,12:00,18:00").hospital).shift_starts[0] == time(0)


def test_sqlite_allows_only_one_process(read: Read) -> None:
    with pytest.raises(InvalidSetting, match="CONSUMO_WORKERS: SQLite takes one writing process"):
        read(WORKERS="2")
    assert read(WORKERS="2", DATABASE_URL="postgresql://h/d").workers == 2


def test_the_default_lock_timeout_is_shorter_on_postgresql(read: Read) -> None:
    assert read(DATABASE_URL="postgresql://h/d").lock_timeout == 10
    assert read().lock_timeout == 30


@pytest.mark.parametrize(
    ("given", "alone"),
    [
        ({}, True),
        ({"HOST": "::1"}, True),
        ({"PUBLIC_URL": "http://localhost:8000"}, True),
        ({"HOST": "0.0.0.0"}, False),  # noqa: S104
        ({"HOST": "10.0.0.5"}, False),
        ({"PUBLIC_URL": "https://consumo.example"}, False),
    ],
)
def test_a_local_server_is_recognised(read: Read, given: dict[str, str], alone: bool) -> None:
    assert read(**given).on_this_machine_alone is alone


def test_a_replica_must_be_postgresql(read: Read) -> None:
    urls = {"DATABASE_URL": "postgresql://h/d", "REPORTS_DATABASE_URL": "postgresql://replica/d"}
    assert read(**urls).reports_database_url == "postgresql://replica/d"
    assert read(DATABASE_URL="postgresql://h/d").reports_database_url is None


def test_repr_hides_secrets(read: Read) -> None:
    secrets = {name: f"hidden-{name}" * 4 for name in ("SECRET_KEY", "SECRET_KEY_OLD", "METRICS_TOKEN")}
    shown = repr(read(DATABASE_URL="postgresql://u:hidden-one@h/d", SMTP_URL="smtp://u:hidden@h", **secrets))
    assert "hidden" not in shown


# --- the stored key --------------------------------------------------------------------------------------------------


def test_a_key_is_created_once_in_a_private_file(read: Read, tmp_path: Path) -> None:
    key = read().secret_key
    assert len(key) > MIN_SECRET_LENGTH
    assert read().secret_key == key
    kept = tmp_path / "secret-key"
    assert kept.read_text() == key
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [kept]


def test_two_folders_have_different_keys(read: Read, tmp_path: Path) -> None:
    assert read_settings({}, folder=tmp_path / "other").secret_key != read().secret_key


def test_a_configured_key_is_not_stored(read: Read, tmp_path: Path) -> None:
    read(SECRET_KEY="k" * MIN_SECRET_LENGTH)
    assert list(tmp_path.iterdir()) == []


def test_concurrent_processes_agree_on_the_key(read: Read) -> None:
    with ThreadPoolExecutor(8) as pool:
        keys = list(pool.map(lambda _: read().secret_key, range(40)))
    assert len(set(keys)) == 1


@pytest.mark.parametrize("damage", ["", "\n", "half-a-key"])
def test_a_damaged_key_is_refused(read: Read, tmp_path: Path, damage: str) -> None:
    (tmp_path / "secret-key").write_text(damage)
    with pytest.raises(InvalidSetting, match=r"CONSUMO_SECRET_KEY: .*secret-key is damaged"):
        read()


OIDC = {"OIDC_ISSUER": "https://login.test/realms/h", "OIDC_CLIENT_ID": "consumo"}


def test_an_identity_provider_is_configured(read: Read) -> None:
    assert read().oidc is None
    assert read().oidc_rules == OidcRules()
    client = read(**OIDC, PUBLIC_URL="https://consumo.test/").oidc
    assert client == OidcClient(
        issuer="https://login.test/realms/h",
        client_id="consumo",
        redirect_uri="https://consumo.test/auth/oidc/callback",
        home="https://consumo.test/auth/login",
    )
    settings = read(
        **OIDC,
        OIDC_CLIENT_SECRET="s",
        OIDC_SCOPE="groups openid",
        OIDC_ROLES="nurses=1, chief nurses = 2,a=b=10",
        OIDC_ROLE_CLAIM="realm_access.roles",
        OIDC_CREATE="off",
        OIDC_NEW_ROLE="none",
        OIDC_TRUST_EMAIL="on",
        OIDC_PROMPT="select_account",
        OIDC_SESSION_HOURS="8",
        OIDC_ONLY="on",
        OIDC_LOGOUT="on",
        OIDC_NAME="San José",
        OIDC_PROXY="http://proxy.test:3128",
    )
    assert settings.oidc is not None
    assert settings.oidc.scope == ("openid", "email", "profile", "groups")
    assert (settings.oidc.client_secret, settings.oidc.proxy) == ("s", "http://proxy.test:3128")
    assert (settings.oidc.prompt, settings.oidc.role_claim) == (Prompt.SELECT_ACCOUNT, "realm_access.roles")
    assert settings.oidc_name == "San José"
    assert settings.oidc_rules == OidcRules(
        roles={"nurses": Role.USER, "chief nurses": Role.SUPERVISOR, "a=b": Role.ADMIN},
        new_role=None,
        creates=False,
        trusts_emails=True,
        only=True,
        signs_out_there=True,
        sessions_last=timedelta(hours=8),
    )


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("OIDC_CLIENT_ID", {"OIDC_ISSUER": "https://login.test"}),
        ("OIDC_ISSUER", {"OIDC_CLIENT_ID": "consumo"}),
        ("OIDC_ISSUER", {"OIDC_ONLY": "on"}),
        ("OIDC_ISSUER", OIDC | {"OIDC_ISSUER": "http://login.test"}),
        ("OIDC_ISSUER", OIDC | {"OIDC_ISSUER": "login.test"}),
        ("OIDC_ISSUER", OIDC | {"OIDC_ISSUER": "https://login.test/?tenant=7"}),
        ("OIDC_ROLES", OIDC | {"OIDC_ROLES": "nurses"}),
        ("OIDC_ROLES", OIDC | {"OIDC_ROLES": "nurses=3"}),
        ("OIDC_ROLES", OIDC | {"OIDC_ROLES": "=1"}),
        ("OIDC_ROLES", OIDC | {"OIDC_ROLES": "programs=30"}),
        ("OIDC_ROLES", OIDC | {"OIDC_ROLE_CLAIM": "groups"}),
        ("OIDC_NEW_ROLE", OIDC | {"OIDC_NEW_ROLE": "10"}),
        ("OIDC_PROMPT", OIDC | {"OIDC_PROMPT": "consent"}),
        ("OIDC_SESSION_HOURS", OIDC | {"OIDC_SESSION_HOURS": "0"}),
        ("OIDC_PROXY", OIDC | {"OIDC_PROXY": "proxy.test:3128"}),
        ("OIDC_PROXY", OIDC | {"OIDC_PROXY": "http://proxy.test:x"}),
    ],
)
def test_an_invalid_identity_provider_is_reported(read: Read, name: str, given: dict[str, str]) -> None:
    with pytest.raises(InvalidSetting, match=f"^CONSUMO_{name}: "):
        read(**given)


@pytest.mark.parametrize("name", [one.name for one in SETTINGS if one.is_secret])
def test_a_secret_may_be_given_as_a_file(read: Read, tmp_path: Path, name: str) -> None:
    values = {
        "DATABASE_URL": "postgresql://consumo@db.example/consumo",
        "REPORTS_DATABASE_URL": "postgresql://consumo@replica.example/consumo",
        "POOLER_URL": "postgresql://consumo@pooler.example/consumo",
        "SMTP_URL": "smtp://mail.example",
    }
    if name.startswith("OIDC_"):
        values |= OIDC
    value = values.pop(name, "k" * 40)
    file = tmp_path / "secret"
    file.write_text(f"{value}\n")
    assert read(**values, **{name + "_FILE": str(file)}) == read(**values, **{name: value})
    with pytest.raises(InvalidSetting, match=f"CONSUMO_{name}, CONSUMO_{name}_FILE: give one of them"):
        read(**values, **{name: value, name + "_FILE": str(file)})
    file.write_text("\n")
    with pytest.raises(InvalidSetting, match=f"CONSUMO_{name}_FILE: .+ is empty"):
        read(**values, **{name + "_FILE": str(file)})
    for unreadable in (tmp_path, tmp_path / "missing"):
        with pytest.raises(InvalidSetting, match=f"CONSUMO_{name}_FILE: .+ cannot be read"):
            read(**values, **{name + "_FILE": str(unreadable)})


def test_the_password_is_added_to_the_database_url(read: Read) -> None:
    url = "postgresql://consumo@db.example/consumo?sslmode=require"
    settings = read(DATABASE_URL=url, DATABASE_PASSWORD="p@ss/word")
    assert settings.database_url == "postgresql://consumo:p%40ss%2Fword@db.example/consumo?sslmode=require"
    for wrong in ({}, {"DATABASE_URL": "postgresql://consumo:other@db.example/consumo"}):
        with pytest.raises(InvalidSetting, match="CONSUMO_DATABASE_PASSWORD"):
            read(DATABASE_PASSWORD="p@ss/word", **wrong)


def test_a_public_address_is_as_browsers_write_it(read: Read) -> None:
    addresses = {
        "https://consumo.example:443": "https://consumo.example",
        "http://consumo.example:80/": "http://consumo.example",
        "https://consumo.example:80": "https://consumo.example:80",
        "https://Consumo.Example/": "https://consumo.example",
        "HTTPS://consumo.example": "https://consumo.example",
        "https://consumo.hospitalpeñafiel.example": "https://consumo.xn--hospitalpeafiel-7qb.example",
        "https://[2001:DB8:0::7]:8443": "https://[2001:db8::7]:8443",
        "http://my_host:8000": "http://my_host:8000",
    }
    assert {address: read(PUBLIC_URL=address).public_address for address in addresses} == addresses


def test_a_mail_server_is_read(read: Read) -> None:
    assert read().mail_server is None
    server = read(SMTP_URL="smtps://aviso:pa%2Fs%23s%25@mail.example?from=consumo+avisos@hospital.example").mail_server
    assert server == MailServer(
        host="mail.example",
        port=465,
        sender="consumo+avisos@hospital.example",
        user="aviso",
        password="pa/s#s%",
        implicit_tls=True,
    )
    plain = read(SMTP_URL="smtp://127.0.0.1:9025/?tls=none&from=Consumo%20HSJ%20<c@h.example>").mail_server
    assert plain is not None
    assert (plain.port, plain.tls, plain.sender, plain.domain) == (
        9025,
        False,
        "Consumo HSJ <c@h.example>",
        "h.example",
    )


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("\ufeffclave-1\r\n".encode(), None),
        ("clave-1".encode("utf-16"), "is not UTF-8 text"),
        ("clave-1".encode("utf-16-le"), "invisible character U\\+0000"),
        ("contraseña".encode("latin-1"), "is not UTF-8 text"),
        (b"clave-1\nclave-2\n", "line break"),
    ],
)
def test_a_secret_is_what_people_read_in_its_file(
    read: Read, tmp_path: Path, content: bytes, problem: str | None
) -> None:
    file = tmp_path / "password"
    file.write_bytes(content)
    given = {"DATABASE_URL": "postgresql://u@h/d", "DATABASE_PASSWORD_FILE": str(file)}
    if problem is None:
        assert read(**given).database_url == "postgresql://u:clave-1@h/d"
    else:
        with pytest.raises(InvalidSetting, match=f"^CONSUMO_DATABASE_PASSWORD_FILE: .*{problem}") as refused:
            read(**given)
        assert "clave" not in str(refused.value)


@pytest.mark.parametrize(("name", "value"), [("SMTP_URL", one) for one in NO_MAIL_SERVERS if "pa" in one])
def test_a_refusal_holds_no_part_of_a_secret(read: Read, name: str, value: str) -> None:
    with pytest.raises(InvalidSetting) as refused:
        read(**{name: value.replace("pa", "hidden").replace("ss@", "buried@")})
    assert "hidden" not in str(refused.value)
    assert "buried" not in str(refused.value)


def test_variables_that_are_no_settings_are_named() -> None:
    environment = {
        "CONSUMO_TIMEZONE": "UTC",
        "CONSUMO_X": "",
        "CONSUMO_PORT": "1",
        "CONSUMO_SECRET_KEY_FILE": "f",
        "A": "",
    }
    assert unknown_settings(environment) == [
        "CONSUMO_TIMEZONE is no setting and is ignored: did you mean CONSUMO_TIME_ZONE?",
        "CONSUMO_X is no setting and is ignored: leave it out.",
    ]


def test_variables_that_the_page_cannot_change_are_named(read: Read) -> None:
    assert fixed_on_the_page(read()) == []
    fixed = fixed_on_the_page(read(TIME_ZONE="UTC", CURRENCY="MXN", LETTERHEAD="H"))
    assert fixed == ["CONSUMO_CURRENCY", "CONSUMO_LETTERHEAD", "CONSUMO_TIME_ZONE"]
