"""The views for analysts, and the questions of docs/analytics.md."""

import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import psycopg
import pytest
from duckdb_extensions import import_extension
from psycopg import sql
from sqlalchemy import create_engine, inspect, make_url, text

from adapters.sql.analytics import VIEWS, create_views, definitions, grant_views, readers_of
from adapters.sql.backups import back_up, restore
from adapters.sql.engine.connections import to_url
from adapters.sql.migrate import migrate
from adapters.sql.store import SqlStore
from application.common.paging import Sort
from application.reports.views import ConsumptionBy, ConsumptionQuery
from application.sheets.lines.return_detail import ReturnDraft
from application.sheets.lines.void_details import VoidDraft
from application.sheets.used_for import UsedFor
from domain.common.day import day_of
from tests.builders import NOON, ZONE, Ward, a_ward
from tests.contracts.conftest import POSTGRESQL
from tests.servers import EMPTY, ROOT
from tests.used_for import use_for_area, waste

PAGE = (ROOT / "docs" / "analytics.md").read_text()
TESTED = dict(re.findall(r"<!-- tested: ([a-z ]+) -->\n```sql\n(.*?)```", PAGE, re.DOTALL))

# Later versions append columns, and change none of these.
COLUMNS = {
    "analytics_details": [
        "detail_id", "sheet_id", "day", "recorded_at", "used_at", "product_id", "product_code", "product_name", "unit",
        "category_code", "category_name", "area_id", "area_name", "room_id", "kit_id", "quantity", "returned",
        "unit_price", "total", "lot", "expiry", "use_reason", "unbilled", "value",
    ],
    "analytics_sheets": [
        "sheet_id", "patient_id", "admission_date", "closed_at", "room_id", "room_name", "area_id", "area_name",
        "lines", "total",
    ],
    "analytics_products": [
        "product_id", "code", "name", "unit", "gtin", "category_code", "category_name", "price", "active",
    ],
    "analytics_areas": ["area_id", "code", "name"],
}  # fmt: skip
COLUMNS["analytics_area_use"] = COLUMNS["analytics_details"]


@pytest.fixture(params=["sqlite", POSTGRESQL])
def database_url(request: pytest.FixtureRequest) -> str:
    return str(request.getfixturevalue(EMPTY[request.param]))


@pytest.fixture
def ward(database_url: str) -> Iterator[Ward]:
    """A ward with lines of two areas, one returned in part and one voided."""
    store = SqlStore(database_url, ZONE)
    ward = a_ward(store)
    sheet = ward.sheet()["id"]
    glove = ward.product("Guante", "0.35", code="G-1").id
    for quantity in ("1", "0.333", "12.5"):
        ward.detail(sheet, quantity, area_id=ward.area_id)
        ward.detail(sheet, quantity, product_id=glove)
    returned = ward.detail(sheet, "10", area_id=ward.area_id)
    ward.use_cases.details.return_part(
        ward.admin, returned["id"], ReturnDraft(quantity=Decimal("2.5"), reason="unused")
    )
    voided = ward.detail(sheet, "7", area_id=ward.area_id)
    ward.use_cases.details.void(ward.admin, voided["id"], VoidDraft(reason="Línea de prueba"))
    yield ward
    store.close()


def report(ward: Ward, by: ConsumptionBy) -> list[Any]:
    today = day_of(ward.clock.now, ZONE)
    query = ConsumptionQuery(by=by, since=today, until=today, sort=Sort("key"), limit=100)
    return ward.use_cases.reports.consumption.page(ward.admin, query)["items"]


@pytest.fixture
def analyst(database_url: str) -> Iterator[duckdb.DuckDBPyConnection]:
    """DuckDB with the database attached as on the page."""
    url = make_url(database_url)
    kind = "sqlite" if url.drivername.startswith("sqlite") else "postgres"
    with duckdb.connect() as connection:
        import_extension(f"{kind}_scanner", con=connection)
        place = (
            url.database if kind == "sqlite" else url.set(drivername="postgresql").render_as_string(hide_password=False)
        )
        connection.execute(f"LOAD {kind}; ATTACH '{place}' AS consumo (TYPE {kind}, READ_ONLY)")
        yield connection


def test_columns_are_stable(database_url: str) -> None:
    engine = create_engine(to_url(database_url))
    found = {name: [column["name"] for column in inspect(engine).get_columns(name)] for name in VIEWS}
    engine.dispose()
    assert {name: columns[: len(COLUMNS[name])] for name, columns in found.items()} == COLUMNS
    assert all(f"`{column}`" in PAGE for columns in found.values() for column in columns)


def test_sums_of_duckdb_are_those_of_the_reports(ward: Ward, analyst: duckdb.DuckDBPyConnection) -> None:
    [day] = report(ward, ConsumptionBy.DAY)
    assert analyst.execute(TESTED["by day"]).fetchall() == [
        (day_of(ward.clock.now, ZONE), day["details"], day["total"])
    ]
    month = TESTED["by product"].replace("2026-05-01", "2091-05-01").replace("2026-05-31", "2091-05-31")
    asked = month.replace("area_name = 'Urgencias'", f"area_id = {ward.area_id}")
    [(name, quantity, total)] = analyst.execute(asked).fetchall()
    by_area = next(row for row in report(ward, ConsumptionBy.AREA) if row["key"] == str(ward.area_id))
    assert (quantity, total) == (Decimal("21.333"), by_area["total"])
    assert name


