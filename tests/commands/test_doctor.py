"""``consumo doctor``: a line for each part, and what to do about each problem."""

import json
import os
import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event, Thread

import pytest
from click.testing import CliRunner
from sqlalchemy import create_engine, make_url, text

from adapters.cli import doctor_command
from adapters.cli.main import main
from adapters.doctor.diagnosis import (
    MAX_CLOCK_DIFFERENCE_SECONDS,
    Diagnosis,
    describe,
    diagnose_clock,
    diagnose_passkeys,
    diagnose_search,
)
from adapters.settings.declared import SETTINGS
from adapters.settings.read_settings import read_settings
from adapters.sql.audit.unsent_entries import UnsentEntries
from adapters.sql.engine.connections import to_url
from adapters.sql.migrate import migrate
from application.status.findings import Finding, StatusAdvice, StatusKey, StatusLevel
from tests.servers import Server, consumo, environment
from tests.syslog.entries import append_entries
from tests.use_cases.accounts.signed_in import NEW_PASSWORD

Lines = dict[str, tuple[str, str]]
SECRET = "a-secret-password"


def doctor(database_url: str, **settings: str) -> tuple[int, Lines]:
    """Run the command. Return its exit status, and level and text by name."""
    ours = environment(database_url, **{f"CONSUMO_{name}": value for name, value in settings.items()})
    others = [name for name in os.environ if name not in ours]
    result = CliRunner().invoke(main, ["doctor", "--json"], env={**dict.fromkeys(others), **ours})
    assert isinstance(result.exception, SystemExit | None), result.exception
    assert SECRET not in result.output
    return result.exit_code, {one["name"]: (one["level"], one["text"]) for one in json.loads(result.stdout)}


