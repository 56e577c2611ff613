"""Backups: a consistent snapshot of a busy database.

Restoring gives exactly the same data, or changes nothing.
"""

import io
import os
import shutil
import sqlite3
import stat
import threading
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from sqlalchemy import create_engine, inspect, make_url, select, text

from adapters.sql.audit.audit_seals import seal
from adapters.sql.audit.tables import audit
from adapters.sql.backups import About, BackupProblem, back_up, on_postgresql, restore
from adapters.sql.engine.columns import metadata
from adapters.sql.engine.connections import to_url
from adapters.sql.migrate import SchemaState, migrate, schema_state_of
from adapters.sql.reports.consistency import inconsistencies
from adapters.sql.sheets.tables import NOT_VOIDED, details
from adapters.sql.store import SqlStore
from application.accounts.sign_in.sign_in import Credentials
from application.catalogue.products import ProductDraft
from application.common.idempotency import IdempotencyKey
from domain.common.errors import InvalidCredentials, Refused
from tests.builders import NOON, PASSWORD, ZONE, Ward, a_passkey, a_ward, an_image, use_cases_on
from tests.imports.importing import bring_in_a_product
from tests.pace import PATIENCE
from tests.sql.corrections import make_corrections
from tests.sql.test_migrations import ADD_DETAIL, FILL

postgresql = pytest.mark.postgresql
KINDS = ["sqlite", pytest.param("postgresql", marks=postgresql)]
# For checks of the backup file itself, independent of the database.
OF_ANY_KIND = pytest.mark.parametrize(
    "place", ["sqlite", pytest.param("postgresql", marks=[postgresql, pytest.mark.walk])], indirect=True
)


@dataclass(frozen=True)
class Place:
    """Two databases of a kind: one in use, one missing or empty."""

    used: str
    empty: str
    folder: Path

    @property
    def file(self) -> Path:
        return self.folder / "consumo.backup"

    def back_up(self) -> About:
        return back_up(self.used, self.file, NOON, replace=True)

    def restore(self, *, replace: bool = False) -> About:
        return restore(self.empty, self.file, replace=replace)


@pytest.fixture(params=KINDS)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    used, empty = (request.getfixturevalue(f"{name}{request.param}_url") for name in ("", "blank_"))
    return Place(used, empty, tmp_path)


@pytest.fixture
def ward(place: Place) -> Iterator[Ward]:
    """Return a ward on the used database; the store may be shared."""
    store = SqlStore(place.used, ZONE)
    yield a_ward(store, charging=True)
    store.close()