def test_both_views_of_lines_together_are_all_use(ward: Ward, database_url: str) -> None:
    sheet = ward.sheet()["id"]
    before = report(ward, ConsumptionBy.DAY)
    kept, dropped = waste(ward, ward.detail(sheet, "3", area_id=ward.area_id)["id"], Decimal(1))
    use_for_area(ward, kept)
    engine = create_engine(to_url(database_url))
    with engine.connect() as connection:
        patients, areas = (
            connection.execute(
                text(f"SELECT detail_id, use_reason, unbilled, total, value FROM {name} ORDER BY 1")  # noqa: S608
            ).all()
            for name in ("analytics_details", "analytics_area_use")
        )
    engine.dispose()
    assert [tuple(map(str, row)) for row in areas] == [(str(kept), "None", "area", "0.00", "25.00")]
    assert tuple(map(str, patients[-1])) == (str(dropped), "dropped", "None", "12.50", "12.50")
    [day] = report(ward, ConsumptionBy.DAY)
    assert len(patients) == day["details"] == before[0]["details"] + 1
    assert sum(Decimal(str(row.total)) for row in patients) == day["total"]
    query = ConsumptionQuery(
        used_for=UsedFor.ALL, since=day_of(ward.clock.now, ZONE), until=day_of(ward.clock.now, ZONE)
    )
    everything = ward.use_cases.reports.consumption.page(ward.admin, query)["sums"]
    assert sum(Decimal(str(row.value)) for row in (*patients, *areas)) == everything["value"]


def test_amounts_are_exact(ward: Ward, database_url: str) -> None:
    engine = create_engine(to_url(database_url))
    with engine.connect() as connection:
        rows = connection.execute(
            text("SELECT quantity, returned, total FROM analytics_details ORDER BY detail_id")
        ).all()
        total = connection.execute(text("SELECT total FROM analytics_sheets")).scalar_one()
    engine.dispose()
    assert (str(rows[-1][0]), str(rows[-1][1])) == ("7.500", "2.500")
    assert sum(Decimal(str(row[2])) for row in rows) == Decimal(str(total))
    assert str(total) == str(Decimal(str(total)).quantize(Decimal("0.01")))


def test_no_view_has_a_name_of_a_person(ward: Ward, database_url: str) -> None:
    engine = create_engine(to_url(database_url))
    with engine.connect() as connection:
        shown = str([connection.execute(text(f"SELECT * FROM {name}")).all() for name in VIEWS])  # noqa: S608
        names = connection.execute(
            text(
                "SELECT name FROM patients UNION SELECT first_surname FROM patients "
                "UNION SELECT first_surname FROM staff "
                "UNION SELECT email FROM users UNION SELECT doctor FROM consumption_sheets "
                "UNION SELECT diagnosis FROM consumption_sheets"
            )
        ).scalars().all()  # fmt: skip
    engine.dispose()
    assert len(names) > 4
    assert [name for name in names if name and name in shown] == []


@pytest.mark.postgresql
def test_migrating_again_replaces_no_current_view(postgresql_url: str) -> None:
    engine = create_engine(to_url(postgresql_url))
    with engine.connect() as reading:
        # A reader's lock would be in the way of replacing the view.
        reading.execute(text("SELECT count(*) FROM analytics_details"))
        migrate(postgresql_url, tries=1)
    with engine.begin() as connection:
        connection.exec_driver_sql("COMMENT ON VIEW analytics_areas IS 'of another version'")
        create_views(connection)
        comment = inspect(connection).get_table_comment("analytics_areas")["text"]
    engine.dispose()
    assert comment is not None
    assert comment.startswith("consumo:")


@pytest.mark.postgresql
def test_an_analyst_reads_the_views_and_nothing_else(postgresql_url: str) -> None:
    owner = make_url(postgresql_url).set(drivername="postgresql").render_as_string(hide_password=False)
    role = f"analyst_{make_url(postgresql_url).database}"
    with psycopg.connect(owner, autocommit=True) as connection:
        for statement in filter(str.strip, TESTED["role"].replace("consumo_analyst", role).split(";")):
            connection.execute(statement.encode())
    try:
        with psycopg.connect(owner, user=role, password="choose one", autocommit=True) as connection:
            for name in VIEWS:
                connection.execute(sql.SQL("SELECT * FROM {}").format(sql.Identifier(name)))
            for refused in ("SELECT * FROM patients", "SELECT * FROM users", "CREATE TEMPORARY TABLE x (y integer)"):
                with pytest.raises(psycopg.Error, match=r"permission denied|read-only"):
                    connection.execute(refused.encode())
    finally:
        with psycopg.connect(owner, autocommit=True) as connection:
            for statement in ("DROP OWNED BY {}", "DROP ROLE {}"):
                connection.execute(sql.SQL(statement).format(sql.Identifier(role)))


@pytest.mark.postgresql
def test_a_restore_keeps_the_grants(postgresql_url: str, tmp_path: Path) -> None:
    engine = create_engine(to_url(postgresql_url))
    with engine.begin() as connection:
        grant_views(connection, ["pg_monitor"])
    engine.dispose()
    a_ward(store := SqlStore(postgresql_url, ZONE))
    store.close()
    back_up(postgresql_url, tmp_path / "backup", NOON)
    restore(postgresql_url, tmp_path / "backup", replace=True)
    with engine.connect() as connection:
        assert readers_of(connection) == ["pg_monitor"]
    engine.dispose()


def test_every_view_has_a_definition_on_both_databases() -> None:
    for name in ("postgresql", "sqlite"):
        dialect = make_url(f"{name}://").get_dialect()()
        assert tuple(definitions(dialect)) == VIEWS == tuple(COLUMNS)
