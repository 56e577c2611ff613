"""Copies without names: no planted text is in them, and every sum is."""

import gzip
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import (
    Column,
    Connection,
    LargeBinary,
    NullPool,
    String,
    Table,
    TypeDecorator,
    create_engine,
    func,
    insert,
    select,
    text,
    update,
)

from adapters.sql.copies import columns
from adapters.sql.copies import copy_without_names as copying
from adapters.sql.copies.columns import COLUMNS, Copied
from adapters.sql.copies.copy_without_names import CopyProblem, copy_without_names
from adapters.sql.engine.columns import metadata
from adapters.sql.engine.connections import to_url
from adapters.sql.people.tables import patients, staff
from adapters.sql.sheets.tables import details, month_changes, sheets
from adapters.sql.store import SqlStore
from application.reports.views import ConsumptionBy, ConsumptionQuery
from application.sheets.used_for import UsedFor
from domain.people.patient import Patient
from tests.builders import NOON, TODAY, ZONE, Ward, a_ward, use_cases_on
from tests.sql.every_table import fill_every_table

# No made-up name has these letters.
CANARY = "qzxw"
# Columns with texts that stay: the catalogue, and words of the program itself.
KEPT_TEXTS = {
    *("areas.name", "areas.code", "areas.name_key", "areas.name_folded"),
    *(f"categories.{name}" for name in ("code", "code_key", "name", "name_folded")),
    *(f"products.{name}" for name in ("name", "name_folded", "code", "code_key", "code_folded", "gtin", "unit")),
    "products.plain_name",
    *("product_codes.system", "product_codes.code", "product_codes.code_key"),
    *("rooms.name", "rooms.code", "rooms.name_folded", "rooms.sort_folded"),
    *(f"hospital_settings.{name}" for name in ("time_zone", "currency", "number_format", "shift_starts")),
    "hospital_settings.billed_waste",
    "judgements.kind",
    "restock_lists.area_name",
    *("restock_lines.code", "restock_lines.name", "restock_lines.unit"),
    *(f"consumption_details.{name}" for name in ("gtin", "acknowledged", "input_method", "use_reason", "unbilled")),
    "detail_returns.reason",
    *("month_changes.kind", "month_changes.unbilled", "month_changes.use_reason"),
}
PATIENTS = 200
ANALYSED = "SELECT product_name, count(*), sum(CAST(total AS NUMERIC)) FROM analytics_details GROUP BY 1 ORDER BY 1"


def holds_text(column: Column[Any]) -> bool:
    kind = column.type.impl_instance if isinstance(column.type, TypeDecorator) else column.type
    return isinstance(kind, String | LargeBinary)


def test_every_column_has_a_rule() -> None:
    assert COLUMNS.keys() == metadata.tables.keys()
    for name, copied in COLUMNS.items():
        if copied is None:
            continue
        named = [*copied.kept, *copied.emptied, *copied.replaced]
        assert sorted(named) == sorted(column.name for column in metadata.tables[name].c)
        assert all(metadata.tables[name].c[column].nullable for column in copied.emptied)


def test_only_catalogue_and_own_words_are_kept() -> None:
    kept = {
        f"{table.name}.{column.name}"
        for table in metadata.tables.values()
        if (copied := COLUMNS[table.name])
        for column in table.c
        if column.name in copied.kept and holds_text(column)
    }
    assert kept == KEPT_TEXTS


def test_no_copied_row_refers_to_a_table_left_out() -> None:
    for table in metadata.tables.values():
        if copied := COLUMNS[table.name]:
            for key in table.foreign_keys:
                assert COLUMNS[key.column.table.name] or key.parent.name in copied.emptied


@pytest.fixture(
    params=[
        "sqlite to sqlite",
        "postgresql to postgresql",
        pytest.param("sqlite to postgresql", marks=pytest.mark.walk),
        pytest.param("postgresql to sqlite", marks=pytest.mark.walk),
    ]
)
def urls(request: pytest.FixtureRequest) -> tuple[str, str]:
    source, _, target = request.param.partition(" to ")
    return request.getfixturevalue(f"{source}_url"), request.getfixturevalue(f"blank_{target}_url")


@pytest.fixture
def ward(urls: tuple[str, str]) -> Iterator[Ward]:
    store = SqlStore(urls[0], ZONE)
    yield a_ward(store, charging=True)
    store.close()


