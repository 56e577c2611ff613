"""Migrations on both databases: result, repetition and locks."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Engine, NullPool, create_engine, event, inspect, select, text
from sqlalchemy.exc import IntegrityError, OperationalError

from adapters.sql.engine.columns import FOLDED, metadata
from adapters.sql.engine.connections import to_url
from adapters.sql.migrate import PAUSE_SECONDS, SchemaState, TablesInUse, migrate, schema_state_of
from adapters.sql.sheets.tables import LOT_KEY, SERIAL_KEY, details
from tests.contracts.common.concurrently import at_once
from tests.pace import PATIENCE

# Indexes for searches, created in migrations and not declared in the tables' module.
WORDS = ("products_words", "ix_products_words")
postgresql = pytest.mark.postgresql
KINDS = ["sqlite", pytest.param("postgresql", marks=postgresql)]


@pytest.fixture(params=KINDS)
def migrated(request: pytest.FixtureRequest) -> Iterator[Engine]:
    """Return an engine on a migrated database of each kind."""
    engine = create_engine(to_url(request.getfixturevalue(f"{request.param}_url")))
    yield engine
    engine.dispose()


@pytest.fixture(params=KINDS)
def blank_url(request: pytest.FixtureRequest) -> str:
    """Return the URL of an empty database of each kind."""
    return str(request.getfixturevalue(f"blank_{request.param}_url"))


def test_a_migrated_database_matches_the_table_definitions(migrated: Engine) -> None:
    def ours(_: Any, name: str | None, *__: Any) -> bool:
        return not (name or "").startswith(WORDS)

    with migrated.connect() as connection:
        options = {"compare_type": True, "compare_server_default": True, "include_object": ours}
        context = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(context, metadata) == []


@pytest.mark.filterwarnings("ignore:Skipped unsupported reflection of expression-based index")
def test_every_constraint_has_the_name_in_the_code(migrated: Engine) -> None:
    """Domain errors are derived from the names of violated constraints."""
    there = inspect(migrated)
    for table in metadata.sorted_tables:
        unique = {constraint["name"] for constraint in there.get_unique_constraints(table.name)}
        assert unique == {str(constraint.name) for constraint in table.constraints if str(constraint.name)[:2] == "uq"}
        # SQLite has no name for the foreign key of an added column, and its errors never have one.
        foreign = {
            constraint["name"] or f"fk_{table.name}_{constraint['constrained_columns'][0]}"
            for constraint in there.get_foreign_keys(table.name)
        }
        assert foreign == {str(constraint.name) for constraint in table.foreign_key_constraints}


@postgresql
def test_postgresql_compares_folded_texts_with_the_c_collation(postgresql_url: str) -> None:
    folded = {
        (table.name, column.name) for table in metadata.sorted_tables for column in table.c if column.type is FOLDED
    }
    engine = create_engine(to_url(postgresql_url))
    with engine.connect() as connection:
        in_c = connection.execute(
            text("SELECT table_name, column_name FROM information_schema.columns WHERE collation_name = 'C'")
        )
        found = {(row.table_name, row.column_name) for row in in_c}
    engine.dispose()
    assert folded
    assert folded <= found


def test_migrating_again_changes_nothing(blank_url: str) -> None:
    assert schema_state_of(blank_url) is SchemaState.BEHIND
    migrate(blank_url)
    assert schema_state_of(blank_url) is SchemaState.CURRENT
    engine = create_engine(to_url(blank_url))
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO areas (name, name_key, name_folded) VALUES ('UCI', 'uci', 'uci')"))
    migrate(blank_url)
    assert schema_state_of(blank_url) is SchemaState.CURRENT
    with engine.connect() as connection:
        assert connection.execute(text("SELECT name FROM areas")).scalars().all() == ["UCI"]
    engine.dispose()


@postgresql
def test_postgresql_is_migrated_by_one_of_several_servers(blank_postgresql_url: str) -> None:
    assert at_once([lambda: migrate(blank_postgresql_url)] * 4) == [None] * 4
    assert schema_state_of(blank_postgresql_url) is SchemaState.CURRENT


# --- during normal work ----------------------------------------------------------------------------------------------

FILL = (
    "INSERT INTO areas (name, name_key, name_folded) VALUES ('UCI', 'uci', 'uci')",
    "INSERT INTO rooms (name, name_folded, status, type, area_id) VALUES ('1', '1', 1, 1, 1)",
    "INSERT INTO categories (code, code_key, name, name_folded) VALUES ('C', 'c', 'C', 'c')",
    "INSERT INTO products (name, name_folded, price, category_id, active) VALUES ('G', 'g', 100, 1, true)",
    "INSERT INTO users (email, role, deleted) VALUES ('a@b.test', 10, false)",
    "INSERT INTO patients (name, first_surname, active, search_folded, sort_folded) VALUES ('A', 'B', true, 'a', 'b')",
    "INSERT INTO consumption_sheets (patient_id, room_id, admission_date, diagnosis, doctor, search_folded, total, "
    "version) VALUES (1, 1, '2026-01-01', '', '', '', 0, 1), (1, 1, '2026-01-01', '', '', '', 0, 1)",
)
ADD_DETAIL = (
    "INSERT INTO consumption_details (sheet_id, product_id, user_id, quantity, unit_price, total, created_at, day, "
    "version) SELECT 1, 1, 1, 1000, 100, 100, '2026-01-01', '2026-01-01', 1"
)


@pytest.fixture
def old_postgresql(blank_postgresql_url: str) -> Iterator[Engine]:
    """Return a database at revision 0001 with rows.

    Its connections do not wait for a lock for ever.
    """
    migrate(blank_postgresql_url, revision="0001")
    options = f"-c lock_timeout={PATIENCE}s"
    engine = create_engine(to_url(blank_postgresql_url), connect_args={"options": options})
    with engine.begin() as connection:
        for statement in FILL:
            connection.execute(text(statement))
        connection.execute(text(f"{ADD_DETAIL} FROM generate_series(1, 20000)"))
    yield engine
    engine.dispose()


@pytest.fixture
def old_sqlite(blank_sqlite_url: str) -> Iterator[Engine]:
    """Return a SQLite file at revision 0001 with rows."""
    migrate(blank_sqlite_url, revision="0001")
    engine = create_engine(blank_sqlite_url, poolclass=NullPool)
    with engine.begin() as connection:
        for statement in FILL:
            connection.execute(text(statement))
        connection.execute(text(ADD_DETAIL))
    yield engine
    engine.dispose()


def url_of(engine: Engine) -> str:
    return engine.url.render_as_string(hide_password=False)


@postgresql
def test_postgresql_writers_do_not_wait_for_a_migration(old_postgresql: Engine) -> None:
    """A plain CREATE INDEX would wait for open transactions.

    All other writers would then wait for it.
    """
    waiting = text(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' "
        "AND query LIKE '%INDEX CONCURRENTLY%'"
    )
    with ThreadPoolExecutor(1) as other, old_postgresql.connect() as in_the_middle:
        in_the_middle.execute(text(ADD_DETAIL))
        migrating = other.submit(migrate, url_of(old_postgresql))
        added = 0
        with old_postgresql.connect().execution_options(isolation_level="AUTOCOMMIT") as writer:
            while not writer.execute(waiting).scalar_one():
                assert not migrating.done(), migrating.result()
                writer.execute(text(ADD_DETAIL))
                added += 1
            for _ in range(20):
                writer.execute(text(ADD_DETAIL))
            assert not migrating.done()
            in_the_middle.commit()
            while not migrating.done():
                writer.execute(text(ADD_DETAIL))
                added += 1
        migrating.result()
        kept = in_the_middle.execute(text("SELECT count(*) FROM consumption_details")).scalar_one()
    assert kept == 20_000 + 1 + 20 + added
    assert schema_state_of(url_of(old_postgresql)) is SchemaState.CURRENT


@postgresql
def test_postgresql_indexes_of_old_tables_are_built_concurrently(old_postgresql: Engine) -> None:
    """Migrations have to use `build_index` and `drop_index`."""
    said: list[str] = []

    @event.listens_for(Engine, "before_cursor_execute")
    def note(_: Any, __: Any, statement: str, *___: Any) -> None:
        said.append(statement)

    try:
        migrate(url_of(old_postgresql))
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    new = {name for line in said for name in re.findall(r"CREATE TABLE (\w+)", line)}
    building = [line for line in said if re.search(r"(CREATE|DROP) (UNIQUE )?INDEX", line)]
    assert building
    for line in building:
        assert "CONCURRENTLY" in line or any(f" ON {table} " in line for table in new), line


@postgresql
def test_postgresql_an_invalid_index_is_built_again(old_postgresql: Engine) -> None:
    name = "ix_consumption_sheets_room_id_id"
    with old_postgresql.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        with pytest.raises(IntegrityError):
            connection.execute(text(f"CREATE UNIQUE INDEX CONCURRENTLY {name} ON consumption_sheets (version)"))
        migrate(url_of(old_postgresql))
        found = text(
            "SELECT indisvalid, pg_get_indexdef(indexrelid) FROM pg_index WHERE indexrelid = CAST(:name AS regclass)"
        )
        valid, definition = connection.execute(found, {"name": name}).one()
    assert valid
    assert definition.endswith("(room_id, id)")


@postgresql
def test_postgresql_a_blocked_migration_gives_way_and_retries(
    old_postgresql: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.sql.migrate.LOCK_SECONDS", 0.05)
    with old_postgresql.connect() as someone:
        someone.execute(text("LOCK TABLE alembic_version IN ACCESS EXCLUSIVE MODE"))
        pauses: list[float] = []
        with pytest.raises(TablesInUse):
            migrate(url_of(old_postgresql), tries=3, pause=pauses.append)
        assert pauses == [PAUSE_SECONDS] * 3
        migrate(url_of(old_postgresql), pause=lambda _: someone.commit())
    assert schema_state_of(url_of(old_postgresql)) is SchemaState.CURRENT


UNFOLDED = (
    "INSERT INTO products (name, name_folded, code, code_key, price, category_id, active) VALUES "
    "('Gasa 10 × 10', 'gasa 10 × 10', 'MC-0005', 'mc-0005', 1, 1, true), ('Venda', 'venda', NULL, NULL, 1, 1, true), "
    "('Micro-gotero', 'micro-gotero', '--', '--', 1, 1, true)",
    "INSERT INTO patients (name, first_surname, active, record_number, record_key, search_folded, sort_folded) VALUES "
    "('Ana', 'Ríos', true, 'EXP-7', 'exp-7', 'ana rios exp-7', 'rios ana')",
)


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def test_old_names_and_codes_are_searchable_like_new_ones(
    kind: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.sql.migrations.online._AT_A_TIME", 2)
    old: Engine = request.getfixturevalue(f"old_{kind}")
    with old.begin() as connection:
        for statement in UNFOLDED:
            connection.execute(text(statement))
    migrate(url_of(old))
    with old.connect() as connection:
        products = connection.execute(text("SELECT name_folded, code_folded FROM products ORDER BY id")).all()
        patients = connection.execute(text("SELECT search_folded FROM patients ORDER BY id")).scalars().all()
        if kind == "sqlite":
            words = text('SELECT rowid FROM products_words WHERE products_words MATCH \'"10x10" OR "microg"\'')
            assert connection.execute(words).scalars().all() == [2, 4]
    assert products == [("g", None), ("gasa 10x10", "mc0005"), ("venda", None), ("microgotero", None)]
    assert patients == ["a b", "ana rios exp-7 exp7"]


@pytest.mark.parametrize("kind", KINDS)
def test_names_and_codes_that_look_the_same_get_the_same_key(kind: str, request: pytest.FixtureRequest) -> None:
    """The second of two products with the same visible code keeps its key.

    The key changes when its code is updated.
    """
    old: Engine = request.getfixturevalue(f"old_{kind}")
    with old.begin() as connection:
        for code in ("UNP-1", "UNP-1\u200b", "UNP\u00a0-2"):
            connection.execute(
                text(
                    "INSERT INTO products (name, name_folded, code, code_key, price, category_id, active) "
                    "VALUES ('V', 'v', :code, :key, 1, 1, true)"
                ),
                {"code": code, "key": code.casefold()},
            )
        connection.execute(
            text(
                "INSERT INTO patients (name, first_surname, active, search_folded, sort_folded) "
                "VALUES ('Ana', 'García-O’Donnell', true, 'ana garcia-o’donnell', 'garcia-o’donnell ana')"
            )
        )
    migrate(url_of(old))
    with old.connect() as connection:
        keys = connection.execute(text("SELECT code_key, code_folded FROM products WHERE id > 1 ORDER BY id")).all()
        person = connection.execute(text("SELECT search_folded, sort_folded FROM patients WHERE id > 1")).one()
        if kind == "sqlite":
            found = text("SELECT rowid FROM products_words_code WHERE products_words_code MATCH 'np2'")
            assert connection.execute(found).scalars().all() == [4]
    assert keys == [("unp-1", "unp1"), ("unp-1\u200b", "unp1"), ("unp-2", "unp2")]
    assert person == ("ana garcia odonnell", "garcia odonnell ana")


@pytest.mark.parametrize("kind", KINDS)
def test_old_lots_and_serials_are_found_as_they_are_read(kind: str, request: pytest.FixtureRequest) -> None:
    """A key is only stored where it is not the lot in small letters."""
    old: Engine = request.getfixturevalue(f"old_{kind}")
    migrate(url_of(old), revision="0057")
    packs = [("AB-12", "SN-1"), ("ab–12", "ＳＮ-1"), ("AB - 12", None), ("Ñ-1", None)]
    with old.begin() as connection:
        connection.execute(text("DELETE FROM consumption_details"))
        statement = "SELECT 1, 1, 1, 1000, 100, 100, '2026-01-01', '2026-01-01', 1"
        assert ADD_DETAIL.endswith(statement)
        add_pack = ADD_DETAIL.removesuffix(statement).replace("version)", "version, lot, serial)")
        for lot, serial in packs:
            connection.execute(text(f"{add_pack}{statement}, :lot, :serial"), {"lot": lot, "serial": serial})
    migrate(url_of(old))
    with old.connect() as connection:
        stored = connection.execute(select(details.c.lot_key, details.c.serial_key).order_by(details.c.id)).all()
        keys = connection.execute(select(LOT_KEY, SERIAL_KEY).order_by(details.c.id)).all()
    assert [tuple(row) for row in stored] == [(None, None), ("ab-12", "sn-1"), ("ab-12", None), ("ñ-1", None)]
    assert [tuple(row) for row in keys] == [("ab-12", "sn-1"), ("ab-12", "sn-1"), ("ab-12", None), ("ñ-1", None)]


@pytest.mark.parametrize("kind", KINDS)
def test_an_old_gtin_becomes_a_code_of_14_digits(kind: str, request: pytest.FixtureRequest) -> None:
    """The older of two products with the same code keeps it.

    Before, EAN-13 and GTIN-14 counted as different.
    """
    old: Engine = request.getfixturevalue(f"old_{kind}")
    with old.begin() as connection:
        for gtin in ("7501000000013", "07501000000013", "96385074"):
            connection.execute(
                text(
                    "INSERT INTO products (name, name_folded, price, category_id, active, gtin) "
                    "VALUES ('V', 'v', 1, 1, true, :gtin)"
                ),
                {"gtin": gtin},
            )
    migrate(url_of(old))
    with old.connect() as connection:
        codes = connection.execute(
            text("SELECT product_id, system, code, code_key, units FROM product_codes ORDER BY product_id")
        ).all()
        asked = connection.execute(text("SELECT decimals, asks_lot, asks_serial FROM products WHERE id = 1")).one()
        returned = connection.execute(text("SELECT min(returned) FROM consumption_details")).scalar_one()
    assert codes == [
        (2, "gtin", "07501000000013", "07501000000013", 1000),
        (4, "gtin", "00000096385074", "00000096385074", 1000),
    ]
    assert (asked, returned) == ((3, False, False), 0)


@pytest.mark.parametrize("kind", KINDS)
def test_patient_numbers_noted_as_codes_are_removed(kind: str, request: pytest.FixtureRequest) -> None:
    old: Engine = request.getfixturevalue(f"old_{kind}")
    migrate(url_of(old), revision="0020")
    patients = ("1042331", "exp-2025-0923", "96385074")
    bands = (*patients, "*1042331*", "0001042331", "00000096385074", "visita-7", "*visita-7*", "viejo-1")
    persons = ("8018952000000000000018", "(8017)952000000000000018")
    with old.begin() as connection:
        for number in patients:
            row = {"number": number.upper(), "key": number}
            connection.execute(
                text(
                    "INSERT INTO patients (name, first_surname, active, record_number, record_key, search_folded, "
                    "sort_folded) VALUES ('A', 'B', true, :number, :key, 'a', 'b')"
                ),
                row,
            )
        connection.execute(text("UPDATE consumption_sheets SET visit_number = 'Visita-7' WHERE id = 1"))
        connection.execute(
            text(
                "INSERT INTO patient_identifiers (patient_id, system, value, value_key) "
                "VALUES (1, 'record_number', 'VIEJO-1', 'viejo-1')"
            )
        )
        for code in (*bands, *persons, "zz-1", "104233", "visita"):
            connection.execute(
                text(
                    "INSERT INTO unknown_codes (system, code_key, code, times, last_at, last_user_id) "
                    "VALUES ('code', :code, :code, 1, '2026-01-01', 1)"
                ),
                {"code": code},
            )
    migrate(url_of(old))
    with old.connect() as connection:
        left = connection.execute(text("SELECT code FROM unknown_codes ORDER BY code")).scalars().all()
    assert left == ["104233", "visita", "zz-1"]


@pytest.mark.parametrize("kind", KINDS)
def test_wristbands_noted_as_codes_are_removed(kind: str, request: pytest.FixtureRequest) -> None:
    old: Engine = request.getfixturevalue(f"old_{kind}")
    migrate(url_of(old), revision="0057")
    bands = ("exp-2026-0012;Garcia Ana;29/02/1980", "Garcia Ana", "REF/EXP-2026-0012", "EXP-2026-0012-GARCIA", "V-77/2")
    codes = ("VEN-14/G", "EXP-2026-00129", "X_1.5%")
    note = "INSERT INTO unknown_codes (system, code_key, code, times, last_at, last_user_id) "
    with old.begin() as connection:
        connection.execute(text("UPDATE patients SET record_number = 'EXP-2026-0012', record_key = 'exp-2026-0012'"))
        connection.execute(text("UPDATE consumption_sheets SET visit_number = 'V-77' WHERE id = 1"))
        for code in (*bands, *codes):
            row = {"key": code.lower(), "code": code}
            connection.execute(text(f"{note}VALUES ('code', :key, :code, 1, '2026-01-01', 1)"), row)
        connection.execute(text(f"{note}VALUES ('gtin', '07501000000013', '07501000000013', 1, '2026-01-01', 1)"))
    migrate(url_of(old))
    with old.connect() as connection:
        left = connection.execute(text("SELECT code FROM unknown_codes")).scalars().all()
    assert set(left) == {*codes, "07501000000013"}


@postgresql
def test_postgresql_rows_changed_during_a_migration_are_kept(old_postgresql: Engine) -> None:
    with old_postgresql.begin() as connection:
        for statement in UNFOLDED:
            connection.execute(text(statement))
    renamed = text("UPDATE products SET name = 'Tul', name_folded = 'tul' WHERE name = 'Gasa 10 × 10'")
    done: list[str] = []

    @event.listens_for(Engine, "before_cursor_execute")
    def rename(connection: Any, _: Any, statement: str, *___: Any) -> None:
        if statement.startswith("UPDATE products") and connection.engine is not old_postgresql and not done:
            done.append(statement)
            with old_postgresql.begin() as blocker:
                blocker.execute(renamed)

    try:
        migrate(url_of(old_postgresql))
    finally:
        event.remove(Engine, "before_cursor_execute", rename)
    assert done
    with old_postgresql.connect() as connection:
        names = connection.execute(text("SELECT name, name_folded FROM products WHERE id > 1 ORDER BY id")).all()
    assert names == [("Tul", "tul"), ("Venda", "venda"), ("Micro-gotero", "microgotero")]


def test_sqlite_a_failed_migration_changes_nothing(old_sqlite: Engine) -> None:
    with old_sqlite.begin() as connection:
        connection.execute(text("CREATE INDEX ix_consumption_sheets_open_in_room ON consumption_sheets (doctor)"))
        before = connection.execute(text("SELECT sql FROM sqlite_master ORDER BY name")).all()
    with pytest.raises(OperationalError, match="already exists"):
        migrate(url_of(old_sqlite))
    with old_sqlite.connect() as connection:
        assert connection.execute(text("SELECT sql FROM sqlite_master ORDER BY name")).all() == before
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one() == "0001"


def test_sqlite_a_migration_refuses_broken_references(old_sqlite: Engine) -> None:
    with old_sqlite.begin() as connection:
        connection.execute(text("UPDATE consumption_details SET product_id = 99"))
    with pytest.raises(RuntimeError, match="1 rows would refer to nothing"):
        migrate(url_of(old_sqlite))
    assert schema_state_of(url_of(old_sqlite)) is SchemaState.BEHIND


def test_sqlite_one_of_several_concurrent_migrations_runs(old_sqlite: Engine) -> None:
    assert at_once([lambda: migrate(url_of(old_sqlite))] * 4) == [None] * 4
    assert schema_state_of(url_of(old_sqlite)) is SchemaState.CURRENT


def test_a_database_of_a_newer_version_is_recognized(migrated: Engine) -> None:
    with migrated.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    assert schema_state_of(url_of(migrated)) is SchemaState.AHEAD
    with migrated.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0001'"))
    assert schema_state_of(url_of(migrated)) is SchemaState.BEHIND
