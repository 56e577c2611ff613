"""Benchmark of restock lists: ``python -m tools.benchmarks.restock``.

A million lines are in areas of different sizes. It measures how long an open list takes, and closing it.
"""

import sys
import tempfile
from decimal import Decimal
from functools import partial

from sqlalchemy import create_engine, select

from adapters.sql.catalogue.tables import areas, products
from adapters.sql.engine.connections import to_url
from adapters.sql.migrate import migrate
from adapters.sql.sheets.tables import details, sheets
from adapters.sql.store import SqlStore
from application.restock.restock_lists import CloseRestockDraft
from tests.builders import TODAY, ZONE, Ward, a_ward
from tests.servers import postgresql
from tools.benchmarks.timing import seconds_of, spread

# Lines in each area: a usual one of twenty, and one that has used half of everything.
LINES = (50_000, 450_000, 500_000)
PRODUCTS = 2_000
READS = 20
ONE = Decimal(1)


def main() -> None:
    """Print the times on both databases."""
    sys.stdout.write("| database | lines of the area | open list, everything | closing it | open list after that |\n")
    sys.stdout.write("|---|--:|--:|--:|--:|\n")
    with tempfile.TemporaryDirectory() as folder, postgresql() as cluster:
        for kind, url in (("SQLite", f"sqlite:///{folder}/m.db"), ("PostgreSQL", cluster.create("consumo"))):
            migrate(url)
            store = SqlStore(url, ZONE)
            ward = a_ward(store)
            for area_id, lines in fill(ward, url):
                draft = CloseRestockDraft(number=1, settle_rest=True)
                read = partial(ward.use_cases.restock.read, ward.nurse, area_id)
                before = spread(seconds_of(read, READS))
                [closing] = seconds_of(partial(ward.use_cases.restock.close, ward.nurse, area_id, draft), 1)
                after = spread(seconds_of(read, READS))
                sys.stdout.write(f"| {kind} | {lines:,} | {before} | {closing * 1000:.0f} ms | {after} |\n")
            store.close()


def fill(ward: Ward, url: str) -> list[tuple[int, int]]:
    """Insert areas with lines; return their ids and numbers of lines."""
    engine = create_engine(to_url(url))
    with engine.begin() as connection:
        names = [f"p {n}" for n in range(PRODUCTS)]
        common = {"price": ONE, "category_id": ward.category_id, "active": True}
        connection.execute(products.insert(), [common | {"name": name, "name_folded": name} for name in names])
        product_ids = list(connection.execute(select(products.c.id)).scalars())
        connection.execute(
            areas.insert(), [{"name": f"a{n}", "name_key": f"a{n}", "name_folded": f"a{n}"} for n in LINES]
        )
        query = select(areas.c.id).where(areas.c.name.like("a%")).order_by(areas.c.id)
        area_ids = list(connection.execute(query).scalars())[-len(LINES) :]
        sheet = {"patient_id": ward.patient_id, "room_id": ward.room_id, "diagnosis": "", "doctor": ""}
        sheet |= {"search_folded": "", "total": ONE, "version": 1, "admission_date": TODAY}
        connection.execute(sheets.insert(), [sheet | {"closed_at": ward.clock()}])
        sheet_id = connection.execute(select(sheets.c.id)).scalar_one()
        line = {"user_id": ward.nurse.user_id, "quantity": ONE, "unit_price": ONE, "total": ONE, "day": TODAY}
        line |= {"version": 1, "sheet_id": sheet_id, "created_at": ward.clock()}
        for area_id, lines in zip(area_ids, LINES, strict=True):
            for first in range(0, lines, 10_000):
                connection.execute(
                    details.insert(),
                    [
                        line | {"area_id": area_id, "product_id": product_ids[n * 7 % len(product_ids)]}
                        for n in range(first, min(first + 10_000, lines))
                    ],
                )
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("ANALYZE" if url.startswith("sqlite") else "VACUUM ANALYZE")
    engine.dispose()
    return list(zip(area_ids, LINES, strict=True))


if __name__ == "__main__":
    main()