# Rows of tables that no use case below fills.
MORE = (
    "INSERT INTO product_codes (product_id, system, code, code_key, units) VALUES (1, 'hibc', '+A', '+a', 2500)",
    "INSERT INTO typed_names (product_id, name, times, last_at, dismissed) "
    "VALUES (1, 'suero', 14, '2026-01-01', false)",
    "INSERT INTO unknown_codes VALUES ('gtin', '09520000000011', '09520000000011', 2, '2026-01-01', 1)",
    "INSERT INTO recalls (product_id, lot, lot_key, reason, opened_at, opened_by) "
    "VALUES (1, 'L1', 'l1', 'R', '2026-01-01', 1)",
    "INSERT INTO set_aside (recall_id, product_id, lot, quantity, user_id, at) "
    "VALUES (1, 1, 'L1', 2000, 1, '2026-01-01')",
    "INSERT INTO restock_lists (area_id, area_name, number, closed_at, closed_by, left_over) "
    "VALUES (1, 'A', 1, '2026-01-01', 1, 0)",
    "INSERT INTO restock_lines (list_id, position, product_id, name, quantity, put_back) "
    "VALUES (1, 0, 1, 'P', 1500, 1500)",
    "INSERT INTO restock_areas (area_id, number) VALUES (1, 1)",
    "INSERT INTO restock_taken (area_id, product_id, quantity) VALUES (1, 1, 1500)",
    "INSERT INTO restock_ticks (area_id, product_id, quantity, user_id, at) VALUES (1, 1, 500, 1, '2026-01-01')",
    "INSERT INTO restock_settings (area_id, product_id, shelf, fixed_amount) VALUES (1, 1, 'B 2', 50000)",
    "INSERT INTO kits (name, name_key, name_folded, active, version) VALUES ('K', 'k', 'k', true, 1)",
    "INSERT INTO kit_lines (kit_id, place, product_id, quantity, optional) VALUES (1, 1, 1, 1000, false)",
    "INSERT INTO month_changes (day, at, made_on, kind, user_id, sheet_id, detail_id, product_id, lines, quantity, "
    "returned, total, value) VALUES ('2026-01-01', '2026-02-01', '2026-02-01', 'voided', 1, 1, 1, 1, -1, -1500, 0, "
    "-250, -250)",
    "INSERT INTO documents (kind, month, turn, issued_at, user_id, total, changes, changes_total, document, salt, "
    "digest) VALUES ('month', '2026-01-01', 1, '2026-02-01', 1, 250, 1, -250, 'd', 's', 'd')",
    "INSERT INTO favourites VALUES (1, 1, '2026-01-01')",
    "INSERT INTO usual_numbers VALUES (1, 1, '2026-01-01', '1', '')",
    "INSERT INTO inbound_messages (source, control_id, digest, kind, event_at, received_at, user_id, state, waiting, "
    "tries) VALUES ('HIS|', '1', 'd', 'A01', '2026-01-01', '2026-01-01', 1, 'held', true, 1)",
    "INSERT INTO receiver_settings (name, digest) VALUES ('adt', 'd')",
    "INSERT INTO hospital_settings (id, version, name, logo_version) VALUES (1, 1, 'H', 0)",
    "INSERT INTO translations (system, code, room_id) VALUES ('HIS|', 'UCI^201^B', 1)",
    "INSERT INTO judgements (kind, entity_id, version, user_id, at) VALUES ('sheet_quiet', 1, NULL, 1, '2026-01-01')",
    "INSERT INTO setup_links VALUES ('d', '2026-01-01')",
    "INSERT INTO user_pins VALUES (1, 'h', '2026-01-01')",
    "INSERT INTO user_badges (user_id, digest, name, made_by, made_at) VALUES (1, 'd', 'N', 1, '2026-01-01')",
    "INSERT INTO passkey_secrets VALUES ('d', 'link', 1, '2026-01-01', 1)",
    "INSERT INTO device_outboxes (device_id, user_id, area_id, lines, oldest_at, reported_at, version) "
    "VALUES ('4c9e6679-7425-40de', 1, 1, 3, '2026-01-01', '2026-01-02', 1)",
    "INSERT INTO product_pairs VALUES (1, 2, 99, 95, 3)",
    "INSERT INTO missed_charge_answers SELECT min(id), 2, 1, false FROM consumption_sheets",
    "INSERT INTO job_leases VALUES ('learn_missed_charges', '2026-01-01')",
    "INSERT INTO contingency_forms (printed_at, printed_by, products, state) VALUES ('2026-01-01', 1, '[1]', 'open')",
    "INSERT INTO backups (made_at, size) VALUES ('2026-01-01', 1000)",
    "INSERT INTO recalled_uses (detail_id) SELECT min(id) FROM consumption_details",
)


def work_on(ward: Ward) -> None:
    """Put rows into every table, and leave gaps by deleting some."""
    uc, admin = ward.use_cases, ward.admin
    uc.session.sign_in(Credentials(email="user@consumo.test", password=PASSWORD))
    with pytest.raises(InvalidCredentials):
        uc.session.sign_in(Credentials(email="user@consumo.test", password="not this one"))
    uc.users.create_reset_link(admin, ward.nurse.user_id)
    with ward.store.begin() as work:
        work.passkeys.add(a_passkey(ward.nurse.user_id, ward.clock()))
    for price, quantity in (("0.10", "0.1"), ("3.33", "2.999"), ("999999999.99", "33.333")):
        sheet_id = ward.sheet(diagnosis="Neumonía «grave»\n\\N \\. ' \" ; -- 100 %")["id"]
        product = ward.product("Venda elástica ñ", price)
        idempotency_key = IdempotencyKey(key=f"k-{price}", fingerprint="x")
        draft = ward.detail_draft(quantity, product_id=product.id, area_id=ward.area_id)
        uc.details.add(ward.nurse, draft, sheet_id=sheet_id, idempotency_key=idempotency_key)
        uc.details.delete(admin, ward.detail(sheet_id)["id"])
        uc.products.update(
            admin, product.id, ProductDraft(name="X", price=Decimal("1.1"), category_id=ward.category_id)
        )
    uc.products.set_picture(admin, ward.product_id, an_image())
    bring_in_a_product(ward)
    uc.sheets.close(admin, sheet_id)
    make_corrections(ward, sheet_id)
    uc.sheets.reader.one(ward.nurse, sheet_id)
    uc.sheets.delete(admin, ward.sheet()["id"])
    assert isinstance(ward.store, SqlStore)
    with ward.store._writing.begin() as connection:
        for statement in MORE:
            connection.execute(text(statement))


