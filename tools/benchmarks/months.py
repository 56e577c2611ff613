"""Benchmark of closed months: ``python -m tools.benchmarks.months``.

A month of 800,000 lines is closed on PostgreSQL while lines are recorded, and then read. It is measured beside few and
many lines of other months.
"""

import sys
from datetime import UTC, date, datetime
from threading import Event, Thread
from time import perf_counter

from sqlalchemy import create_engine, text

from adapters.sql.engine.connections import to_url
from adapters.sql.migrate import migrate
from adapters.sql.sheets.tables import details
from adapters.sql.store import SqlStore
from application.reports.months import MonthDraft
from application.sheets.lines.void_details import VoidDraft
from tests.builders import ZONE, Ward, a_ward
from tests.servers import postgresql
from tools.benchmarks.timing import seconds_of, spread

MONTH_LINES = 800_000
# Lines of all months.
SIZES = (1_000_000, 4_000_000)
AREAS, PRODUCTS, SHEETS = 10, 2_000, 600
# Changes of the month after its closing.
CHANGES = 200
READS = 20
MARCH = date(2091, 3, 1)
NOW = datetime(2091, 4, 2, 15, tzinfo=UTC)

_FILL = """
    INSERT INTO consumption_details
        (sheet_id, user_id, product_id, area_id, quantity, unit_price, total, returned, day, created_at, version)
    SELECT :sheet + n % :sheets, :user, :product + n * 7 % :products, :area + n / 11 % :areas, 2000, 150, 300, 0,
        :first + (n / 5 % :days)::int, :at, 1
    FROM generate_series(1, :lines) AS n
"""


def main() -> None:
    """Print the times beside each number of lines."""
    sys.stdout.write(
        "| lines | closing the month | recording meanwhile | reading it | listing months | its document |\n"
    )
    sys.stdout.write("|--:|--:|--:|--:|--:|--:|\n")
    with postgresql() as cluster:
        url = cluster.create("consumo")
        migrate(url)
        store = SqlStore(url, ZONE)
        ward = a_ward(store)
        ward.clock.now = NOW
        first = prepare(ward, url)
        filled = MONTH_LINES
        fill(url, first, MARCH, 31, MONTH_LINES)
        for turn, size in enumerate(SIZES, 1):
            fill(url, first, date(2089, 1, 1), 700, size - filled)
            filled = size
            measure(ward, url, size, turn, first)
        store.close()


def prepare(ward: Ward, url: str) -> dict[str, int]:
    """Insert products, areas and sheets; return the first id of each."""
    engine = create_engine(to_url(url))
    found = {"user": ward.nurse.user_id, "sheets": SHEETS, "products": PRODUCTS, "areas": AREAS}
    statements = {
        "product": "INSERT INTO products (name, name_folded, price, category_id, active) "
        f"SELECT 'p ' || n, 'p ' || n, 150, {ward.category_id}, true FROM generate_series(1, {PRODUCTS}) n",
        "area": "INSERT INTO areas (name, name_key, name_folded) "
        f"SELECT 'a' || n, 'a' || n, 'a' || n FROM generate_series(1, {AREAS}) n",
        "sheet": "INSERT INTO consumption_sheets (patient_id, room_id, diagnosis, doctor, search_folded, total, "
        f"version, admission_date) SELECT {ward.patient_id}, {ward.room_id}, '', '', '', 0, 1, DATE '2091-03-01' "
        f"FROM generate_series(1, {SHEETS}) n",
    }
    with engine.begin() as connection:
        for name, statement in statements.items():
            found[name] = min(connection.execute(text(f"{statement} RETURNING id")).scalars())
    engine.dispose()
    return found


def fill(url: str, first: dict[str, int], day: date, days: int, lines: int) -> None:
    """Insert lines of some days; their indexes are built after that."""
    engine = create_engine(to_url(url))
    with engine.begin() as connection:
        connection.execute(text("SET LOCAL maintenance_work_mem = '512MB'"))
        for index in details.indexes:
            index.drop(connection)
        connection.execute(text(_FILL), {**first, "first": day, "days": days, "at": NOW, "lines": lines})
        for index in details.indexes:
            index.create(connection)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("VACUUM ANALYZE")
    engine.dispose()


def measure(ward: Ward, url: str, size: int, turn: int, first: dict[str, int]) -> None:
    """Close the month while lines are recorded, change it, and read it."""
    recorded, is_closed = [], Event()

    def record() -> None:
        draft = ward.detail_draft("2", area_id=first["area"])
        while not is_closed.is_set():
            begun = perf_counter()
            ward.use_cases.details.add(ward.nurse, draft, sheet_id=first["sheet"])
            recorded.append(perf_counter() - begun)

    recorder = Thread(target=record)
    recorder.start()
    begun = perf_counter()
    month = ward.use_cases.reports.close_month(ward.admin, MonthDraft(month="2091-03", turn=turn))
    closing = perf_counter() - begun
    is_closed.set()
    recorder.join()
    with create_engine(to_url(url)).connect() as connection:
        lines = connection.execute(
            text(
                "SELECT id FROM consumption_details WHERE day >= :march AND voided_at IS NULL ORDER BY id LIMIT :most"
            ),
            {"march": MARCH, "most": CHANGES},
        ).scalars()
        of_month = [*lines]
        bytes_kept = connection.execute(text("SELECT max(octet_length(document)) FROM documents")).scalar_one()
    for line in of_month:
        ward.use_cases.details.void(ward.admin, line, VoidDraft(reason="Repetida"))
    read = seconds_of(lambda: ward.use_cases.reports.read_month(ward.admin, month["id"]), READS, warming=1)
    listing = seconds_of(lambda: ward.use_cases.reports.list_months(ward.admin), READS, warming=1)
    sys.stdout.write(
        f"| {size:,} | {closing:.1f} s | {spread(recorded)} | {spread(read)} | {spread(listing)} "
        f"| {bytes_kept // 1000:,} kB |\n"
    )
    sys.stdout.flush()


if __name__ == "__main__":
    main()
