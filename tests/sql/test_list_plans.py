"""Every filter and order of every list has an index.

In a large hospital, no page reads a whole table.
"""

import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from datetime import UTC, date, datetime, time
from typing import Any

import pytest
from sqlalchemy import Connection, create_engine, event, text

from adapters.documents import lists
from adapters.sql.engine import minute_of_day
from adapters.sql.engine.connections import to_url
from adapters.sql.store import SqlStore
from application.accounts.views import USER_SORTS, UserQuery
from application.audit.views import AUDIT_SORTS, IMPORT_SORTS, AuditQuery
from application.billing.views import OUTBOUND_MESSAGE_SORTS, OutboundMessageQuery
from application.catalogue.views import PRODUCT_SORTS, PlainNameFilter, ProductQuery
from application.common.paging import COUNT_LIMIT, ListQuery, Sort
from application.people.views import PATIENT_SORTS, PatientQuery
from application.sheets.detail_views import DETAIL_SORTS, DetailQuery, Voided
from application.sheets.used_for import UsedFor
from application.sheets.views import SHEET_SORTS, SheetQuery
from domain.hospital.use_reason import UseReason
from domain.interop.outbound_message import OutboundState
from domain.ward.shift import Shift
from tests.builders import ZONE
from tests.permissions import RECORDS
from tests.sql.large import AREAS, DETAILS, PRODUCTS, ROOMS, STAFF, USERS, fill

# Rows that PostgreSQL may read for a page: a fortieth of the details or audit entries, but all rows of tables that grow
# only with the size of the hospital, such as rooms and staff.
MAX_ROWS = 1_500
# SQLite counts no rows; it needs about twenty of these steps for each.
MAX_STEPS = 100_000
# A filter and an order have no common index. Either the filtered rows are sorted, which are at most the details of a
# year, or the rows are read in order until a page is found.
NARROWED = 12
# Rows of an unbounded list are counted up to a limit. The count may read four times as many, as it skips some.
MAX_COUNTED, LOWER_BOUND = 4 * COUNT_LIMIT, "total_is_lower_bound"

# Orders without an index, for the reasons in docs/adr/0052-list-indexes.md.
WHOLE = {
    "postgresql": {("closed sheets", "total")},
    "sqlite": {
        ("closed sheets", "total"),
        # SQLite always starts with the list's own table, whose rows are not in the order of another table's names.
        ("closed sheets", "patient"),
        ("closed sheets", "room"),
        ("details", "product"),
    },
}

NIGHT = Shift(2, time(22), time(6), ZONE)
A_DAY = {"since": date(2020, 3, 3), "until": date(2020, 3, 3)}
A_MONTH = {"since": date(2023, 11, 1), "until": date(2023, 11, 30)}
A_YEAR = {"since": date(2021, 1, 1), "until": date(2021, 12, 31)}
DAYS = [A_DAY, A_MONTH, A_YEAR]


@dataclass(frozen=True)
class Listed:
    """A list, and the values with which each of its filters is tested."""

    view: str
    query: type[ListQuery]
    sorts: frozenset[str]
    filters: tuple[dict[str, Any], ...] = ()
    # Filters of every query.
    always: tuple[tuple[str, Any], ...] = ()


def by(field: str, *values: Any) -> tuple[dict[str, Any], ...]:
    return tuple({field: value} for value in values)