def rows(database_url: str, columns: Mapping[str, set[str]] | None = None) -> dict[str, list[Any]]:
    """Return all rows of all tables, or only the values of ``columns``."""
    engine = create_engine(to_url(database_url))
    wanted = {
        table.name: [column for column in table.c if columns is None or column.name in columns.get(table.name, ())]
        for table in metadata.sorted_tables
    }
    with engine.connect() as connection:
        found = {
            name: sorted(map(tuple, connection.execute(select(*some))), key=repr)
            for name, some in wanted.items()
            if some
        }
    engine.dispose()
    return found


def columns_of(database_url: str) -> dict[str, set[str]]:
    """Return the columns of each table."""
    engine = create_engine(to_url(database_url))
    there = inspect(engine)
    found = {name: {column["name"] for column in there.get_columns(name)} for name in there.get_table_names()}
    engine.dispose()
    return found


def shape_of_tables(database_url: str) -> dict[str, Any]:
    """Return columns, indexes and constraints of each table."""
    engine = create_engine(to_url(database_url))
    there = inspect(engine)
    found = {
        name: (
            [(column["name"], str(column["type"]), column["nullable"]) for column in there.get_columns(name)],
            sorted((str(index["name"]), index["column_names"], index["unique"]) for index in there.get_indexes(name)),
            sorted(str(key) for key in there.get_foreign_keys(name)),
            sorted(str(constraint) for constraint in there.get_unique_constraints(name)),
            str(there.get_pk_constraint(name)),
        )
        for name in there.get_table_names()
    }
    engine.dispose()
    return found


# --- restoring -------------------------------------------------------------------------------------------------------


def test_a_restored_database_has_exactly_the_same_rows(place: Place, ward: Ward) -> None:
    work_on(ward)
    seal(place.used, NOON)
    before = rows(place.used)
    # This table is always empty.
    assert before["write_trials"] == []
    assert all(kept for name, kept in before.items() if name != "write_trials"), "a table without rows proves nothing"
    about = place.back_up()
    assert about.rows == {name: len(kept) for name, kept in before.items()}
    assert place.restore() == about
    assert rows(place.empty) == before
    assert shape_of_tables(place.empty) == shape_of_tables(place.used)
    assert schema_state_of(place.empty) is SchemaState.CURRENT


def test_ids_after_restoring_are_new(place: Place, ward: Ward) -> None:
    work_on(ward)
    # The last row of each is deleted: the highest existing id is lower than the highest one ever used.
    ward.use_cases.details.delete(ward.admin, ward.detail(ward.sheet()["id"])["id"])
    gone = ward.sheet()["id"]
    ward.use_cases.sheets.delete(ward.admin, gone)
    place.back_up()
    place.restore()
    store = SqlStore(place.empty, ZONE)
    try:
        with store.read() as views:
            product = views.products.one(ward.product_id)
        assert product
        assert product["name"] == "Gasa estéril"
        here = a_ward_again(ward, store)
        assert here.sheet()["id"] > gone
        next_id = ward.detail(ward.sheet()["id"])["id"]
        assert here.detail(here.sheet()["id"])["id"] == next_id
        # The search index works too.
        assert here.use_cases.products.create(
            here.admin, ProductDraft(name="Tul graso", price=Decimal(1), category_id=here.category_id)
        ).id
    finally:
        store.close()


def a_ward_again(ward: Ward, store: SqlStore) -> Ward:
    """Return the same ward on another store."""
    return replace(ward, store=store, use_cases=use_cases_on(store, clock=ward.clock))


