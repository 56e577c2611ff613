"""Litestream, which copies an SQLite file while the server uses it."""

import socketserver
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread

import pytest
from sqlalchemy import make_url

from adapters.cli.wiring import container_of
from adapters.setting_values.invalid_setting import InvalidSetting
from adapters.settings.read_settings import read_settings
from adapters.sql.backups import back_up, restore
from adapters.sql.backups.litestream import OWN_TABLES, last_copied_at
from adapters.sql.engine.connections import (
    CHECKPOINT_PAGES,
    FALLBACK_CHECKPOINT_PAGES,
    connect_for_writing,
    to_url,
)
from adapters.sql.migrate import migrate
from adapters.sql.store import SqlStore
from tests.builders import NOON, ZONE, a_ward
from tests.commands.test_doctor import doctor
from tools.faults.databases import a_folder
from tools.faults.load import wait_for
from tools.faults.lost_file import Replicated, litestream_program

FILE = Path("/var/lib/consumo/consumo.db")
LISTED = '{"databases": [{"path": "%s", "status": "replicating"%s}]}'
AT = ', "last_sync_at": "2026-11-29T16:05:16.377715821Z"'


@contextmanager
def control_socket(folder: Path, answer: str) -> Iterator[Path]:
    """Yield a socket on which each request gets this answer."""

    class Answer(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            while self.rfile.readline().strip():
                pass
            self.wfile.write(answer.encode())

    with socketserver.UnixStreamServer(str(folder / "socket"), Answer) as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield folder / "socket"
        server.shutdown()


@pytest.mark.parametrize(
    ("body", "copied_at"),
    [
        (LISTED % (FILE, AT), datetime(2026, 11, 29, 16, 5, 16, 377715, tzinfo=UTC)),
        (LISTED % ("/var/lib/other.db", AT), None),
        (LISTED % (FILE, ""), None),
        (LISTED % (FILE, ', "last_sync_at": "0001-01-01T00:00:00Z"'), None),
        (LISTED % (FILE, ', "last_sync_at": "soon"'), None),
        ('{"databases": null}', None),
        ("[]", None),
        ("no JSON", None),
    ],
)
def test_only_a_moment_for_this_file_is_a_copy(tmp_path: Path, body: str, copied_at: datetime | None) -> None:
    with control_socket(tmp_path, f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n{body}") as socket:
        assert last_copied_at(socket, FILE) == copied_at


def test_another_program_at_the_socket_is_no_copy(tmp_path: Path) -> None:
    with control_socket(tmp_path, "220 mail.example ESMTP\r\n") as socket:
        assert last_copied_at(socket, FILE) is None
    assert last_copied_at(tmp_path / "missing", FILE) is None


def test_a_file_copied_by_litestream_is_restored() -> None:
    program = litestream_program()
    assert program is not None
    with a_folder() as folder:
        place = Replicated(program, folder)
        migrate(place.url)
        with closing(SqlStore(place.url, ZONE)) as store:
            ward = a_ward(store)
            sheet = ward.sheet()["id"]
            with place.copying():
                before = last_copied_at(place.socket, place.file)
                line = ward.detail(sheet, "2")["id"]
                assert before is not None
                assert wait_for(lambda: (last_copied_at(place.socket, place.file) or before) > before, 60)
                assert datetime.now(UTC) - before < timedelta(minutes=1)
        restored = folder / "restored.db"
        place.restore(restored)
        assert place.lines(restored) == {line}
        assert last_copied_at(place.socket, place.file) is None


def test_its_tables_are_no_data_and_no_surprise(sqlite_url: str, tmp_path: Path, migrated_file: Path) -> None:
    empty = tmp_path / "empty.db"
    empty.write_bytes(migrated_file.read_bytes())
    for file in (make_url(sqlite_url).database or "", empty):
        with closing(sqlite3.connect(file)) as connection:
            for table in sorted(OWN_TABLES):
                connection.execute(f"CREATE TABLE {table} (id INTEGER PRIMARY KEY, seq INTEGER)")
                connection.execute(f"INSERT INTO {table} VALUES (1, 1)")  # noqa: S608
            connection.commit()
    back_up(sqlite_url, tmp_path / "file", NOON, replace=False)
    reported: list[str] = []
    restore(f"sqlite:///{empty}", tmp_path / "file", replace=False, on_skipped=reported.append)
    assert reported == []


@pytest.mark.parametrize(
    ("given", "pages"), [({}, CHECKPOINT_PAGES), ({"LITESTREAM_SOCKET": "/run/socket"}, FALLBACK_CHECKPOINT_PAGES)]
)
def test_commits_leave_checkpoints_to_litestream(sqlite_url: str, given: dict[str, str], pages: int) -> None:
    variables = {f"CONSUMO_{name}": value for name, value in ({"DATABASE_URL": sqlite_url} | given).items()}
    settings = read_settings(variables, folder=Path(make_url(sqlite_url).database or "").parent)
    with container_of(settings) as container:
        engine = connect_for_writing(to_url(sqlite_url), container.limits())
        with engine.connect() as connection:
            assert connection.exec_driver_sql("PRAGMA wal_autocheckpoint").scalar_one() == pages
        engine.dispose()


def test_litestream_cannot_be_set_up_for_postgresql(tmp_path: Path) -> None:
    given = {"CONSUMO_DATABASE_URL": "postgresql://h/d", "CONSUMO_LITESTREAM_SOCKET": "/run/socket"}
    with pytest.raises(InvalidSetting, match="CONSUMO_LITESTREAM_SOCKET"):
        read_settings(given, folder=tmp_path)


def test_the_doctor_says_whether_litestream_copies(sqlite_url: str, tmp_path: Path) -> None:
    assert doctor(sqlite_url)[1]["replica"][0] == "ok"
    file = make_url(sqlite_url).database
    now = datetime.now(UTC).isoformat()
    body = LISTED % (file, f', "last_sync_at": "{now}"')
    with control_socket(tmp_path, f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n{body}") as socket:
        level, said = doctor(sqlite_url, LITESTREAM_SOCKET=str(socket))[1]["replica"]
        assert (level, said) == ("ok", f"{now[:10]} {now[11:16]} UTC")
    level, said = doctor(sqlite_url, LITESTREAM_SOCKET=str(tmp_path / "missing"))[1]["replica"]
    assert level == "error"
    assert "Litestream does not answer" in said
