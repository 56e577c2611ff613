"""Benchmark of XLSX and CSV exports.

Run ``python -m tools.benchmarks.workbook --rows 100000``. It measures from SQLite to the file. Memory is the peak of
the whole process so far.
"""

import argparse
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

from sqlalchemy import create_engine, insert

from adapters.documents.lists import LISTS, Export, Form
from adapters.hospital.profile import HospitalProfile
from adapters.sql.engine.connections import to_url
from adapters.sql.migrate import migrate
from adapters.sql.sheets.tables import details
from adapters.sql.store import SqlStore
from application.sheets.detail_views import DetailQuery
from domain.common.money import line_total
from tests.builders import NOON, TODAY, ZONE, Ward, a_ward


def fill(url: str, ward: Ward, rows: int) -> None:
    """Insert that many details on one sheet."""
    common = {
        "sheet_id": ward.sheet()["id"],
        "product_id": ward.product_id,
        "user_id": ward.admin.user_id,
        "area_id": ward.area_id,
        "unit_price": Decimal("12.50"),
        "created_at": NOON,
        "day": TODAY,
        "version": 1,
    }
    engine = create_engine(to_url(url))
    with engine.begin() as connection:
        for first in range(0, rows, 1_000):
            quantities = [Decimal(1 + number % 5_000).scaleb(-3) for number in range(first, min(first + 1_000, rows))]
            lines = [{**common, "quantity": each, "total": line_total(Decimal("12.50"), each)} for each in quantities]
            connection.execute(insert(details), lines)
    engine.dispose()


def measured(what: str, take: Callable[[], int]) -> None:
    """Run it once, and print its time and the memory."""
    begun, busy = time.perf_counter(), time.process_time()
    size = take()
    took, busy = time.perf_counter() - begun, time.process_time() - busy
    highest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    sys.stdout.write(
        f"{what}: {took:.1f} s ({busy:.1f} s of processor), {size / 1e6:.1f} MB; {highest:.0f} MB of memory\n"
    )


def main() -> None:
    """Print the cost of exporting all details in both formats."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=100_000)
    rows = parser.parse_args().rows
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'details.db'}"
        migrate(url)
        store = SqlStore(url, ZONE)
        ward = a_ward(store)
        fill(url, ward, rows)
        hospital = HospitalProfile(letterhead=(), currency="USD", zone=ZONE)

        export = Export(
            use_cases=ward.use_cases, actor=ward.admin, query=DetailQuery(), language="es", hospital=hospital
        )

        def as_csv() -> int:
            return sum(len(piece.encode()) for piece in LISTS["details"].csv(export, None))

        def as_workbook() -> int:
            with LISTS["details"].file(Form.XLSX, export) as file:
                return file.seek(0, 2)

        measured(f"{rows:,} details as CSV ", as_csv)
        measured(f"{rows:,} details as XLSX", as_workbook)
        store.close()


if __name__ == "__main__":
    main()