class Recorder:
    """Records details in a thread until stopped.

    It also deletes some details and closes sheets.
    """

    def __init__(self, ward: Ward) -> None:
        self._ward = ward
        self._stop = threading.Event()
        self.sheets = [ward.sheet()["id"] for _ in range(3)]
        self.acknowledged: list[int] = []
        self._thread = threading.Thread(target=self._work)
        self._some = threading.Semaphore(0)

    def _work(self) -> None:
        for number in count():
            if self._stop.is_set():
                return
            sheet_id = self.sheets[number % 3]
            try:
                self.acknowledged.append(self._ward.detail(sheet_id, f"1.{number % 999}")["id"])
            except Refused:
                self.sheets[number % 3] = self._ward.sheet()["id"]
            if number % 7 == 6:
                self._ward.use_cases.details.delete(self._ward.admin, self.acknowledged.pop())
            if number % 50 == 49:
                self._ward.use_cases.sheets.close(self._ward.admin, sheet_id)
            self._some.release()

    def wait_for(self, many: int) -> None:
        for _ in range(many):
            assert self._some.acquire(timeout=PATIENCE)

    def __enter__(self) -> "Recorder":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()


def test_a_backup_of_a_busy_database_is_consistent(place: Place, ward: Ward) -> None:
    with Recorder(ward) as one, Recorder(ward) as other:
        for recorder in (one, other):
            recorder.wait_for(20)
        # All details acknowledged by now, except the last ones, which may be deleted at this moment.
        before = set(one.acknowledged[:-1] + other.acknowledged[:-1])
        about = place.back_up()
        for recorder in (one, other):
            recorder.wait_for(5)
    place.restore()

    engine = create_engine(to_url(place.empty))
    with engine.connect() as connection:
        adding_up = list(inconsistencies(connection))
        kept = set(connection.execute(select(details.c.id)).scalars())
        counted = set(connection.execute(select(details.c.id).where(NOT_VOIDED)).scalars())
        reported = {
            action: set(connection.execute(select(audit.c.entity_id).where(audit.c.action == action)).scalars())
            for action in ("detail.added", "detail.voided")
        }
    engine.dispose()
    assert about.rows["consumption_details"] == len(kept) > 0
    # Every total is the sum of its details, and the audit log has entries for exactly these.
    assert adding_up == []
    assert reported["detail.added"] - reported["detail.voided"] == counted
    assert before <= kept
    now = rows(place.used)
    assert len(now["consumption_details"]) > 0


# --- invalid backups -------------------------------------------------------------------------------------------------


@pytest.fixture
def backed_up(place: Place, ward: Ward) -> Place:
    """Return a place with a backup; its second database has other data."""
    work_on(ward)
    place.back_up()
    migrate(place.empty)
    engine = create_engine(to_url(place.empty))
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO areas (name, name_key, name_folded) VALUES ('UCI', 'uci', 'uci')"))
    engine.dispose()
    return place


def refused(place: Place, says: str, *, replace: bool = True) -> None:
    """Assert that restoring fails and changes neither data nor files."""
    before = rows(place.empty)
    files = {path.name for path in place.folder.iterdir()}
    with pytest.raises(BackupProblem, match=says):
        place.restore(replace=replace)
    assert rows(place.empty) == before
    assert {path.name for path in place.folder.iterdir()} == files


@OF_ANY_KIND
def test_existing_data_is_overwritten_only_with_replace(backed_up: Place) -> None:
    refused(backed_up, "holds data: give --replace to overwrite them", replace=False)
    backed_up.restore(replace=True)
    assert rows(backed_up.empty) == rows(backed_up.used)
    refused(backed_up, "holds data: give --replace to overwrite them", replace=False)


@OF_ANY_KIND
def test_a_migrated_empty_database_can_be_restored_into(place: Place, ward: Ward) -> None:
    migrate(place.empty)
    place.back_up()
    place.restore()
    assert rows(place.empty) == rows(place.used)


def test_a_database_in_use_is_not_restored_into(backed_up: Place) -> None:
    store = SqlStore(backed_up.empty, ZONE)
    with store.read() as views:
        views.areas.one(1)
    refused(backed_up, "in use: stop the server")
    store.close()
    backed_up.restore(replace=True)


def with_member(file: Path, name: str, change: Callable[[bytes], bytes]) -> None:
    """Change one file in the archive of a backup."""
    with zipfile.ZipFile(file) as old:
        parts = {info: old.read(info) for info in old.infolist()}
    with zipfile.ZipFile(file, "w") as new:
        for info, content in parts.items():
            new.writestr(info, change(content) if info.filename.startswith(name) else content)


