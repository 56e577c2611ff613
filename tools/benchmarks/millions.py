"""Benchmark of one database that grows to fifty million lines.

Run ``python -m tools.benchmarks.millions --lines 1000000 5000000``. A durable PostgreSQL of our own, on the disk of
temporary files, is filled in steps with closed sheets of 60 lines each over the same five years: more lines are a
larger hospital. SQL generates them. Indexes are dropped before a step and built again after it, which is faster. Then
one client calls the server, and the figure is the median of its calls. A step is left out if the time or the disk would
not suffice.
"""

import argparse
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, timedelta
from pathlib import Path
from time import monotonic

import psycopg

from adapters.sql.migrate import migrate
from adapters.sql.store import SqlStore
from tools.benchmarks.hot_calls import add_a_detail, search_products
from tools.benchmarks.reports import NOW, TODAY
from tools.benchmarks.servers import SECRET_KEY, Client, Request, durable_postgresql, milliseconds_per_call, ours
from tools.benchmarks.ward import Furnished, furnish

YEARS = 5
LINES_OF_A_SHEET = 60
# Number of sheets that are open at a time: the lines of each are scattered among those of the others.
_OPEN_AT_A_TIME = 300
_BLOCK = _OPEN_AT_A_TIME * LINES_OF_A_SHEET
# Blocks that one statement inserts.
_BATCH_BLOCKS = 25
_FIRST_SHEET = 1_000_000
_CONNECTIONS = 2

_PEOPLE = """
INSERT INTO patients (name, first_surname, active, search_folded, sort_folded)
  SELECT 'Ana', 'Ríos ' || i, true, 'ana rios ' || i, 'rios ana ' || i FROM generate_series(1, 20000) i;
INSERT INTO staff (name, first_surname, search_folded, sort_folded)
  SELECT 'Luz', 'Gil ' || i, 'luz gil ' || i, 'gil luz ' || i FROM generate_series(1, 300) i;
INSERT INTO users (email, email_key, role, staff_id, deleted)
  SELECT i || '@consumo.test', i || '@consumo.test', 2, i + 1, false FROM generate_series(1, 300) i
"""
# Block b of a step has the lines b * _BLOCK and following; its sheets come from the sequence of the step.
_SHEETS = f"""
INSERT INTO consumption_sheets
    (id, patient_id, room_id, admission_date, diagnosis, doctor, search_folded, total, lines, closed_at, version)
  SELECT %(first_sheet)s + i, 1 + i %% 20000, 1 + i %% 300, date(at) - 3, 'Neumonía', 'Dra. Vega', 'neumonia', 0,
    {LINES_OF_A_SHEET}, at, {LINES_OF_A_SHEET} + 2
  FROM (SELECT i, %(now)s - {365 * YEARS} * (1 - (i / {_OPEN_AT_A_TIME} + 1.0) / %(blocks)s) * interval '1 day' AS at
    FROM generate_series(0, %(blocks)s * {_OPEN_AT_A_TIME} - 1) i) stays
"""
_LINES = f"""
INSERT INTO consumption_details
    (sheet_id, product_id, staff_id, user_id, area_id, room_id, quantity, unit_price, total, created_at, day, version)
  SELECT %(first_sheet)s + i / {_BLOCK} * {_OPEN_AT_A_TIME} + i %% {_OPEN_AT_A_TIME},
    1 + (i %% 49999 * 7919 %% 49999) * (i %% 49993 * 4153 %% 49993) / 49999, 1 + i %% 300, 1 + i %% 300,
    1 + i %% 10, 1 + i %% 300, (1 + i * 31 %% 8) * 1000, 100 + i %% 5000, 100 + i %% 50000, at, date(at), 1
  FROM (SELECT i, %(now)s - {365 * YEARS} * (1 - (i + 1.0) / (%(blocks)s * {_BLOCK})) * interval '1 day' AS at
    FROM generate_series(%(first)s::bigint, %(last)s::bigint) i) given
"""
_INDEXES = """
SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index
WHERE indrelid = ANY (ARRAY['consumption_details', 'consumption_sheets']::regclass[])
  AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)
"""
_SETTINGS = {"shared_buffers": "2GB", "wal_level": "minimal", "max_wal_senders": "0", "max_wal_size": "8GB"}
# References need no check: they are right by construction.
_FILLING = "-c session_replication_role=replica -c synchronous_commit=off -c maintenance_work_mem=1GB"


