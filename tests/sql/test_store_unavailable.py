"""Units of work when the database is slow, busy, full or unreachable.

The error is clear, and nothing is stored partly.
"""

import os
import resource
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import create_engine, event, make_url, text
from sqlalchemy.exc import ProgrammingError, SQLAlchemyError

from adapters.sql.engine.connections import Limits, classify_error, to_url
from adapters.sql.store import SqlStore
from application.common.idempotency import IdempotencyKey
from application.common.store_errors import StoreUnavailable, TransactionConflict, UnavailableReason
from domain.catalogue.area import Area
from domain.common.errors import RequestInProgress
from tests.builders import ZONE, Ward, a_ward
from tests.hl7.messages import a_post, adt
from tests.servers import admin_of, cut_off, let_in

# Without waiting for a lock, no statement takes two seconds, however busy the machine is.
SHORT = Limits(pool_size=2, statement_timeout=2, lock_timeout=0.05)
postgresql = pytest.mark.postgresql


@contextmanager
def impatient(database_url: str) -> Iterator[Ward]:
    """Yield a ward on a store with short timeouts."""
    store = SqlStore(database_url, ZONE, SHORT)
    yield a_ward(store)
    store.close()


@contextmanager
def unavailable(trouble: UnavailableReason) -> Iterator[None]:
    with pytest.raises(StoreUnavailable) as raised:
        yield
    assert raised.value.reason is trouble
    assert not isinstance(raised.value, TransactionConflict)


def areas(ward: Ward) -> int:
    assert isinstance(ward.store, SqlStore)
    with ward.store._reading.connect() as connection:
        return int(connection.execute(text("SELECT count(*) FROM areas")).scalar_one())


# --- PostgreSQL ------------------------------------------------------------------------------------------------------


@postgresql
def test_a_slow_statement_is_cancelled_and_rolled_back(postgresql_url: str) -> None:
    with impatient(postgresql_url) as ward:
        assert isinstance(ward.store, SqlStore)
        with unavailable(UnavailableReason.BUSY), ward.store.begin() as work:
            work.areas.add(Area(name="Quirófano"))
            work.areas._connection.execute(text("SELECT pg_sleep(20)"))
        assert areas(ward) == 1
        with unavailable(UnavailableReason.BUSY), ward.store.read() as views:
            views.connection.execute(text("SELECT pg_sleep(20)"))


@postgresql
def test_a_lock_timeout_on_a_sheet_is_reported_as_busy(postgresql_url: str) -> None:
    with impatient(postgresql_url) as ward, closing(SqlStore(postgresql_url, ZONE)) as other:
        sheet_id = ward.sheet()["id"]
        with other.begin() as work:
            work.sheets.lock(sheet_id)
            with unavailable(UnavailableReason.BUSY):
                ward.detail(sheet_id)
        assert ward.detail(sheet_id)["id"]
        assert ward.use_cases.sheets.reader.one(ward.admin, sheet_id)["version"] == 2


@postgresql
def test_an_exhausted_pool_is_reported_soon(postgresql_url: str) -> None:
    with impatient(postgresql_url) as ward, ward.store.read(), ward.store.read():
        with unavailable(UnavailableReason.BUSY), ward.store.read():
            pass
        ward.sheet()


@postgresql
def test_a_database_is_used_again_after_an_outage(postgresql_url: str) -> None:
    with impatient(postgresql_url) as ward:
        sheet_id = ward.sheet()["id"]
        with ward.store.read(), ward.store.read():
            pass
        # No connection is in use: the outage has no effect.
        cut_off(postgresql_url)
        ward.detail(sheet_id)

        with unavailable(UnavailableReason.UNREACHABLE), ward.store.begin() as work:
            work.areas.add(Area(name="Quirófano"))
            cut_off(postgresql_url, is_permanent=True)
            work.areas.get(1)
        for _ in range(2):
            with unavailable(UnavailableReason.UNREACHABLE):
                ward.detail(sheet_id)
        let_in(postgresql_url)
        ward.detail(sheet_id)
        assert areas(ward) == 1