OF_SHEETS = (*by("patient_id", 9), *by("room_id", 7, ROOMS), *by("area_id", 3, AREAS), *DAYS)
OF_RECORDS = {"rooms": (*by("area_id", 3), *by("status", 2)), "staff": by("unassigned", True)}
LISTS = {
    **{
        group: Listed(group, record.query, record.reader.sorts, OF_RECORDS.get(group, ()))
        for group, record in RECORDS.items()
    },
    "users": Listed("users", UserQuery, USER_SORTS, by("roles", frozenset({1}))),
    "imports": Listed("imports", ListQuery, IMPORT_SORTS),
    "patients": Listed(
        "patients",
        PatientQuery,
        PATIENT_SORTS,
        (*by("active", True, False), *by("merged", True), *by("unnumbered", True)),
    ),
    "products": Listed(
        "products",
        ProductQuery,
        PRODUCT_SORTS,
        (
            *by("active", True, False),
            *by("category_id", 4),
            *by("implant", True),
            *by("included_in_stay", True),
            *by("plain_name", PlainNameFilter.MISSING),
        ),
    ),
    "open sheets": Listed(
        "sheets", SheetQuery, SHEET_SORTS, (*OF_SHEETS, *by("without_visit", True)), (("closed", False),)
    ),
    "closed sheets": Listed("sheets", SheetQuery, SHEET_SORTS, OF_SHEETS, (("closed", True),)),
    "details": Listed(
        "details",
        DetailQuery,
        DETAIL_SORTS,
        (
            *by("consumption_sheet_id", 77),
            *by("product_id", 5, PRODUCTS),
            *by("staff_id", 5, STAFF),
            *by("area_id", 3, AREAS),
            *by("lot", "L-7"),
            *by("form_id", 7),
            *by("serial", "S-7"),
            *by("patient_id", 9),
            # The rows of a report lead to these, for its period.
            *({**A_MONTH, "category_id": 4, "room_id": 7}, {**A_MONTH, "shift": NIGHT}),
            *by("voided", *Voided),
            *by("used_for", *UsedFor),
            *by("use_reason", UseReason.DROPPED),
            *({"implant": True}, {"implant": True, "incomplete": True}),
            *({"consumption_sheet_id": 77, "voided": voided} for voided in Voided),
            *DAYS,
        ),
    ),
    "outbound messages": Listed(
        "outbound_messages",
        OutboundMessageQuery,
        OUTBOUND_MESSAGE_SORTS,
        (*by("state", *OutboundState), *by("consumption_sheet_id", 77)),
    ),
    "audit": Listed(
        "audit",
        AuditQuery,
        AUDIT_SORTS,
        (
            *by("entity", "product", "patient", "nothing"),
            *by("entity_id", 0, 78),
            {"entity": "product", "entity_id": 77},
            *by("user_id", 3, USERS),
            *by("action", "product.created", "detail.added", "nothing.done"),
            *by("sheet_id", 77),
            *by("patient_id", 9),
            {"from_at": datetime(2020, 3, 3, 8, tzinfo=UTC), "before_at": datetime(2020, 3, 3, 9, tzinfo=UTC)},
            *DAYS,
        ),
    ),
}


def queries(listed: Listed) -> Iterator[tuple[ListQuery, bool]]:
    """Yield the queries of a list, and whether each has filter and order.

    These are all orders, all filters, and all filters with each order.
    """
    always = dict(listed.always)
    yield listed.query(**always), False
    for field in sorted(listed.sorts):
        for descending in (False, True):
            yield listed.query(sort=Sort(field, descending), **always), False
        for asked in listed.filters:
            yield listed.query(sort=Sort(field, True), **always, **asked), True
    for asked in listed.filters:
        yield listed.query(**always, **asked), False


# Lists of few rows, and those that read no table of their own.
WITHOUT_PLAN = {"consumption", "history", "implants", "kits", "readers", "recalls"}


def test_every_list_is_in_the_table() -> None:
    exported = {name.replace("-", "_") for name in lists.LISTS}
    assert exported - WITHOUT_PLAN == {listed.view for listed in LISTS.values()}


