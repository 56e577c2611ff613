"""Recording on PostgreSQL reads its data after the sheet is locked.

One statement reads everything, and must see what the lock waited for.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import psycopg
import pytest
from sqlalchemy import Select
from sqlalchemy.dialects.postgresql.psycopg import dialect

from adapters.sql.common import pending_writes
from adapters.sql.sheets import recording
from adapters.sql.store import SqlStore
from application.common.idempotency import IdempotencyKey
from application.sheets.detail_views import DetailView
from domain.common.errors import Code, Refused
from tests.builders import ZONE, Ward, a_ward
from tests.contracts.accounts.signed_in import details_of
from tests.servers import until_one_waits_for, working_by_hand

pytestmark = pytest.mark.postgresql

_COUNT_UP = "UPDATE consumption_sheets SET version = version + 1 WHERE id = %s"
_RECORD = """INSERT INTO consumption_details (sheet_id, product_id, user_id, quantity, unit_price, total, created_at,
  day, version, returned) SELECT sheet_id, product_id, user_id, quantity, unit_price, total, %s, day, 1, 0
  FROM consumption_details WHERE id = %s"""
_CLOSE = "UPDATE consumption_sheets SET closed_at = %s, version = version + 1 WHERE id = %s"


@pytest.fixture
def ward(postgresql_url: str) -> Iterator[Ward]:
    with closing(SqlStore(postgresql_url, ZONE)) as store:
        yield a_ward(store)


@pytest.fixture
def blocker(postgresql_url: str) -> Iterator[psycopg.Connection]:
    with working_by_hand(postgresql_url) as connection:
        yield connection


def record_while_waiting_for(blocker: psycopg.Connection, ward: Ward, sheet_id: int) -> DetailView:
    """Record a line, which waits for another transaction on the sheet."""
    key = IdempotencyKey("k-1", "the same")
    with ThreadPoolExecutor() as thread:
        running = thread.submit(
            ward.use_cases.details.add, ward.nurse, ward.detail_draft(), sheet_id=sheet_id, idempotency_key=key
        )
        try:
            until_one_waits_for(blocker)
        finally:
            blocker.commit()
        return running.result().answer


def test_a_line_committed_while_waiting_causes_a_warning(ward: Ward, blocker: psycopg.Connection) -> None:
    sheet_id = ward.sheet()["id"]
    before = ward.detail(sheet_id)
    ward.clock.advance(hours=2)
    blocker.execute(_COUNT_UP, [sheet_id])
    blocker.execute(_RECORD, [ward.clock.now, before["id"]])
    answer = record_while_waiting_for(blocker, ward, sheet_id)
    assert [warning["code"] for warning in answer["warnings"]] == ["detail.repeated"]


def test_a_sheet_closed_while_waiting_takes_no_line(ward: Ward, blocker: psycopg.Connection) -> None:
    sheet_id = ward.sheet()["id"]
    blocker.execute(_CLOSE, [ward.clock.now, sheet_id])
    with pytest.raises(Refused, match=Code.SHEET_CLOSED):
        record_while_waiting_for(blocker, ward, sheet_id)
    assert details_of(ward, sheet_id) == []


@pytest.mark.parametrize("statement", [recording._LOOK, recording._REFERENCES, pending_writes._INSERT_ALL])
def test_statements_fit_into_the_drivers_cache(statement: Select[Any]) -> None:
    """psycopg parses larger ones again for each execution."""
    compiled = statement.compile(dialect=dialect())  # type: ignore[no-untyped-call]
    assert len(str(compiled)) <= 4_096
    assert len(compiled.params) <= 50