# What is printed, or decides which tool reads the database.
_OUR_TEXTS: list[dict[str, Any]] = [
    {"made_at": "\x1b[2J"},
    {"tool": "pg_dump x"},
    {"schema": "a\nb"},
    {"database": "mysql"},
    {"revision": "0" * 99},
    {"rows": {"areas": -1}},
]


def about_with(**changes: Any) -> Callable[[bytes], bytes]:
    return lambda content: msgspec.json.encode(msgspec.json.decode(content) | changes)


@pytest.mark.parametrize("place", ["sqlite"], indirect=True)
def test_a_backup_of_a_newer_version_is_refused(backed_up: Place) -> None:
    with_member(backed_up.file, "about", about_with(revision="9999"))
    refused(backed_up, r"was made by a newer version of Consumo \(its tables are of revision 9999\)")


@pytest.mark.parametrize("place", ["sqlite"], indirect=True)
def test_unknown_names_in_the_description_are_refused(backed_up: Place) -> None:
    """Its names and numbers are used in SQL statements."""
    every: tuple[dict[str, Any], ...] = (
        {"rows": {"pg_authid": 1}},
        {"extensions": ["plpython3u"]},
        {"rows": {"areas": "1; DROP"}},
        *_OUR_TEXTS,
    )
    for changes in every:
        with_member(backed_up.file, "about", about_with(**changes))
        refused(backed_up, "is no backup of Consumo")


def test_metadata_is_read_up_to_a_bound(sqlite_url: str, tmp_path: Path) -> None:
    """A member of hundreds of megabytes is packed into one."""
    file = tmp_path / "consumo.backup"
    for method in (zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        with zipfile.ZipFile(file, "w", method) as archive:
            archive.writestr("about.json", b'{"made_at": "' + b"0" * 50_000_000 + b'"}')
        tracemalloc.start()
        with pytest.raises(BackupProblem, match="is no backup of Consumo"):
            restore(sqlite_url, file, replace=True)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert most < 5_000_000


@OF_ANY_KIND
def test_a_backup_with_wrong_row_counts_is_refused(backed_up: Place) -> None:
    with zipfile.ZipFile(backed_up.file) as archive:
        counted = msgspec.json.decode(archive.read("about.json"))["rows"]
    with_member(backed_up.file, "about", about_with(rows=counted | {"areas": counted["areas"] + 1}))
    refused(backed_up, "does not hold what it says")


@OF_ANY_KIND
def test_a_damaged_or_truncated_backup_is_refused(backed_up: Place) -> None:
    whole = backed_up.file.read_bytes()
    middle = len(whole) // 2
    for damaged in (
        b"",
        b"not a backup",
        whole[:middle],
        whole[:-1],
        whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :],
    ):
        backed_up.file.write_bytes(damaged)
        refused(backed_up, "is no backup of Consumo, or no longer whole|pg_restore failed")
    backed_up.file.unlink()
    refused(backed_up, "consumo.backup: No such file")


def test_a_backup_of_the_other_database_engine_is_refused(sqlite_url: str, tmp_path: Path) -> None:
    file = tmp_path / "consumo.backup"
    back_up(sqlite_url, file, NOON)
    with pytest.raises(BackupProblem, match="was made of a database on SQLite, and CONSUMO_DATABASE_URL names one on"):
        restore("postgresql://h/d", file, replace=True)


# --- altered backups --------------------------------------------------------------------------------------------------

# The trigger would make all users administrators at the next sign-in.
ON_SQLITE = (
    "CREATE TRIGGER helpful AFTER INSERT ON sessions BEGIN UPDATE users SET role = 10; END",
    "DROP TRIGGER products_words_added",
    "CREATE TRIGGER products_words_added AFTER INSERT ON products BEGIN UPDATE users SET role = 10; END",
    "CREATE VIEW everything AS SELECT * FROM patients",
    "CREATE TABLE theirs (id INTEGER, twice INTEGER GENERATED ALWAYS AS (id * 2))",
    "CREATE INDEX theirs_too ON areas (upper(name))",
)
ON_POSTGRESQL = (
    "CREATE FUNCTION promote() RETURNS trigger LANGUAGE plpgsql AS "
    "$$BEGIN UPDATE users SET role = 10; RETURN NEW; END$$",
    "CREATE TRIGGER helpful AFTER INSERT ON sessions FOR EACH ROW EXECUTE FUNCTION promote()",
    "CREATE RULE helpful_too AS ON INSERT TO sessions DO ALSO UPDATE users SET role = 10",
)


