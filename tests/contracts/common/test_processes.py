"""Contract of the SQL stores: several processes, and killed processes."""

import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager

import pytest
from sqlalchemy import make_url

from adapters.sql.store import SqlStore
from application.reports.months import MonthDraft
from application.sheets.detail_views import DetailQuery
from tests.builders import ZONE, Ward, a_ward
from tests.contracts.accounts.signed_in import details_of, the_account_is_right
from tests.contracts.audit.audit_logs import trail_of
from tests.pace import PATIENCE
from tests.servers import ROOT, dying_with_us

CLOSED = "-:sheet.closed"


@pytest.fixture
def ward(database_url: str) -> Iterator[Ward]:
    store = SqlStore(database_url, ZONE)
    yield a_ward(store)
    store.close()


class Worker:
    """A process that works on the ward's database; its output is read by line."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        assert process.stdin
        assert process.stdout
        self._says, self._hears = process.stdout, process.stdin

    def line(self) -> str:
        """Return the next line, or an empty string after the end."""
        return self._says.readline().rstrip("\n")

    def lines(self, count: int) -> list[str]:
        """Return the next ``count`` lines."""
        return [self.line() for _ in range(count)]

    def rest(self) -> list[str]:
        """Return all remaining lines."""
        return self._says.read().splitlines()

    def go(self) -> None:
        """Start the task."""
        self._hears.write("\n")
        self._hears.flush()

    def kill(self) -> list[str]:
        """Kill the process without handlers or flushing; return its last lines."""
        self._process.kill()
        self._process.wait(PATIENCE)
        return self.rest()


@contextmanager
def working(ward: Ward, database_url: str, task: str, sheet_id: int, *, many: int = 1) -> Iterator[Sequence[Worker]]:
    """Start workers that are ready for a task.

    They are killed when the block ends, or if it never ends.
    """
    ids = [str(number) for number in (ward.admin.user_id, sheet_id, ward.product_id)]
    command = [*dying_with_us("KILL"), sys.executable, "-m", "tests.contracts.common.worker", database_url, task, *ids]
    with ExitStack() as ended:
        workers = []
        for _ in range(many):
            process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            ended.callback(process.communicate)
            ended.callback(process.kill)
            too_late = threading.Timer(PATIENCE, process.kill)
            too_late.start()
            ended.callback(too_late.cancel)
            workers.append(Worker(process))
        for worker in workers:
            assert worker.line() == "ready"
        yield workers


def is_sound(database_url: str) -> bool:
    """Run SQLite's integrity check; PostgreSQL needs none."""
    url = make_url(database_url)
    if url.get_backend_name() != "sqlite":
        return True
    with closing(sqlite3.connect(url.database or "")) as connection:
        whole = connection.execute("PRAGMA integrity_check").fetchall()
        return whole == [("ok",)] and connection.execute("PRAGMA foreign_key_check").fetchall() == []


# --- several processes -----------------------------------------------------------------------------------------------


def test_no_process_adds_a_detail_after_the_closing(ward: Ward, database_url: str) -> None:
    sheet_id = ward.sheet()["id"]
    with working(ward, database_url, "until-closed", sheet_id, many=2) as workers:
        for worker in workers:
            worker.go()
        said = [worker.lines(15) for worker in workers]
        closed = ward.use_cases.sheets.close(ward.admin, sheet_id)
        for lines, worker in zip(said, workers, strict=True):
            lines.extend(worker.rest())
    acknowledged = [int(line) for lines in said for line in lines if line != CLOSED]
    assert sorted(acknowledged) == [detail.id for detail in details_of(ward, sheet_id)]
    assert the_account_is_right(ward, sheet_id) == closed
    assert is_sound(database_url)


def test_requests_of_several_processes_with_one_key_run_once(ward: Ward, database_url: str) -> None:
    sheet_id = ward.sheet()["id"]
    with working(ward, database_url, "once", sheet_id, many=3) as workers:
        for worker in workers:
            worker.go()
        said = [worker.line() for worker in workers]
    (detail,) = details_of(ward, sheet_id)
    assert said.count(f"{detail.id} False") == 1
    assert set(said) <= {f"{detail.id} False", f"{detail.id} True", "still running"}
    the_account_is_right(ward, sheet_id)


# --- killed processes ------------------------------------------------------------------------------------------------


def test_a_process_killed_in_a_unit_of_work_leaves_nothing(ward: Ward, database_url: str) -> None:
    sheet_id = ward.sheet()["id"]
    ward.detail(sheet_id)
    before = the_account_is_right(ward, sheet_id), trail_of(ward.store)
    with working(ward, database_url, "halfway", sheet_id) as (worker,):
        worker.go()
        never_kept = int(worker.line())
        worker.kill()
    assert (the_account_is_right(ward, sheet_id), trail_of(ward.store)) == before
    assert never_kept not in [detail.id for detail in details_of(ward, sheet_id)]
    # The dead process holds no lock.
    ward.detail(sheet_id)
    ward.use_cases.sheets.close(ward.admin, sheet_id)
    assert len(details_of(ward, sheet_id)) == 2
    the_account_is_right(ward, sheet_id)
    assert is_sound(database_url)


def test_a_process_killed_closing_a_month_leaves_nothing(ward: Ward, database_url: str) -> None:
    with working(ward, database_url, "month", ward.sheet()["id"]) as (worker,):
        before = trail_of(ward.store)
        worker.go()
        assert worker.line().isdigit()
        worker.kill()
    assert trail_of(ward.store) == before
    assert [one["turn"] for one in ward.use_cases.reports.list_months(ward.admin, before="2001-02")["items"][:1]] == [0]
    # The dead process holds no lock.
    assert ward.use_cases.reports.close_month(ward.admin, MonthDraft(month="2001-01", turn=1))["turn"] == 1
    assert is_sound(database_url)


@pytest.mark.parametrize("acknowledged_first", [pytest.param(1, marks=pytest.mark.walk), 25])
def test_acknowledged_details_survive_the_kill_of_the_process(
    ward: Ward, database_url: str, acknowledged_first: int
) -> None:
    sheet_id = ward.sheet()["id"]
    with working(ward, database_url, "until-closed", sheet_id) as (worker,):
        worker.go()
        said = worker.lines(acknowledged_first)
        said += worker.kill()
    acknowledged = [int(detail_id) for detail_id in said]
    kept = [detail.id for detail in details_of(ward, sheet_id)]
    # The last detail may be stored without its acknowledgement.
    assert kept[: len(acknowledged)] == acknowledged
    assert len(kept) - len(acknowledged) in (0, 1)
    the_account_is_right(ward, sheet_id)
    with ward.store.read() as views:
        assert views.details.page(DetailQuery())["meta"]["total"] == len(kept)
    ward.use_cases.sheets.close(ward.admin, sheet_id)
    the_account_is_right(ward, sheet_id)
    assert is_sound(database_url)