@contextmanager
def listening(answer: bytes = b"") -> Iterator[int]:
    """A server on a free port that greets each client with this."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:

        def serve() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                with connection:
                    connection.sendall(answer)
                    connection.settimeout(10)
                    try:
                        while connection.recv(1_000):
                            connection.sendall(b"250 fine\r\n" if answer else b"")
                    except OSError:
                        pass

        Thread(target=serve, daemon=True).start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)


def test_a_healthy_installation_has_no_finding(sqlite_url: str, serve: Callable[..., Server], tmp_path: Path) -> None:
    consumo("create-user", "ana@ward.test", "--password-stdin", database_url=sqlite_url, stdin=NEW_PASSWORD.encode())
    consumo("backup", str(tmp_path / "consumo.backup"), database_url=sqlite_url)
    consumo("audit", "seal", database_url=sqlite_url)
    server = serve(sqlite_url)
    status, lines = doctor(sqlite_url, PUBLIC_URL=server.address, TIME_ZONE="America/Guayaquil")
    assert {name: level for name, (level, _) in lines.items() if level != "ok"} == {}
    assert status == 0
    assert lines["public address"] == ("ok", f"{server.address} answers")
    assert lines["time zone"] == ("ok", "America/Guayaquil")
    assert lines["passkeys"] == ("ok", "bound to the name localhost")


def test_the_lines_are_printed_with_their_level(sqlite_url: str) -> None:
    ours = environment(sqlite_url)
    result = CliRunner().invoke(main, ["doctor"], env={**dict.fromkeys(set(os.environ) - set(ours)), **ours})
    assert result.exit_code == 2
    lines = result.stdout.splitlines()
    assert "error   backup: none was made: schedule consumo backup" in lines
    assert any(line.startswith("warning time zone: UTC; ") for line in lines)


def test_an_invalid_setting_is_the_only_line(sqlite_url: str) -> None:
    status, lines = doctor(sqlite_url, PORT="eighty")
    assert (status, list(lines)) == (2, ["settings"])
    level, said = lines["settings"]
    assert level == "error"
    assert "CONSUMO_PORT" in said


def test_a_missing_database_server_is_an_error() -> None:
    url = f"postgresql+psycopg://consumo:{SECRET}@127.0.0.1:1/consumo"
    status, lines = doctor(url)
    assert status == 2
    assert lines["database"][0] == "error"
    assert lines["database"][1].startswith("CONSUMO_DATABASE_URL: the database cannot be used: ")


def test_an_empty_or_older_database_is_an_error(blank_sqlite_url: str) -> None:
    _, lines = doctor(blank_sqlite_url)
    assert lines["database"] == ("error", "it is empty: run consumo migrate")
    migrate(blank_sqlite_url, revision="0001")
    _, lines = doctor(blank_sqlite_url)
    assert lines["database"] == ("error", "its tables are of an earlier version: run consumo migrate")


def test_an_address_that_does_not_answer_is_an_error(sqlite_url: str) -> None:
    _, lines = doctor(sqlite_url, PUBLIC_URL="http://127.0.0.1:1")
    assert lines["public address"][0] == "error"
    assert "http://127.0.0.1:1 does not answer (Connection refused)" in lines["public address"][1]


@pytest.mark.parametrize("address", ["https://192.0.2.7", "http://consumo.example"])
def test_an_address_without_passkeys_is_a_warning(tmp_path: Path, address: str) -> None:
    [found] = diagnose_passkeys(read_settings({"CONSUMO_PUBLIC_URL": address}, folder=tmp_path))
    assert found.level is StatusLevel.WARNING
    assert "only over https and by name" in found.text


def test_an_address_without_tls_is_a_warning(sqlite_url: str, serve: Callable[..., Server]) -> None:
    server = serve(sqlite_url)
    _, lines = doctor(sqlite_url, PUBLIC_URL=server.address, HOST="0.0.0.0")  # noqa: S104 - nothing is served there
    assert lines["public address"][0] == "warning"
    assert "only with https" in lines["public address"][1]


def test_the_mail_server_is_asked_without_sending(sqlite_url: str) -> None:
    with listening(b"220 mail.hospital.test\r\n") as port:
        _, lines = doctor(sqlite_url, SMTP_URL=f"smtp://127.0.0.1:{port}?tls=none")
        assert lines["mail server"] == ("ok", "accepts connections")
    _, lines = doctor(sqlite_url, SMTP_URL=f"smtp://consumo:{SECRET}@127.0.0.1:1?tls=none")
    assert lines["mail server"] == ("error", "no connection (Connection refused): check CONSUMO_SMTP_URL")


def test_a_mail_server_without_tls_is_an_error(sqlite_url: str) -> None:
    with listening(b"220 mail.hospital.test\r\n") as port:
        _, lines = doctor(sqlite_url, SMTP_URL=f"smtp://127.0.0.1:{port}")
    assert lines["mail server"][0] == "error"


def test_the_billing_destination_is_reached(sqlite_url: str, tmp_path: Path) -> None:
    with listening() as port:
        _, lines = doctor(sqlite_url, DFT_DESTINATION=f"mllp://127.0.0.1:{port}")
        assert lines["billing destination"] == ("ok", "accepts connections")
    _, lines = doctor(sqlite_url, DFT_DESTINATION="mllp://127.0.0.1:1")
    assert lines["billing destination"][0] == "error"
    _, lines = doctor(sqlite_url, DFT_DESTINATION=f"folder://{tmp_path}/none")
    assert lines["billing destination"][1].startswith(f"no connection ({tmp_path}/none is no folder)")
    _, lines = doctor(sqlite_url, DFT_DESTINATION=f"folder://{tmp_path}")
    assert lines["billing destination"] == ("ok", "accepts connections")


def test_what_the_log_server_lacks_is_counted(sqlite_url: str) -> None:
    ids = append_entries(sqlite_url, 3)
    _, lines = doctor(sqlite_url)
    assert lines["audit log server"][0] == "ok"
    assert "audit destination" not in lines
    destination = "syslog-tls://127.0.0.1:1"
    entries = UnsentEntries(sqlite_url)
    entries.confirm(ids[0])
    entries.note("no answer within 30 s")
    _, lines = doctor(sqlite_url, AUDIT_DESTINATION=destination)
    assert lines["audit destination"][0] == "error"
    assert lines["audit log server"] == (
        "error",
        "2 waiting; entries wait for hours: look whether consumo send-audit runs and the log server confirms them; "
        "no answer within 30 s",
    )
    entries.confirm(ids[-1])
    entries.close()
    _, lines = doctor(sqlite_url, AUDIT_DESTINATION=destination)
    assert lines["audit log server"] == ("ok", "fine")


@pytest.mark.postgresql
def test_search_indexes_and_the_clock_of_postgresql_are_checked(postgresql_url: str) -> None:
    _, lines = doctor(postgresql_url)
    assert lines["clock"] == ("ok", "the same as the database's")
    engine = create_engine(to_url(postgresql_url))
    with engine.connect() as connection:
        has_trigrams = connection.execute(text("SELECT count(*) FROM pg_extension WHERE extname = 'pg_trgm'")).scalar()
    engine.dispose()
    assert ("search" in lines) is not bool(has_trigrams)


@pytest.mark.postgresql
def test_the_reports_database_is_connected_to(postgresql_url: str) -> None:
    _, lines = doctor(postgresql_url, REPORTS_DATABASE_URL=postgresql_url)
    assert lines["reports database"] == ("ok", "accepts connections")
    blank = make_url(postgresql_url).update_query_dict({"options": "-csearch_path=pg_temp"})
    _, lines = doctor(postgresql_url, REPORTS_DATABASE_URL=blank.render_as_string(hide_password=False))
    assert lines["reports database"][0] == "error"
    assert "tables are missing" in lines["reports database"][1]


@pytest.mark.postgresql
def test_a_pooler_is_compared_with_the_database(postgresql_url: str) -> None:
    # What sets no timeouts for all of its clients is no pooler.
    _, lines = doctor(postgresql_url, POOLER_URL=postgresql_url)
    assert lines["pooler"][0] == "error"
    assert "connect_query" in lines["pooler"][1]
    _, lines = doctor(postgresql_url, POOLER_URL=f"postgresql://consumo:{SECRET}@127.0.0.1:1/consumo")
    assert lines["pooler"][1].startswith("CONSUMO_POOLER_URL: the database cannot be used: ")


def test_a_missing_reports_database_is_named_by_its_setting() -> None:
    url = f"postgresql+psycopg://consumo:{SECRET}@127.0.0.1:1/consumo"
    _, lines = doctor(url, REPORTS_DATABASE_URL=url)
    level, said = lines["reports database"]
    assert level == "error"
    assert said.startswith("CONSUMO_REPORTS_DATABASE_URL: the database cannot be used: ")


def test_the_identity_provider_is_asked_without_the_database() -> None:
    nowhere = f"postgresql+psycopg://consumo:{SECRET}@127.0.0.1:1/consumo"
    provider = {"OIDC_ISSUER": "http://127.0.0.1:1", "OIDC_CLIENT_ID": "consumo", "OIDC_CLIENT_SECRET": SECRET}
    _, lines = doctor(nowhere, **provider)
    assert lines["database"][0] == "error"
    assert lines["sign-in"][0] == "error"
    assert "does not answer" in lines["sign-in"][1]


def test_a_part_that_never_ends_is_an_error(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    held = Event()

    def wait(_: object) -> Iterator[Diagnosis]:
        held.wait()
        yield from ()

    monkeypatch.setattr(doctor_command, "MAX_SECONDS", 0)
    monkeypatch.setattr(doctor_command, "_PARTS", {"mail server": wait})
    _, lines = doctor(sqlite_url, SMTP_URL=f"smtp://consumo:{SECRET}@127.0.0.1:1?tls=none")
    held.set()
    assert lines["mail server"][0] == "error"
    assert lines["mail server"][1].startswith(
        "not checked within 0 s: look at the network and at what CONSUMO_SMTP_URL"
    )


def test_each_setting_that_names_a_system_is_used_once() -> None:
    used = {one.name for one in SETTINGS if one.doctor_line}
    assert {one.name for one in SETTINGS if one.name.endswith(("_URL", "_DESTINATION", "_ISSUER", "_MAP"))} - used == {
        "HL7_CLASS_MAP"
    }
    assert {one.doctor_line for one in SETTINGS} - {"", "settings"} <= doctor_command._PARTS.keys()


def test_clocks_that_differ_are_an_error() -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    late = now - timedelta(seconds=MAX_CLOCK_DIFFERENCE_SECONDS + 1)
    assert [one.level for one in diagnose_clock(now, late)] == [StatusLevel.ERROR]
    assert [one.level for one in diagnose_clock(now, now)] == [StatusLevel.OK]
    assert [*diagnose_clock(now, None)] == []


def test_a_database_without_trigrams_is_a_warning() -> None:
    assert [one.level for one in diagnose_search(has_trigrams=False)] == [StatusLevel.WARNING]
    assert [*diagnose_search(has_trigrams=True), *diagnose_search(None)] == []


def test_each_finding_and_advice_has_a_text(tmp_path: Path) -> None:
    settings = read_settings({}, folder=tmp_path)
    assert all(describe(Finding(key=key), settings).text for key in StatusKey)
    assert all(describe(Finding(key=StatusKey.BACKUP, advice=advice), settings).text for advice in StatusAdvice)


def test_a_certificate_of_an_unknown_authority_is_reported(sqlite_url: str) -> None:
    with listening(b"no TLS at all") as port:
        _, lines = doctor(sqlite_url, PUBLIC_URL=f"https://127.0.0.1:{port}")
    assert lines["public address"][0] == "error"
    assert ssl.SSLError.__name__ in lines["public address"][1] or "does not answer" in lines["public address"][1]


def test_a_fixed_time_zone_is_named_by_its_variable(tmp_path: Path) -> None:
    finding = Finding(key=StatusKey.TIME_ZONE, advice=StatusAdvice.TIME_ZONE_UTC)
    assert "page Hospital" in describe(finding, read_settings({}, folder=tmp_path)).text
    fixed = read_settings({"CONSUMO_TIME_ZONE": "UTC"}, folder=tmp_path)
    assert "change CONSUMO_TIME_ZONE" in describe(finding, fixed).text


def test_variables_that_are_no_settings_are_a_warning(sqlite_url: str) -> None:
    ours = environment(sqlite_url, CONSUMO_TIMEZONE="UTC")
    result = CliRunner().invoke(main, ["doctor"], env={**dict.fromkeys(set(os.environ) - set(ours)), **ours})
    assert "warning settings: CONSUMO_TIMEZONE is no setting and is ignored" in result.stdout


@pytest.mark.parametrize(
    "given",
    [
        {"SMTP_URL": f"smtp://user:{SECRET}@mail..example"},
        {"SMTP_URL": f"smtp://user:{SECRET}/x@mail.example"},
        {"DATABASE_URL": f"postgresql://u:{SECRET}@127.0.0.1:1/d?nothing=1"},
        {"DATABASE_URL": f"postgresql://u:{SECRET}@127.0.0.1:1/d?sslmode=sometimes"},
        {"DATABASE_URL": f"postgresql://u:x@{SECRET}@127.0.0.1:1/d"},
        {"HL7_MAP": "/nothing/here"},
        {"PUBLIC_URL": "http://name..example"},
    ],
)
def test_no_setting_makes_a_traceback_or_shows_a_secret(sqlite_url: str, given: dict[str, str]) -> None:
    database = given.pop("DATABASE_URL", sqlite_url)
    status, lines = doctor(database, **given)
    assert status == 2
    assert not any("report this" in text for _, text in lines.values())
