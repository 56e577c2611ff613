"""Benchmark of reports and the overview over many details.

Run ``python -m tools.benchmarks.reports --details 1000000``. It fills a scratch database in a PostgreSQL of our own (or
in the server of TEST_PG_DSN) with a year of a fictional hospital, calls the use cases as the server does, and prints
the median of some calls in milliseconds.
"""

import argparse
import re
import secrets
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

from sqlalchemy import create_engine, text

from adapters.sql.engine.connections import to_url
from adapters.sql.migrate import migrate
from adapters.sql.store import SqlStore
from application.reports.views import ConsumptionBy, ConsumptionQuery
from domain.common.policy import Actor, Role
from tests.builders import SettableClock, use_cases_on
from tests.servers import postgresql
from tools.benchmarks.timing import milliseconds

TODAY = date(2026, 11, 20)
NOW = datetime(2026, 11, 20, 23, 59, tzinfo=UTC)

# 300 beds, and a stay per 100 details, the last 300 of which are open; a few products are used often.
_HOSPITAL = """
INSERT INTO areas (name, name_key, name_folded) SELECT 'Área ' || i, i, 'area ' || i FROM generate_series(1, 20) i;
INSERT INTO categories (code, code_key, name, name_folded)
  SELECT i, i, 'Categoría ' || i, 'categoria ' || i FROM generate_series(1, 40) i;
INSERT INTO products (name, name_folded, price, category_id, active)
  SELECT 'Producto ' || i, 'producto ' || i, i % 5000, 1 + i % 40, true FROM generate_series(1, 5000) i;
INSERT INTO rooms (name, name_folded, status, type, area_id)
  SELECT 'Cama ' || i, 'cama ' || i, 2, 2, 1 + i % 20 FROM generate_series(1, 300) i;
INSERT INTO patients (name, first_surname, active, search_folded, sort_folded)
  SELECT 'Ana', 'Ríos ' || i, true, 'ana rios ' || i, 'rios ana ' || i FROM generate_series(1, :details / 150) i;
INSERT INTO staff (name, first_surname, search_folded, sort_folded)
  SELECT 'Luz', 'Gil ' || i, 'luz gil ' || i, 'gil luz ' || i FROM generate_series(1, 300) i;
INSERT INTO users (email, email_key, role, staff_id, deleted)
  SELECT i || '@consumo.test', i || '@consumo.test', 2, i, false FROM generate_series(1, 300) i;
INSERT INTO consumption_sheets
    (patient_id, room_id, admission_date, diagnosis, doctor, search_folded, total, closed_at, version)
  SELECT 1 + i % (:details / 150), 1 + i % 300, date(came), '', '', '', 0,
    CASE WHEN i <= :details / 100 - 300 THEN LATER(came, 9) END, 1
  FROM (SELECT i, LATER(:now, - 365 * (1 - i * 100.0 / :details)) AS came
    FROM generate_series(1, :details / 100) i) stays;
INSERT INTO consumption_details
    (sheet_id, product_id, staff_id, user_id, area_id, quantity, unit_price, total, created_at, day, version)
  SELECT CASE WHEN i <= 500 THEN 1 ELSE (i - 1) / 100 + 1 - i % 5 END,
    1 + (i % 4999 * 7919 % 4999) * (i % 4993 * 4153 % 4993) / 4999, 1 + i % 300, 1 + i % 300,
    1 + i % 20, (1 + i * 31 % 8) * 1000, 100 + i % 5000, 100 + i % 50000, at, date(at), 1
  FROM (SELECT i, LATER(:now, - 365 * (1 - i * 1.0 / :details)) AS at
    FROM generate_series(1, :details) i) given;
INSERT INTO audit_trail (at, user_id, action, entity, entity_id, changes, sheet_id)
  SELECT created_at, user_id, 'detail.added', 'consumption_detail', id, '{}', sheet_id FROM consumption_details;
"""


_LATER = re.compile(r"LATER\((\S+), (.+?)\)(?= |$)", re.MULTILINE)
_NUMBERS = re.compile(r"generate_series\(1, (.+?)\) i", re.MULTILINE)
_IN_SQLITE = r"(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \1) SELECT i FROM n)"


def fill(url: str, details: int, until: datetime = NOW) -> None:
    """Insert a year of a hospital, up to that moment."""
    if url.startswith("sqlite"):
        hospital = _NUMBERS.sub(
            _IN_SQLITE, _LATER.sub(r"strftime('%Y-%m-%d %H:%M:%f000', \1, (\2) || ' days')", _HOSPITAL)
        )
    else:
        hospital = _LATER.sub(r"\1 + (\2) * interval '1 day'", _HOSPITAL)
    engine = create_engine(to_url(url), isolation_level="AUTOCOMMIT")
    now = until.replace(tzinfo=None).isoformat(" ") if url.startswith("sqlite") else until
    with engine.connect() as connection:
        for statement in hospital.strip().split(";\n"):
            sql = text(statement.rstrip(";"))
            asked = {name: value for name, value in (("details", details), ("now", now)) if name in sql._bindparams}
            connection.execute(sql, asked)
        if not url.startswith("sqlite"):
            connection.execute(text("VACUUM ANALYZE"))
    engine.dispose()


def main() -> None:
    """Fill, measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--details", type=int, default=1_000_000)
    options.add_argument("--times", type=int, default=7)
    asked = options.parse_args()
    with postgresql() as cluster:
        name = f"consumo_bench_{secrets.token_hex(4)}"
        url = cluster.create(name)
        migrate(url)
        fill(url, asked.details)
        store = SqlStore(url, UTC)
        cases = use_cases_on(store, clock=SettableClock(NOW))
        supervisor = Actor(user_id=7, role=Role.SUPERVISOR, staff_id=7)

        def report(by: ConsumptionBy, days: int) -> Callable[[], object]:
            query = ConsumptionQuery(by=by, since=TODAY - timedelta(days=days - 1), until=TODAY)
            return lambda: cases.reports.consumption.page(supervisor, query)

        print(f"{asked.details:,} details in a year; median of {asked.times} calls, in ms")
        print(f"| {'report by':<12} | the year | 90 days | 30 days |")
        print("|---|---|---|---|")
        for by in ConsumptionBy:
            figures = [f"{milliseconds(report(by, days), asked.times):.0f}" for days in (366, 90, 30)]
            print(f"| {by.value:<12} | {' | '.join(figures)} |")
        print(f"\noverview: {milliseconds(lambda: cases.reports.read_overview(supervisor), asked.times):.0f} ms")
        store.close()
        cluster.drop(name)


if __name__ == "__main__":
    main()