def test_no_planted_text_is_in_the_copy(ward: Ward, urls: tuple[str, str]) -> None:
    source, target = urls
    fill_every_table(ward, source)
    with connected(source) as connection:
        add_patients(connection)
        plant_everywhere(connection)
        connection.commit()
    copy_without_names(source, target, TODAY)
    assert CANARY in contents(source)
    assert CANARY not in contents(target)
    with connected(source) as was, connected(target) as now:
        for table in metadata.sorted_tables:
            if COLUMNS[table.name]:
                assert rows(was, table) == rows(now, table)
    assert sums_of(ward, source) == sums_of(ward, target)


def test_the_copy_works_on(ward: Ward, urls: tuple[str, str]) -> None:
    """New rows get ids of their own, and closed sheets get their papers."""
    fill_every_table(ward, urls[0])
    copy_without_names(*urls, TODAY)
    store = SqlStore(urls[1], ZONE)
    copy = replace(ward, store=store, use_cases=use_cases_on(store, zone=ZONE, clock=ward.clock))
    try:
        assert copy.use_cases.sheets.backfill_closings(0)
        assert copy.detail(copy.sheet()["id"])["id"] not in {row.id for row in details_of(urls[0])}
        assert [*copy.use_cases.reports.check_consistency()] == []
    finally:
        store.close()


@pytest.mark.parametrize("urls", ["sqlite to sqlite"], indirect=True)
def test_people_are_made_up_and_births_reduced(ward: Ward, urls: tuple[str, str]) -> None:
    born = date(TODAY.year - 30, 7, 9)
    ward.patient("Berta", "Cortés", date_of_birth=born, record_number="EXP-77")
    old = ward.patient("Ciro", "Luna", date_of_birth=date(TODAY.year - 101, 2, 3))
    copy_without_names(*urls, TODAY)
    with connected(urls[1]) as connection:
        one, other = connection.execute(select(patients).where(patients.c.id >= old.id - 1)).all()
    assert (one.date_of_birth, other.date_of_birth) == (date(born.year, 1, 1), date(TODAY.year - 90, 1, 1))
    assert (one.record_number, one.record_key, other.record_number) == (f"P{one.id}", f"p{one.id}", None)
    assert one.second_surname is None
    assert one.sort_folded == f"{one.first_surname} {one.name}".lower()


@pytest.mark.parametrize("urls", ["sqlite to sqlite"], indirect=True)
def test_lots_and_doctors_stay_the_same_or_different(ward: Ward, urls: tuple[str, str]) -> None:
    lots = ["L-1", "l-1", "L-2"]
    ward.details(ward.sheet()["id"], *(ward.detail_draft(lot=lot) for lot in lots))
    ward.sheet(patient_id=ward.patient("Berta", "Cortés").id)
    copy_without_names(*urls, TODAY)
    with connected(urls[1]) as connection:
        first, second, third = connection.execute(select(details.c.lot).order_by(details.c.id)).scalars()
        doctors = connection.execute(select(sheets.c.doctor)).scalars().all()
    assert first == second != third
    assert len(doctors) == 2
    assert len({*doctors}) == 1


@pytest.mark.parametrize("urls", ["sqlite to sqlite"], indirect=True)
def test_two_copies_have_other_names(ward: Ward, urls: tuple[str, str], tmp_path: Path) -> None:
    other = f"sqlite:///{tmp_path / 'other.db'}"
    copy_without_names(urls[0], urls[1], TODAY)
    copy_without_names(urls[0], other, TODAY)
    with connected(urls[1]) as one, connected(other) as two:
        assert one.execute(select(staff.c.name)).scalars().all() != two.execute(select(staff.c.name)).scalars().all()