@pytest.mark.parametrize("name", LISTS)
def test_each_filter_of_a_list_is_tested(name: str) -> None:
    listed = LISTS[name]
    ours = {field.name for field in fields(listed.query)} - {field.name for field in fields(ListQuery)}
    # Only FHIR searches packs by a prefix of the GTIN.
    ours -= {"gtin_prefix"}
    if name == "closed sheets":
        # Only open ones are looked for without a visit.
        ours -= {"without_visit"}
    assert {field for asked in (*listed.filters, dict(listed.always)) for field in asked} == ours


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def large(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the URL of a large hospital; all tests only read it."""
    if request.param == "sqlite":
        file = shutil.copy(request.getfixturevalue("migrated_file"), tmp_path_factory.mktemp("large") / "large.db")
        url = f"sqlite:///{file}"
    else:
        cluster, name = request.getfixturevalue("cluster"), request.getfixturevalue("new_database_name")()
        url = cluster.create(name, request.getfixturevalue("migrated_template"))
    engine = create_engine(to_url(url))
    with engine.connect() as connection:
        fill(connection)
    engine.dispose()
    yield url
    if request.param == "postgresql":
        cluster.drop(name)


def test_no_page_of_any_list_reads_a_whole_table(large: str) -> None:
    engine, store = create_engine(to_url(large)), SqlStore(large, ZONE)
    with engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            # For a table of a few pages, PostgreSQL would otherwise prefer a sequential scan, rightly.
            connection.execute(text("SET random_page_cost = 1.1"))
        too_much = [*reading_too_much(store, connection)]
    engine.dispose()
    store.close()
    assert not too_much, "\n".join(too_much)


@pytest.mark.postgresql
def test_a_page_is_found_before_its_joined_rows(postgresql_url: str) -> None:
    """Joins must not come first even with outdated statistics.

    PostgreSQL's statistics say that the tables are nearly empty here: a table may be read once, but not once per row.
    """
    engine, store = create_engine(to_url(postgresql_url)), SqlStore(postgresql_url, ZONE)
    said: list[tuple[str, Any]] = []
    event.listen(store._reading, "before_cursor_execute", lambda _, __, sql, values, *___: said.append((sql, values)))
    with engine.connect() as connection:
        connection.execute(text("ANALYZE"))
        fill(connection, analyse=False)
        with store.read() as everything:
            for sort in (None, Sort("id", descending=True)):
                said.clear()
                assert everything.exported_details.page(DetailQuery(sort=sort))["items"]
                read, plan = rows_read(connection, *said[0])
                assert read < DETAILS + MAX_ROWS, (sort, read, plan)
    engine.dispose()
    store.close()


def test_a_search_reads_only_its_matches(large: str) -> None:
    """The catalogue has 10,000 products."""
    engine, store = create_engine(to_url(large)), SqlStore(large, ZONE)
    cost_of, most = (steps_taken, MAX_STEPS) if engine.dialect.name == "sqlite" else (rows_read, MAX_ROWS)
    said: list[tuple[str, Any]] = []
    event.listen(store._reading, "before_cursor_execute", lambda _, __, sql, values, *___: said.append((sql, values)))
    with engine.connect() as connection:
        for asked in ({}, {"active": True}, {"category_id": 18}, {"active": True, "category_id": 18}):
            said.clear()
            with store.read() as everything:
                found = everything.products.page(ProductQuery(q="777", **asked))
            assert found["items"]
            for sql, values in said:
                cost, plan = cost_of(connection, sql, values)
                assert cost < most, (asked, cost, plan)
    engine.dispose()
    store.close()


@pytest.mark.parametrize(
    ("asked", "trigram_words", "match"),
    [("de", 0, None), ("a 3-0", 0, '"3-0"'), ("product 777 de", 2, '"product" AND "777"')],
)
def test_short_words_never_reach_an_index(large: str, asked: str, trigram_words: int, match: str | None) -> None:
    """For other words, PostgreSQL would read the whole index."""
    engine, store = create_engine(to_url(large)), SqlStore(large, ZONE)
    said: list[tuple[str, Any]] = []
    event.listen(store._reading, "before_cursor_execute", lambda _, __, sql, values, *___: said.append((sql, values)))
    with store.read() as everything:
        everything.products.page(ProductQuery(q=asked))
    sql, values = said[0]
    if engine.dialect.name == "sqlite":
        assert (":match" in sql, values.get("match")) == (match is not None, match)
    else:
        with engine.connect() as connection:
            plan = generic_plan(connection, sql, values)
        assert plan.count("Index Scan on ix_products_words ") == trigram_words, plan
    engine.dispose()
    store.close()


def test_products_chosen_by_name_read_only_their_period(sqlite_url: str) -> None:
    engine, store = create_engine(to_url(sqlite_url)), SqlStore(sqlite_url, ZONE)
    said: list[tuple[str, Any]] = []
    event.listen(store._reading, "before_cursor_execute", lambda _, __, sql, values, *___: said.append((sql, values)))
    with store.read() as views:
        for area_id in (None, 3):
            views.packs.typed(since=date(2023, 11, 1), area_id=area_id, most=200)
    with engine.connect() as connection:
        for sql, values in said:
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}", values).all()
            [lines] = [step for *_, step in plan if "consumption_details" in step]
            assert "ix_consumption_details_day_id (day>?)" in lines
    assert len(said) == 2
    engine.dispose()
    store.close()


def reading_too_much(store: SqlStore, connection: Connection) -> Iterator[str]:
    """Yield descriptions of the statements that read too much for a page."""
    kind = connection.dialect.name
    cost_of, most = (steps_taken, MAX_STEPS) if kind == "sqlite" else (rows_read, MAX_ROWS)
    said: list[tuple[str, Any]] = []
    event.listen(store._reading, "before_cursor_execute", lambda _, __, sql, values, *___: said.append((sql, values)))
    for name, listed in LISTS.items():
        for query, both in queries(listed):
            said.clear()
            with store.read() as everything:
                meta = getattr(everything, listed.view).page(query)["meta"]
            listing, *others = said
            # A bounded list counts its rows with a separate statement.
            counting = [each for each in others if each[0].startswith("SELECT count(") and LOWER_BOUND in meta]
            for what, statements, may in (
                ("listed", [] if is_whole(kind, name, query) else [listing], most * (NARROWED if both else 1)),
                ("counted", counting, most * MAX_COUNTED // MAX_ROWS),
            ):
                for sql, values in statements:
                    cost, plan = cost_of(connection, sql, values)
                    if cost > may:
                        asked = {key: value for key, value in asdict(query).items() if value is not None}
                        yield f"{name} {asked}: {cost}, {what} by {plan}"


def is_whole(kind: str, name: str, query: ListQuery) -> bool:
    return query.sort is not None and (name, query.sort.field) in WHOLE[kind]


def generic_plan(connection: Connection, sql: str, values: Any) -> str:
    """Return PostgreSQL's plan for any values; an index is used if it can be."""
    for setting in ("plan_cache_mode = force_generic_plan", "enable_seqscan = off"):
        connection.execute(text(f"SET {setting}"))
    cursor: Any = connection.connection.cursor()
    cursor.execute(sql, values, prepare=True)
    cursor.execute("SELECT name, cardinality(parameter_types) FROM pg_prepared_statements WHERE statement ~ 'products'")
    [(name, count)] = cursor.fetchall()
    cursor.execute(f"EXPLAIN EXECUTE {name}({', '.join(['NULL'] * count)})")
    return "\n".join(line for (line,) in cursor.fetchall())


def rows_read(connection: Connection, sql: str, values: Any) -> tuple[int, str]:
    """Return the number of rows that PostgreSQL reads, and the plan."""
    cursor = connection.connection.cursor()
    cursor.execute(f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) {sql}", values)
    [([reported],)] = cursor.fetchall()
    return _rows(reported["Plan"]), _schema_state(reported["Plan"])


def _rows(node: dict[str, Any]) -> int:
    here = 0
    if "Relation Name" in node:
        passed_over = node.get("Rows Removed by Filter", 0) + node.get("Rows Removed by Index Recheck", 0)
        here = (node["Actual Rows"] + passed_over) * node["Actual Loops"]
    # An InitPlan runs only once: it counts the rows of a bounded list.
    return here + sum(_rows(each) for each in node.get("Plans", ()) if each["Parent Relationship"] != "InitPlan")


def _schema_state(node: dict[str, Any]) -> str:
    of = node.get("Index Name") or node.get("Relation Name")
    below = ", ".join(map(_schema_state, node.get("Plans", ())))
    return f"{node['Node Type']} {of or ''} ({below})" if below else f"{node['Node Type']} {of or ''}"


def steps_taken(connection: Connection, sql: str, values: Any) -> tuple[int, str]:
    """Return the number of SQLite virtual machine steps, and the plan."""
    driver: Any = connection.connection.driver_connection
    minute_of_day.register(driver)
    hundreds = 0

    def count() -> int:
        nonlocal hundreds
        hundreds += 1
        return 0

    driver.set_progress_handler(count, 100)
    driver.execute(sql, values).fetchall()
    driver.set_progress_handler(None, 0)
    plan = driver.execute(f"EXPLAIN QUERY PLAN {sql}", values).fetchall()
    return hundreds * 100, "; ".join(step for *_, step in plan)