@postgresql
def test_a_process_with_over_1023_open_files_keeps_connections(postgresql_url: str) -> None:
    """`select` does not support file descriptors above 1023."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(soft, 2_000), hard), hard))
    process = text("SELECT pg_backend_pid()")
    with ExitStack() as clients, impatient(postgresql_url) as ward:
        assert isinstance(ward.store, SqlStore)
        ward.store.close()
        for _ in range(1_100):
            clients.enter_context(Path(os.devnull).open("rb"))
        with ward.store.read() as views:
            before = views.connection.execute(process).scalar_one()
        with ward.store.read() as views:
            assert views.connection.execute(process).scalar_one() == before


@postgresql
def test_a_connection_to_a_standby_is_closed(postgresql_url: str) -> None:
    with impatient(postgresql_url) as ward:
        assert isinstance(ward.store, SqlStore)
        name = make_url(postgresql_url).database
        with ward.store._writing.connect() as connection:
            connection.execute(text(f'ALTER DATABASE "{name}" SET default_transaction_read_only = on'))
            connection.commit()
        cut_off(postgresql_url)
        with unavailable(UnavailableReason.UNREACHABLE), ward.store.begin() as work:
            work.areas.add(Area(name="Quirófano"))
        with psycopg.connect(admin_of(postgresql_url), autocommit=True) as admin:
            admin.execute(f'ALTER DATABASE "{name}" RESET default_transaction_read_only'.encode())
        # The next unit of work connects again.
        with ward.store.begin() as work:
            work.areas.add(Area(name="Quirófano"))


@postgresql
@pytest.mark.parametrize(
    ("sqlstate", "trouble"),
    [
        ("53100", UnavailableReason.FULL),
        ("40P01", UnavailableReason.BUSY),
        ("40001", UnavailableReason.BUSY),
        ("53200", UnavailableReason.BUSY),
        ("58030", UnavailableReason.UNREACHABLE),
        ("22012", None),
        ("42P01", None),
    ],
)
def test_postgresql_error_codes_are_mapped_to_reasons(
    postgresql_url: str, sqlstate: str, trouble: UnavailableReason | None
) -> None:
    engine = create_engine(to_url(postgresql_url))
    raising = text(f"DO $$ BEGIN RAISE EXCEPTION 'as if' USING ERRCODE = '{sqlstate}'; END $$")
    with pytest.raises(SQLAlchemyError) as raised, engine.connect() as connection:
        connection.execute(raising)
    engine.dispose()
    assert classify_error(raised.value) is trouble


@postgresql
@pytest.mark.parametrize("sqlstate", ["40P01", "40001"])
def test_a_deadlock_or_serialization_failure_is_a_conflict(postgresql_url: str, sqlstate: str) -> None:
    raising = text(f"DO $$ BEGIN RAISE EXCEPTION 'as if' USING ERRCODE = '{sqlstate}'; END $$")
    with impatient(postgresql_url) as ward:
        with pytest.raises(TransactionConflict) as raised, ward.store.begin() as work:
            work.areas._connection.execute(raising)  # type: ignore[attr-defined]
        assert raised.value.reason is UnavailableReason.BUSY
        # A read has no conflict to retry: it is only busy.
        with unavailable(UnavailableReason.BUSY), ward.store.read() as views:
            views._connection.execute(raising)  # type: ignore[attr-defined]


# --- SQLite ----------------------------------------------------------------------------------------------------------


def test_sqlite_a_lock_of_another_process_is_reported_as_busy(sqlite_url: str) -> None:
    with impatient(sqlite_url) as ward:
        with closing(sqlite3.connect(make_url(sqlite_url).database or "")) as other:
            other.execute("BEGIN IMMEDIATE")
            with unavailable(UnavailableReason.BUSY):
                ward.sheet()
            # Reads do not wait.
            assert areas(ward) == 1
        assert ward.sheet()["id"]


def test_sqlite_a_lock_of_another_writer_is_reported_as_busy(sqlite_url: str) -> None:
    with impatient(sqlite_url) as ward:
        with ward.store.begin(), unavailable(UnavailableReason.BUSY):
            ward.sheet()
        assert ward.sheet()["id"]


def test_sqlite_a_full_disk_is_reported_and_recovered_from(sqlite_url: str) -> None:
    with impatient(sqlite_url) as ward:
        assert isinstance(ward.store, SqlStore)
        sheet_id = ward.sheet()["id"]
        with ward.store._writing.connect() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
        kept = 0
        with unavailable(UnavailableReason.FULL):
            for kept in range(1_000):  # noqa: B007
                ward.detail(sheet_id)
        with ward.store.read() as views:
            assert views.version_of_sheet(sheet_id) == 1 + kept
        with ward.store._writing.connect() as connection:
            connection.exec_driver_sql("PRAGMA max_page_count = 1000000")
        ward.detail(sheet_id)
        with closing(sqlite3.connect(make_url(sqlite_url).database or "")) as file:
            assert file.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert file.execute("SELECT count(*) FROM consumption_details").fetchone() == (kept + 1,)


def test_sqlite_a_file_that_cannot_be_opened_is_reported(sqlite_url: str) -> None:
    with impatient(sqlite_url) as ward:
        assert isinstance(ward.store, SqlStore)
        ward.store.close()
        event.listen(ward.store._reading, "do_connect", lambda *_: sqlite3.connect("/no/such/folder/x.db"))
        with unavailable(UnavailableReason.UNREACHABLE), ward.store.read():
            pass


def test_a_programming_error_is_not_reported_as_unavailable(sqlite_url: str) -> None:
    with impatient(sqlite_url) as ward:
        assert isinstance(ward.store, SqlStore)
        with pytest.raises(SQLAlchemyError) as raised, ward.store.read() as views:
            views.connection.execute(text("SELECT nothing FROM nowhere"))
        assert classify_error(raised.value) is None
    assert classify_error(ProgrammingError("x", {}, ValueError())) is None
    assert classify_error(ValueError()) is None


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=postgresql)])
def test_an_error_does_not_contain_the_written_values(kind: str, request: pytest.FixtureRequest) -> None:
    """Errors are logged, and people's data must not be in logs."""
    with impatient(request.getfixturevalue(f"{kind}_url")) as ward:
        assert isinstance(ward.store, SqlStore)
        with pytest.raises(SQLAlchemyError) as raised, ward.store.begin() as work:
            work.areas._connection.execute(text("INSERT INTO nowhere VALUES (:name)"), {"name": "Juana Ríos"})
        assert "Juana" not in str(raised.value)


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=postgresql)])
def test_a_second_answer_for_a_key_is_a_request_in_progress(kind: str, request: pytest.FixtureRequest) -> None:
    with impatient(str(request.getfixturevalue(f"{kind}_url"))) as ward:
        user_id, idempotency_key, now = ward.nurse.user_id, IdempotencyKey("k-1", "the same body"), ward.clock()

        def record(name: str) -> None:
            with ward.store.begin() as work:
                work.areas.add(Area(name=name))
                work.idempotency_store.save(user_id, idempotency_key, {"name": name}, now)

        record("Quirófano")
        with pytest.raises(RequestInProgress):
            record("Sala A")
        assert areas(ward) == 2


