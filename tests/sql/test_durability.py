"""SQLite with its real settings: WAL, full durability, foreign keys.

No column may contain a binary float.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from decimal import Decimal

import pytest
from sqlalchemy import Engine, make_url

from adapters.sql.store import SqlStore
from domain.catalogue.product import Product
from domain.common.errors import Refused
from tests.builders import ZONE, Ward, a_ward
from tests.sql.every_table import everything_that_money_does, fill_every_table

SYNCHRONOUS_FULL = 2


@pytest.fixture
def store(sqlite_url: str) -> Iterator[SqlStore]:
    store = SqlStore(sqlite_url, ZONE)
    yield store
    store.close()


@pytest.fixture
def ward(store: SqlStore) -> Ward:
    return a_ward(store, charging=True)


def pragma(engine: Engine, name: str) -> object:
    with engine.connect() as connection:
        return connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()


@pytest.mark.parametrize(
    ("name", "value"),
    [("journal_mode", "wal"), ("synchronous", SYNCHRONOUS_FULL), ("foreign_keys", 1), ("busy_timeout", 30_000)],
)
def test_every_connection_is_durable_and_has_foreign_keys(store: SqlStore, name: str, value: object) -> None:
    assert pragma(store._writing, name) == value
    assert pragma(store._reading, name) == value


def test_a_connection_opened_later_has_the_same_settings(store: SqlStore) -> None:
    with store.read(), store.read(), store.read():
        assert pragma(store._reading, "synchronous") == SYNCHRONOUS_FULL
        assert pragma(store._reading, "foreign_keys") == 1


def test_a_unit_of_work_takes_the_write_lock_at_its_start(store: SqlStore, sqlite_url: str) -> None:
    """With BEGIN IMMEDIATE, other writers are locked out before any read."""
    with store.begin(), closing(sqlite3.connect(make_url(sqlite_url).database or "", timeout=0)) as other:
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("BEGIN IMMEDIATE")
        assert other.execute("SELECT count(*) FROM users").fetchone() == (0,)


def test_a_reference_to_a_missing_row_is_refused(ward: Ward) -> None:
    with pytest.raises(Refused), ward.store.begin() as work:
        work.products.add(Product(name="Venda", price=Decimal(1), category_id=999))
    with ward.store.read() as views:
        assert views.products.one(2) is None


def test_no_column_of_any_table_has_a_binary_float(ward: Ward, sqlite_url: str) -> None:
    fill_every_table(ward, sqlite_url)
    with closing(sqlite3.connect(make_url(sqlite_url).database or "")) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        kinds: dict[str, set[str]] = {}
        for table in tables:
            for _, column, *_ in connection.execute(f'PRAGMA table_info("{table}")').fetchall():
                found = connection.execute(f'SELECT DISTINCT typeof("{column}") FROM "{table}"').fetchall()  # noqa: S608
                kinds[f"{table}.{column}"] = {kind for (kind,) in found}
        filled = {name.partition(".")[0] for name, kind in kinds.items() if kind}
        assert not {name for name, kind in kinds.items() if "real" in kind}
        assert kinds["consumption_details.total"] == kinds["products.price"] == {"integer"}
        # write_trials is only for testing whether writes work, and always empty.
        assert {table for table in tables if not table.startswith("sqlite_")} - {
            "write_trials",
            "products_words_code_idx",
        } <= filled
        assert connection.execute("SELECT count(*), sum(total) FROM consumption_details").fetchone() == (8, 2122)


def test_the_word_index_matches_the_names_of_products(ward: Ward, sqlite_url: str) -> None:
    everything_that_money_does(ward)
    with closing(sqlite3.connect(make_url(sqlite_url).database or "")) as connection:
        connection.execute("DELETE FROM products WHERE id NOT IN (SELECT product_id FROM consumption_details)")
        # This statement fails if index and products differ.
        connection.execute("INSERT INTO products_words (products_words, rank) VALUES ('integrity-check', 1)")
        found = connection.execute("SELECT count(*) FROM products_words WHERE products_words MATCH '\"venda 2\"'")
        assert found.fetchone() == (3,)


def test_committed_data_survives_reopening_the_file(ward: Ward, sqlite_url: str) -> None:
    sheet = ward.sheet()
    ward.detail(sheet["id"])
    assert isinstance(ward.store, SqlStore)
    ward.store.close()
    reopened = SqlStore(sqlite_url, ZONE)
    try:
        with reopened.read() as views:
            kept = views.sheets.one(sheet["id"])
    finally:
        reopened.close()
    assert kept
    assert kept["total"] == Decimal("12.50")