def test_only_rows_of_an_altered_backup_are_restored(place: Place, ward: Ward) -> None:
    work_on(ward)
    shape, before = shape_of_tables(place.used), rows(place.used)
    engine = create_engine(to_url(place.used))
    on_sqlite = engine.dialect.name == "sqlite"
    with engine.begin() as connection:
        for statement in ON_SQLITE if on_sqlite else ON_POSTGRESQL:
            connection.execute(text(statement))
    engine.dispose()
    place.back_up()
    reported: list[str] = []
    restore(place.empty, place.file, replace=False, on_skipped=reported.append)
    assert (rows(place.empty), shape_of_tables(place.empty)) == (before, shape)
    expected = (
        ["index 'theirs_too'", "table 'theirs'", "trigger 'helpful'", "trigger 'products_words_added'"]
        if on_sqlite
        else ["'RULE public sessions helpful_too", "'TRIGGER public sessions helpful "]
    )
    for what in expected:
        assert [one for one in reported if one.startswith(what)], reported
    assert len(reported) == (len(expected) + 1 if on_sqlite else len(expected))
    executed = create_engine(to_url(place.empty))
    triggers = (
        "SELECT count(*) FROM sqlite_master WHERE type = 'trigger' AND sql LIKE '%role%' "
        "OR type = 'view' AND name NOT LIKE 'analytics%'"
        if on_sqlite
        else "SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal"
    )
    with executed.connect() as connection:
        assert connection.execute(text(triggers)).scalar_one() == 0
    executed.dispose()


@pytest.mark.parametrize("place", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    "alteration",
    [
        ("ALTER TABLE users RENAME TO people", "CREATE VIEW users AS SELECT * FROM people"),
        ("ALTER TABLE users RENAME COLUMN role TO rank", "ALTER TABLE users ADD COLUMN role INTEGER AS (10)"),
        ("ALTER TABLE areas ADD COLUMN more TEXT",),
    ],
    ids=["a view in a table's place", "a generated column", "another column"],
)
def test_an_altered_table_is_refused(backed_up: Place, alteration: tuple[str, ...]) -> None:
    def alter(database: bytes) -> bytes:
        file = backed_up.folder / "altered.db"
        file.write_bytes(database)
        with closing(sqlite3.connect(file)) as connection:
            for statement in ("PRAGMA legacy_alter_table = ON", *alteration):
                connection.execute(statement)
        altered = file.read_bytes()
        file.unlink()
        return altered

    with_member(backed_up.file, "database", alter)
    refused(backed_up, "The backup's table (users|areas) is not as Consumo makes it")