@dataclass(slots=True)
class Database:
    """The database, and the number of its lines."""

    url: str
    ward: Furnished
    lines: int = 0
    first_sheet: int = _FIRST_SHEET

    @property
    def plain(self) -> str:
        return self.url.replace("+psycopg", "")

    def grow(self, lines: int) -> None:
        """Add sheets and lines up to that number."""
        blocks = -((self.lines - lines) // _BLOCK)
        asked = {"now": NOW, "blocks": blocks, "first_sheet": self.first_sheet}
        with psycopg.connect(self.plain, autocommit=True, options=_FILLING) as connection:
            indexes = connection.execute(_INDEXES).fetchall()
            for name, _ in indexes:
                connection.execute(f"DROP INDEX {name}".encode())
            connection.execute(_SHEETS.encode(), asked)
            self._together(
                lambda other, first: other.execute(
                    _LINES.encode(),
                    asked | {"first": first * _BLOCK, "last": min(first + _BATCH_BLOCKS, blocks) * _BLOCK - 1},
                ),
                range(0, blocks, _BATCH_BLOCKS),
            )
            self._together(lambda other, place: other.execute(indexes[place][1].encode()), range(len(indexes)))
            connection.execute("VACUUM (ANALYZE) consumption_details")
            connection.execute("VACUUM (ANALYZE) consumption_sheets")
            connection.execute("CHECKPOINT")
        self.lines += blocks * _BLOCK
        self.first_sheet += blocks * _OPEN_AT_A_TIME

    def _together(self, work: Callable[[psycopg.Connection, int], object], places: Sequence[int]) -> None:
        """Do the work of all places, on some connections at once."""

        def run(one: int) -> None:
            with psycopg.connect(self.plain, autocommit=True, options=_FILLING) as connection:
                for place in places[one::_CONNECTIONS]:
                    work(connection, place)

        with ThreadPoolExecutor(_CONNECTIONS) as threads:
            list(threads.map(run, range(_CONNECTIONS)))

    def gigabytes(self) -> tuple[float, float]:
        """Return the size of the database, and that of its indexes of lines."""
        with psycopg.connect(self.plain) as connection:
            sizes = connection.execute(
                "SELECT pg_database_size(current_database()), pg_indexes_size('consumption_details')"
            ).fetchone()
        assert sizes
        return sizes[0] / 1e9, sizes[1] / 1e9


def calls(database: Database) -> dict[str, tuple[Callable[[int], Request], int]]:
    """Return the measured calls, and how often each is made."""
    since = (TODAY - timedelta(days=29)).isoformat()
    report = "/api/reports/consumption?"
    sheets = database.first_sheet - _FIRST_SHEET

    def open_sheet(number: int) -> Request:
        # Sheets of all years, in no order.
        return Request(
            f"/api/consumption-sheets/{_FIRST_SHEET + number * 7_919 % sheets}/consumption-details?limit=100"
        )

    return {
        "record a line": (lambda _: add_a_detail(database.ward), 200),
        f"open a sheet of {LINES_OF_A_SHEET} lines, of any year": (open_sheet, 200),
        "report of the last day by area": (lambda _: Request(f"{report}by=area&from={TODAY}&to={TODAY}"), 9),
        "report of 30 days by product": (lambda _: Request(f"{report}by=product&from={since}&to={TODAY}"), 5),
        "product search": (lambda _: search_products(database.ward), 100),
    }


def main() -> None:
    """Fill, measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--lines", type=int, nargs="+", default=[1_000_000, 5_000_000, 20_000_000, 50_000_000])
    options.add_argument("--minutes", type=float, default=20)
    options.add_argument("--gigabytes", type=float, default=30)
    asked = options.parse_args()
    begun = monotonic()
    figures: dict[str, list[str]] = {}
    left_out: list[str] = []

    def note(about: str, figure: str) -> None:
        figures.setdefault(about, []).append(figure)

    with durable_postgresql(**_SETTINGS) as cluster, tempfile.TemporaryDirectory() as folder:
        url = cluster.create("millions")
        migrate(url)
        store = SqlStore(url, UTC)
        database = Database(url, furnish(store, SECRET_KEY))
        store.close()
        with psycopg.connect(database.plain, autocommit=True) as connection:
            for statement in _PEOPLE.split(";\n"):
                connection.execute(statement.encode())
            connection.execute("VACUUM ANALYZE")
        seconds_each = gigabytes_each = 0.0
        for lines in asked.lines:
            # All indexes are built again.
            if (
                monotonic() - begun + seconds_each * lines > asked.minutes * 60
                or gigabytes_each * lines > asked.gigabytes
            ):
                left_out.append(f"{lines:,}")
                continue
            step = monotonic()
            database.grow(lines)
            seconds = monotonic() - step
            size, of_indexes = database.gigabytes()
            seconds_each, gigabytes_each = seconds / lines, size / lines
            note("lines", f"{database.lines:,}")
            with ours(url, Path(folder)) as server:
                client = Client(server.address, database.ward.token)
                for about, (ask, times) in calls(database).items():
                    warming = 1 + times // 10
                    requests = [ask(number) for number in range(warming + times)]
                    note(f"{about}, ms", f"{milliseconds_per_call(client, requests, warming=warming):,.1f}")
            note("lines of a day", f"{database.lines / (365 * YEARS):,.0f}")
            note("on disk, GB", f"{size:.1f}")
            note("of these indexes of lines, GB", f"{of_indexes:.1f}")
            note("filling this step, s", f"{seconds:.0f}")
    heading = figures.pop("lines")
    print(f"| lines | {' | '.join(heading)} |")
    print(f"|---|{'--:|' * len(heading)}")
    for about, row in figures.items():
        print(f"| {about} | {' | '.join(row)} |")
    if left_out:
        print(f"\nLeft out for lack of time or disk: {', '.join(left_out)} lines.")


if __name__ == "__main__":
    main()