def test_the_copy_is_of_one_moment(ward: Ward, urls: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    copy_rows = copying._copy_rows
    written: list[Patient] = []

    def write_meanwhile(there: Connection, here: Connection, table: Table, *given: Any) -> int:
        count = copy_rows(there, here, table, *given)
        if not written:
            written.append(ward.patient("Berta", "Cortés"))
        return count

    monkeypatch.setattr(copying, "_copy_rows", write_meanwhile)
    assert copy_without_names(*urls, TODAY)["patients"] == 1
    with connected(urls[0]) as connection:
        assert rows(connection, patients) == 2


def test_a_database_that_is_not_empty_is_refused(ward: Ward, urls: tuple[str, str]) -> None:
    with pytest.raises(CopyProblem, match=r"exists|has tables already"):
        copy_without_names(urls[0], urls[0], TODAY)
    copy_without_names(*urls, TODAY)
    with pytest.raises(CopyProblem, match=r"exists|has tables already"):
        copy_without_names(*urls, TODAY)


def test_a_column_without_a_rule_stops_the_copy(
    ward: Ward, urls: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    copied = COLUMNS["patients"]
    assert copied
    monkeypatch.setitem(columns.COLUMNS, "patients", Copied(copied.kept, copied.emptied))
    with pytest.raises(KeyError, match="name"):
        copy_without_names(*urls, TODAY)
    assert contents(urls[1]) == ""


# --- planting, and reading ------------------------------------------------------------------------------------------


def connected(url: str) -> Any:
    return create_engine(to_url(url), poolclass=NullPool).connect()


def add_patients(connection: Connection) -> None:
    """Add patients, one in ten merged into a later one."""
    first = connection.execute(select(func.max(patients.c.id))).scalar_one() + 1
    born = TODAY - timedelta(days=20_000)
    new = [
        {
            **dict.fromkeys(("name", "first_surname", "second_surname", "told"), f"{CANARY}{number}"),
            **dict.fromkeys(("record_number", "record_key", "search_folded", "sort_folded"), f"{CANARY}{number}"),
            "id": first + number,
            "active": True,
            "date_of_birth": born + timedelta(days=number),
            "merged_at": NOON,
        }
        for number in range(PATIENTS)
    ]
    connection.execute(insert(patients), new)
    for number in range(0, PATIENTS, 10):
        merged = update(patients).where(patients.c.id == first + number)
        connection.execute(merged.values(merged_into=first + number + 1))


def plant_everywhere(connection: Connection) -> None:
    """Write a text of its own into every column that is not kept as it is."""
    number = 0
    for table in metadata.sorted_tables:
        keys = [*table.primary_key]
        for column in table.c:
            # Of two tables the kind decides which of their columns are null.
            if f"{table.name}.{column.name}" in KEPT_TEXTS | {"documents.kind"} or not holds_text(column):
                continue
            if (getattr(column.type, "length", None) or 99) < len(CANARY) + 4:
                continue
            where = [column.is_not(None)] if column.name == "visit_number" else []
            for row in connection.execute(select(*keys).where(*where)).all() if keys else ():
                number += 1
                planted = f"{CANARY}{number:04}"
                value: Any = gzip.compress(planted.encode()) if column.name == "document" else planted
                if isinstance(column.type, LargeBinary) and column.name != "document":
                    value = planted.encode()
                if table.name == "products" and column.name == "also_called":
                    value = (planted,)
                which = [key == part for key, part in zip(keys, row, strict=True)]
                connection.execute(update(table).where(*which).values({column.name: value}))


def contents(url: str) -> str:
    """Return everything in a database: the file's bytes, and its rows."""
    raw, address = "", to_url(url)
    if address.get_backend_name() == "sqlite":
        file = Path(address.database or "")
        if not file.exists():
            return ""
        with closing(sqlite3.connect(file)) as checkpointing:
            checkpointing.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        raw = file.read_bytes().decode("latin-1")
    with connected(url) as connection:
        there = connection.dialect.get_table_names(connection)
        tables = [table for table in metadata.sorted_tables if table.name in there]
        values = [value for table in tables for row in connection.execute(select(table)) for value in row]
    unpacked = [gzip.decompress(it).decode() for it in values if isinstance(it, bytes) and it[:2] == b"\x1f\x8b"]
    return (raw + "".join(map(str, values)) + "".join(unpacked)).lower()


def rows(connection: Connection, table: Table) -> int:
    count: int = connection.execute(select(func.count()).select_from(table)).scalar_one()
    return count


def details_of(url: str) -> Any:
    with connected(url) as connection:
        return connection.execute(select(details)).all()


def sums_of(ward: Ward, url: str) -> list[Any]:
    """Return the numbers of every report, and what does not add up."""
    store = SqlStore(url, ZONE)
    try:
        uc = use_cases_on(store, zone=ZONE, clock=ward.clock)
        since, until = TODAY - timedelta(days=40), TODAY + timedelta(days=60)
        query = ConsumptionQuery(since=since, until=until, limit=100)
        found: list[Any] = []
        for by in ConsumptionBy:
            for used_for in UsedFor:
                page = uc.reports.consumption.page(ward.admin, replace(query, by=by, used_for=used_for))
                found += [page["sums"], sorted(map(numbers, page["items"]))]
        open_list = uc.restock.read(ward.admin, ward.area_id)
        found += sorted((it["product"]["id"], it["needed"], bool(it["put_back"])) for it in open_list["items"])
        with connected(url) as connection:
            found += connection.execute(select(month_changes).order_by(month_changes.c.id)).all()
            found += connection.execute(text(ANALYSED)).all()
        return found
    finally:
        store.close()


def numbers(row: Any) -> str:
    """Return a row of a report without the names in it."""
    return repr({name: value for name, value in row.items() if name not in {"name", "record_number"}})