@postgresql
def test_statements_inside_a_dump_are_not_executed(
    postgresql_url: str, blank_postgresql_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This includes statements that `pg_restore` itself reads from the dump."""
    back_up(postgresql_url, tmp_path / "file", NOON)
    before, running = rows(postgresql_url), on_postgresql._running
    touched = tmp_path / "touched"

    @contextmanager
    def with_more(command: Sequence[str], url: Any) -> Iterator[Any]:
        with running(command, url) as process:
            assert process.stdout
            said = process.stdout.read()
            if "--data-only" in command:
                said = (
                    b"DROP TABLE users;\n\\! touch "
                    + bytes(touched)
                    + b"\nCOPY public.theirs (id) FROM stdin;\n1\n\\.\n"
                    b"COPY public.users (id) FROM PROGRAM 'id';\n" + said
                )
            yield SimpleNamespace(stdout=io.BytesIO(said))

    reported: list[str] = []
    monkeypatch.setattr(on_postgresql, "_running", with_more)
    restore(blank_postgresql_url, tmp_path / "file", replace=False, on_skipped=reported.append)
    assert reported == ["table 'theirs'"]
    assert not touched.exists()
    assert rows(blank_postgresql_url) == before


# --- older versions --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_backup_of_an_older_version_is_migrated(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    used, other = (str(request.getfixturevalue(f"{name}{kind}_url")) for name in ("blank_", ""))
    migrate(used, revision="0001")
    engine = create_engine(to_url(used))
    with engine.begin() as connection:
        for statement in (*FILL, ADD_DETAIL):
            connection.execute(text(statement))
    engine.dispose()
    back_up(used, tmp_path / "old", NOON)
    assert restore(other, tmp_path / "old", replace=False).revision == "0001"
    assert schema_state_of(other) is SchemaState.CURRENT
    of_then = columns_of(used)
    # Columns for searching are computed again.
    of_then["patients"] -= {"search_folded", "sort_folded"}
    of_then["consumption_sheets"] -= {"search_folded"}
    of_then["products"] -= {"name_folded"}
    assert rows(other, of_then) == rows(used, of_then)


# --- the file --------------------------------------------------------------------------------------------------------


def test_a_backup_is_private_and_readable_by_standard_tools(place: Place, ward: Ward) -> None:
    place.back_up()
    assert stat.S_IMODE(place.file.stat().st_mode) == 0o600
    with zipfile.ZipFile(place.file) as archive:
        names = archive.namelist()
        about = msgspec.json.decode(archive.read("about.json"))
        begins = archive.read(names[1])[:6]
    assert names in (["about.json", "database.sqlite"], ["about.json", "database.dump"])
    assert begins in (b"SQLite", b"PGDMP\x01")
    assert about["made_at"] == NOON.isoformat()


def test_a_backup_that_exists_is_kept_without_replace(sqlite_url: str, tmp_path: Path) -> None:
    file = tmp_path / "consumo.backup"
    back_up(sqlite_url, file, NOON)
    before = file.read_bytes()
    with pytest.raises(BackupProblem, match="exists: give another name, or --replace to overwrite it"):
        back_up(sqlite_url, file, NOON)
    assert file.read_bytes() == before


def test_a_failed_backup_keeps_the_previous_one(place: Place, ward: Ward) -> None:
    place.back_up()
    before = place.file.read_bytes()
    assert isinstance(ward.store, SqlStore)
    with ward.store._writing.begin() as connection:
        connection.execute(text("DROP TABLE alembic_version"))
    with pytest.raises(BackupProblem, match="no tables of Consumo"):
        place.back_up()
    assert place.file.read_bytes() == before
    assert not [path for path in place.folder.iterdir() if "partial" in path.name]


def test_an_unwritable_file_is_reported(sqlite_url: str, tmp_path: Path) -> None:
    for file in (tmp_path, tmp_path / "no" / "such" / "folder"):
        with pytest.raises(BackupProblem, match=r"cannot be written: (Is a directory|No such file or directory)\."):
            back_up(sqlite_url, file, NOON)
    if Path("/dev/full").exists() and os.geteuid() == 0:
        with pytest.raises(BackupProblem, match="cannot be written"):
            back_up(sqlite_url, Path("/proc/consumo.backup"), NOON)


# --- only SQLite -----------------------------------------------------------------------------------------------------


def test_leftover_wal_files_do_not_get_into_a_restored_file(sqlite_url: str, tmp_path: Path) -> None:
    file = tmp_path / "consumo.backup"
    back_up(sqlite_url, file, NOON)
    target = tmp_path / "new.db"
    for beside in ("-wal", "-journal", "-shm"):
        target.with_name(target.name + beside).write_bytes(b"of another database")
    restore(f"sqlite:///{target}", file, replace=False)
    assert rows(f"sqlite:///{target}") == rows(sqlite_url)
    assert target.with_name("new.db-wal").exists() is False


def test_a_damaged_database_is_replaced(sqlite_url: str, tmp_path: Path) -> None:
    file = tmp_path / "consumo.backup"
    back_up(sqlite_url, file, NOON)
    target = tmp_path / "new.db"
    for damaged in (b"SQLite format 3\0" + b"x" * 5000, b"what is no database at all, and long enough" * 100):
        target.write_bytes(damaged)
        target.with_name("new.db-wal").write_bytes(b"of another database")
        with pytest.raises(BackupProblem, match=r"is damaged .*: give --replace"):
            restore(f"sqlite:///{target}", file, replace=False)
        assert target.read_bytes() == damaged
        restore(f"sqlite:///{target}", file, replace=True)
        assert rows(f"sqlite:///{target}") == rows(sqlite_url)


def test_a_damaged_database_is_not_backed_up(sqlite_url: str, tmp_path: Path) -> None:
    path = Path(make_url(sqlite_url).database or "")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("INSERT INTO rooms (name, name_folded, status, type, area_id) VALUES ('x', 'x', 1, 1, 99)")
        connection.commit()
    with pytest.raises(BackupProblem, match="damaged: references are broken"):
        back_up(sqlite_url, tmp_path / "consumo.backup", NOON)
    with pytest.raises(BackupProblem, match="there is no database to back up"):
        back_up(f"sqlite:///{tmp_path / 'nothing.db'}", tmp_path / "consumo.backup", NOON)
    assert not (tmp_path / "consumo.backup").exists()


def test_the_restored_file_keeps_the_permissions(sqlite_url: str, tmp_path: Path) -> None:
    file = tmp_path / "consumo.backup"
    back_up(sqlite_url, file, NOON)
    target = tmp_path / "new.db"
    shutil.copy(make_url(sqlite_url).database or "", target)
    target.chmod(0o640)
    restore(f"sqlite:///{target}", file, replace=True)
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


# --- only PostgreSQL -------------------------------------------------------------------------------------------------


@postgresql
@pytest.mark.parametrize("place", ["postgresql"], indirect=True)
def test_a_failed_restore_changes_nothing(backed_up: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise BackupProblem("the end came")

    monkeypatch.setattr(on_postgresql, "_must_be_whole", fail)
    refused(backed_up, "the end came")


@postgresql
@pytest.mark.parametrize("place", ["postgresql"], indirect=True)
def test_objects_of_others_on_our_tables_are_not_dropped(backed_up: Place) -> None:
    engine = create_engine(to_url(backed_up.empty))
    with engine.begin() as connection:
        connection.execute(text("CREATE VIEW their_report AS SELECT name FROM areas"))
    refused(backed_up, "cannot be restored: cannot drop .* because other objects depend on them")
    with engine.begin() as connection:
        connection.execute(text("DROP VIEW their_report"))
        connection.execute(text("CREATE TABLE their_table (id int)"))
        connection.execute(text("INSERT INTO their_table VALUES (7)"))
    backed_up.restore(replace=True)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT id FROM their_table")).scalar_one() == 7
    engine.dispose()


@postgresql
def test_other_tables_with_the_same_names_are_not_replaced(
    postgresql_url: str, blank_postgresql_url: str, tmp_path: Path
) -> None:
    back_up(postgresql_url, tmp_path / "file", NOON)
    engine = create_engine(to_url(blank_postgresql_url))
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE users (id int)"))
    with pytest.raises(BackupProblem, match="not of this version of Consumo: restore into an empty database"):
        restore(blank_postgresql_url, tmp_path / "file", replace=True)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM users")).scalar_one() == 0
    engine.dispose()


@postgresql
def test_missing_or_outdated_tools_are_reported(
    postgresql_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(on_postgresql, "_FOLDERS", ())
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BackupProblem, match=r"^pg_dump is not on this machine: install PostgreSQL's client \d+\.$"):
        back_up(postgresql_url, tmp_path / "file", NOON)
    old = tmp_path / "pg_dump"
    old.write_text("#!/bin/sh\necho 'pg_dump (PostgreSQL) 9.6.24'\n")
    old.chmod(0o755)
    with pytest.raises(BackupProblem, match=r"pg_dump on this machine is of version 9, and the server of version \d+"):
        back_up(postgresql_url, tmp_path / "file", NOON)


def test_the_oldest_suitable_tool_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for version in (9, 15, 17):
        tool = tmp_path / str(version) / "pg_dump"
        tool.parent.mkdir()
        tool.write_text(f"#!/bin/sh\necho 'pg_dump (PostgreSQL) {version}.2'\n")
        tool.chmod(0o755)
    monkeypatch.setattr(on_postgresql, "_FOLDERS", (f"{str(tmp_path)[1:]}/*",))
    monkeypatch.setenv("PATH", "")
    assert on_postgresql._tool("pg_dump", at_least=14, made="x") == (str(tmp_path / "15" / "pg_dump"), 15)
    assert on_postgresql._tool("pg_dump", at_least=16, made="x") == (str(tmp_path / "17" / "pg_dump"), 17)


def test_a_password_is_not_in_the_command_line() -> None:
    command, environment = on_postgresql._target(to_url("postgresql://u:secret@h1:5433/d?sslmode=require"))
    assert "secret" not in " ".join(command)
    assert "sslmode=require" in command[0]
    assert environment["PGPASSWORD"] == "secret"