# --- reports ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=postgresql)])
def test_an_open_report_does_not_block_writers(kind: str, request: pytest.FixtureRequest) -> None:
    url = str(request.getfixturevalue(f"{kind}_url"))
    with impatient(url) as ward, ward.store.read_for_reports() as one, ward.store.read_for_reports() as other:
        for views in (one, other):
            views.areas.one(ward.area_id)
        sheet_id = ward.sheet()["id"]
        ward.detail(sheet_id)
        assert ward.use_cases.sheets.reader.one(ward.admin, sheet_id)["version"] == 2


# --- metrics ---------------------------------------------------------------------------------------------------------


def test_message_counts_are_none_if_the_database_is_unreachable(sqlite_url: str, tmp_path: Path) -> None:
    with impatient(sqlite_url) as ward:
        assert isinstance(ward.store, SqlStore)
        assert (ward.store.held_messages(), ward.store.unfinished_messages()) == (0, {})
        a_post(ward).receiver.answer(adt("A01", location="UCI^201^B").encode())
        assert ward.store.held_messages() == 1
    away = SqlStore(f"sqlite:///{tmp_path / 'nowhere' / 'consumo.db'}", ZONE, SHORT)
    assert (away.held_messages(), away.unfinished_messages()) == (None, None)
    away.close()
