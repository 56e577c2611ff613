"""Benchmark of missed charges: ``python -m tools.benchmarks.missed_charges``.

It measures how many missing lines are found, and on a million lines how long learning and an answer take, and whether
recording waits meanwhile.
"""

import sys
import tempfile
import threading
import time
import tracemalloc
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal

from sqlalchemy import create_engine, select

from adapters.sql.catalogue.tables import products
from adapters.sql.engine.connections import to_url
from adapters.sql.migrate import migrate
from adapters.sql.sheets.tables import details, sheets
from adapters.sql.store import SqlStore
from domain.sheets.missed_charges import learn_pairs
from tests.builders import TODAY, ZONE, Ward, a_ward
from tests.closed_sheets import PRODUCTS, find_missing, generate_sheets
from tests.servers import postgresql
from tools.benchmarks.timing import seconds_of, spread

SHEETS = 51_000
ANSWERS = 200
ONE = Decimal(1)
RECORDINGS = 40


def main() -> None:
    """Print the quality of the questions, then the times on both databases."""
    sys.stdout.write("| certain pairs | pairs on a sheet | found | false questions a sheet | learned pairs | time |\n")
    sys.stdout.write("|--:|--:|--:|--:|--:|--:|\n")
    for sure in (10, 20, 30, 60):
        closed = generate_sheets(10_000, missing=1_000, sure=sure)
        begun = time.perf_counter()
        pairs = learn_pairs(closed.sheets)
        took = time.perf_counter() - begun
        found = find_missing(closed)
        reasons = {pair.because_id for pair in pairs}
        on_sheet = sum(len(sheet & reasons) for sheet in closed.sheets) / len(closed.sheets)
        cells = (sure, f"{on_sheet:.1f}", f"{found.found:.0%}", f"{found.false_questions:.2f}", len(pairs))
        sys.stdout.write(f"| {' | '.join(map(str, cells))} | {took:.2f} s |\n")
    sys.stdout.write(
        "\n| database | lines | learning | memory | answer for a sheet | recording | recording meanwhile |\n"
    )
    sys.stdout.write("|---|--:|--:|--:|--:|--:|--:|\n")
    with tempfile.TemporaryDirectory() as folder, postgresql() as cluster:
        for kind, url in (("SQLite", f"sqlite:///{folder}/m.db"), ("PostgreSQL", cluster.create("consumo"))):
            migrate(url)
            store = SqlStore(url, ZONE)
            ward = a_ward(store)
            lines, usual = fill(ward, url)
            sys.stdout.write(f"| {kind} | {lines:,} | {' | '.join(measure(ward, usual))} |\n")
            store.close()


def fill(ward: Ward, url: str) -> tuple[int, list[int]]:
    """Insert closed sheets. Return the number of lines and one's products."""
    generated = generate_sheets(SHEETS, missing=SHEETS // 10).sheets
    moment = ward.clock()
    engine = create_engine(to_url(url))
    with engine.begin() as connection:
        connection.execute(
            products.insert(),
            [
                {
                    "name": f"P {n}",
                    "name_folded": f"p {n}",
                    "price": ONE,
                    "category_id": ward.category_id,
                    "active": True,
                }
                for n in range(2 * PRODUCTS)
            ],
        )
        ids = list(connection.execute(select(products.c.id).order_by(products.c.id)).scalars())
        common = {"patient_id": ward.patient_id, "room_id": ward.room_id, "diagnosis": "", "doctor": ""}
        common |= {"search_folded": "", "total": ONE, "version": 1, "admission_date": TODAY}
        connection.execute(
            sheets.insert(), [common | {"closed_at": moment - timedelta(minutes=6 * n)} for n in range(SHEETS)]
        )
        sheet_ids = list(connection.execute(select(sheets.c.id).order_by(sheets.c.id)).scalars())
        line = {
            "user_id": ward.nurse.user_id,
            "quantity": ONE,
            "unit_price": ONE,
            "total": ONE,
            "day": TODAY,
            "version": 1,
        }
        for first in range(0, SHEETS, 1_000):
            pages = zip(sheet_ids[first : first + 1_000], generated[first : first + 1_000], strict=True)
            rows = [
                line | {"sheet_id": sheet_id, "product_id": ids[product], "created_at": moment}
                for sheet_id, some in pages
                for product in some
            ]
            connection.execute(details.insert(), rows)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("ANALYZE")
    engine.dispose()
    return sum(map(len, generated)), [ids[product] for product in max(generated, key=len)]


def measure(ward: Ward, usual: list[int]) -> list[str]:
    """Return the cells: learning, memory, answers and recordings."""
    sheet_id = ward.sheet()["id"]
    ward.details(sheet_id, *(ward.detail_draft(product_id=product) for product in usual[1:]))
    alone = recordings(ward, sheet_id)
    learned: list[str] = []

    def learn() -> None:
        begun = time.perf_counter()
        pairs = ward.use_cases.missed_charges.learn()
        learned.append(f"{time.perf_counter() - begun:.1f} s, {pairs} pairs")

    thread = threading.Thread(target=learn)
    thread.start()
    meanwhile = []
    while thread.is_alive():
        meanwhile += recordings(ward, sheet_id, 1)
    thread.join()
    ward.clock.advance(days=1)
    learned.append(f"{_memory_of(ward.use_cases.missed_charges.learn):.0f} MB")
    answers = seconds_of(lambda: ward.use_cases.missed_charges.list(ward.nurse, sheet_id), ANSWERS)
    return [*learned, *(spread(times) for times in (answers, alone, meanwhile))]


def recordings(ward: Ward, sheet_id: int, count: int = RECORDINGS) -> list[float]:
    """Record lines, twenty a second. Return how long each took."""
    took = []
    for _ in range(count):
        took += seconds_of(lambda: ward.detail(sheet_id), 1)
        time.sleep(max(0.0, 0.05 - took[-1]))
    return took


def _memory_of(call: Callable[[], object]) -> float:
    """The memory that a call takes at most, in MB."""
    tracemalloc.start()
    call()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most / 1e6


if __name__ == "__main__":
    # As in the server: a computing thread lets others run.
    sys.setswitchinterval(0.0005)
    main()
