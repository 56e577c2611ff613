"""Row locks on PostgreSQL are taken in one order, without deadlocks."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any, LiteralString

import psycopg
import pytest
from psycopg import sql

from adapters.sql.store import SqlStore
from application.accounts.users.draft import UserDraft
from application.imports.reading.fields import Noun
from application.sheets.views import SheetQuery
from domain.common.policy import Role
from tests.builders import ZONE, Ward, a_ward
from tests.contracts.accounts.signed_in import details_of
from tests.imports.importing import brought_in, file_of
from tests.servers import until_one_waits_for, working_by_hand

pytestmark = pytest.mark.postgresql


@pytest.fixture
def ward(postgresql_url: str) -> Iterator[Ward]:
    with closing(SqlStore(postgresql_url, ZONE)) as store:
        yield a_ward(store)


@pytest.fixture
def blocker(postgresql_url: str) -> Iterator[psycopg.Connection]:
    with working_by_hand(postgresql_url) as connection:
        yield connection


def lock(blocker: psycopg.Connection, table: str, id: int, how: LiteralString = "") -> None:
    locking = sql.SQL("SELECT 1 FROM {} WHERE id = %s FOR UPDATE {}").format(sql.Identifier(table), sql.SQL(how))
    blocker.execute(locking, [id])


def assert_unlocked(
    table: str, id: int, call: Callable[[], Any], *, while_it_waits_for: tuple[str, int], blocker: psycopg.Connection
) -> None:
    """Assert that a call waits for one row without having locked the other."""
    lock(blocker, *while_it_waits_for)
    with ThreadPoolExecutor() as thread:
        running = thread.submit(call)
        try:
            until_one_waits_for(blocker)
            lock(blocker, table, id, "NOWAIT")
        finally:
            blocker.rollback()
        running.result()


@pytest.mark.parametrize("what", ["promote", "delete"])
def test_administrators_and_changed_users_are_locked_by_id(ward: Ward, blocker: psycopg.Connection, what: str) -> None:
    """Otherwise two calls could deadlock.

    One would lock all administrators and wait for an older user, the other would start with that user and wait for an
    administrator.
    """
    other_admin = ward.register("z@consumo.test", Role.ADMIN)
    older = ward.nurse.user_id

    def call() -> None:
        if what == "delete":
            ward.use_cases.users.delete(ward.admin, older)
        else:
            ward.use_cases.users.update(ward.admin, older, UserDraft(email="x@consumo.test", role=int(Role.ADMIN)))

    assert_unlocked("users", other_admin.user_id, call, while_it_waits_for=("users", older), blocker=blocker)


def test_undoing_an_import_locks_sheets_before_details(ward: Ward, blocker: psycopg.Connection, tmp_path: Path) -> None:
    ward.product("Gasa", code="G-1")
    lines = ("nhc;nombre;apellido;ingreso;código;cantidad", "E-1;Ana;Gil;2091-05-01;G-1;2")
    brought = brought_in(ward, file_of(tmp_path, lines), Noun.CONSUMPTION)
    (sheet,) = ward.use_cases.sheets.reader.page(ward.admin, SheetQuery())["items"]
    (detail,) = details_of(ward, sheet["id"])
    assert_unlocked(
        "consumption_details",
        detail.id,
        lambda: ward.use_cases.imports.undo(ward.admin, brought.report.import_id or 0),
        while_it_waits_for=("consumption_sheets", sheet["id"]),
        blocker=blocker,
    )
    assert details_of(ward, sheet["id"]) == []
