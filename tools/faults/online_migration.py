"""Online migration of a million rows next to writers of the old version."""

import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any
from unittest.mock import patch

import psycopg
from alembic import op

from adapters.sql.migrate import SchemaState, migrate, schema_state_of
from tests.sql.test_migrations import ADD_DETAIL, FILL
from tools.faults.databases import a_postgresql
from tools.faults.load import wait_for
from tools.faults.scenario import Outcome, ScenarioRun

ROWS, SHEETS, WRITERS = 1_000_000, 50, 4
# Longer than any change of a table's definition, and shorter than building an index on a million rows.
_MAX_LOCK_SECONDS = 0.3
BACKFILL_BATCH = "indexes-built-in-one-go"

_MORE_SHEETS = f"""
    INSERT INTO consumption_sheets
        (patient_id, room_id, admission_date, diagnosis, doctor, search_folded, total, version)
    SELECT 1, 1, '2026-01-01', '', '', '', 0, 1 FROM generate_series(3, {SHEETS})
"""  # noqa: S608
_ON_SHEETS = ADD_DETAIL.replace("SELECT 1, 1, 1,", f"SELECT 1 + number % {SHEETS}, 1, 1,")


class Writer(threading.Thread):
    """Records details on its own sheet and keeps the slowest duration."""

    def __init__(self, url: str, sheet_id: int, stopping: threading.Event) -> None:
        super().__init__(daemon=True)
        self._url, self._sheet_id, self._stopping = url, sheet_id, stopping
        self.acknowledged = 0
        self.longest = 0.0
        self.error = ""

    def run(self) -> None:
        sheet = {"sheet": self._sheet_id}
        try:
            with psycopg.connect(self._url) as connection:
                while not self._stopping.is_set():
                    begun = time.monotonic()
                    with connection.transaction():
                        connection.execute(
                            "SELECT 1 FROM consumption_sheets WHERE id = %(sheet)s FOR NO KEY UPDATE", sheet
                        )
                        connection.execute(
                            ADD_DETAIL.replace("SELECT 1, 1, 1,", "SELECT %(sheet)s, 1, 1,").encode(), sheet
                        )
                        connection.execute(
                            "UPDATE consumption_sheets SET total = total + 100 WHERE id = %(sheet)s", sheet
                        )
                    self.acknowledged += 1
                    self.longest = max(self.longest, time.monotonic() - begun)
        except psycopg.Error as error:
            self.error = str(error)


class Watcher(threading.Thread):
    """Polls for processes that wait for a table lock.

    A slow disk makes writes slow too; that does not count.
    """

    def __init__(self, url: str, stopping: threading.Event) -> None:
        super().__init__(daemon=True)
        self._url, self._stopping = url, stopping
        self.longest = 0.0

    def run(self) -> None:
        waiting = (
            "SELECT coalesce(extract(epoch FROM max(clock_timestamp() - query_start)), 0)::float FROM pg_stat_activity "
            "WHERE wait_event_type = 'Lock' AND wait_event = 'relation' AND query LIKE '%consumption_%'"
        )
        with psycopg.connect(self._url, autocommit=True) as connection:
            while not self._stopping.wait(0.01):
                (seconds,) = connection.execute(waiting).fetchone() or (0.0,)
                self.longest = max(self.longest, seconds)


def migrate_among_writers(run: ScenarioRun) -> Outcome:
    """Migrate a million details from the first schema to the latest."""
    outcome = Outcome()
    for _ in run.each_round():
        with ExitStack() as stack:
            database = stack.enter_context(a_postgresql())
            url = database.cluster.create("consumo")
            plain = url.replace("+psycopg", "")
            migrate(url, revision="0001")
            with psycopg.connect(plain, autocommit=True) as admin:
                for statement in (*FILL, _MORE_SHEETS):
                    admin.execute(statement.encode())
                admin.execute(f"{_ON_SHEETS} FROM generate_series(1, {ROWS}) AS number".encode())
                admin.execute(
                    "UPDATE consumption_sheets SET total = "
                    "(SELECT sum(total) FROM consumption_details WHERE sheet_id = consumption_sheets.id)"
                )
                admin.execute("VACUUM ANALYZE")
            stopping = threading.Event()
            writers = [Writer(plain, number + 1, stopping) for number in range(WRITERS)]
            for writer in writers:
                writer.start()
            wait_for(lambda: all(writer.acknowledged > 20 or writer.error for writer in writers), 60)  # noqa: B023
            quiet = max(writer.longest for writer in writers)
            for writer in writers:
                writer.longest = 0.0
            if run.mutant == BACKFILL_BATCH:
                stack.enter_context(patch("adapters.sql.migrations.online.build_index", _in_one_go))
            watcher = Watcher(plain, stopping)
            watcher.start()
            begun = time.monotonic()
            migrate(url)
            took = time.monotonic() - begun
            stopping.set()
            for each in (*writers, watcher):
                each.join(60)
            longest = max(writer.longest for writer in writers)
            acknowledged = sum(writer.acknowledged for writer in writers)
            outcome.injected += 1
            outcome.acknowledged += acknowledged
            outcome.figures |= {
                "rows": f"{ROWS:,}",
                "the migrations took": f"{took:.1f} s",
                "longest wait of a write meanwhile": f"{longest:.2f} s",
                "longest wait of a write before": f"{quiet:.2f} s",
                "longest wait for a table": f"{watcher.longest:.2f} s",
            }
            outcome.findings += [f"a writer was told: {writer.error}" for writer in writers if writer.error]
            outcome.findings += _findings(url, plain, acknowledged)
            if watcher.longest > _MAX_LOCK_SECONDS:
                outcome.findings.append(f"a write waited {watcher.longest:.2f} s for a table that was migrated")
    return outcome


def _findings(url: str, plain: str, acknowledged: int) -> list[str]:
    found = []
    with psycopg.connect(plain) as connection:
        (kept,) = connection.execute("SELECT count(*) FROM consumption_details").fetchone() or (0,)
        wrong = connection.execute(
            "SELECT sheet_id FROM consumption_details JOIN consumption_sheets AS sheets ON sheets.id = sheet_id "
            "GROUP BY sheet_id, sheets.total HAVING sum(consumption_details.total) <> sheets.total"
        ).fetchall()
        broken = connection.execute("SELECT indexrelid::regclass FROM pg_index WHERE NOT indisvalid").fetchall()
    if kept != ROWS + acknowledged:
        found.append(f"{kept:,} details are kept, not {ROWS + acknowledged:,}")
    if wrong:
        found.append(f"the totals of {len(wrong)} sheets are wrong")
    if broken:
        found.append(f"indexes are broken: {broken}")
    if schema_state_of(url) is not SchemaState.CURRENT:
        found.append("the tables are not of the newest shape")
    return found


def _in_one_go(name: str, table: str, columns: Sequence[str], **options: Any) -> None:
    """Build an index the usual way, which locks writers out until the end."""
    op.create_index(name, table, columns, **options)
