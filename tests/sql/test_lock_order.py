"""On PostgreSQL whoever locks several rows does so in one order: nobody waits for somebody who waits for them."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any, LiteralString

import psycopg
import pytest
from psycopg import sql

from adapters.sql.store import SqlStore
from application.imports.reading.columns import Noun
from application.users.draft import UserDraft
from application.views import SheetQuery
from domain.policy import Role
from tests.builders import ZONE, Ward, a_ward
from tests.contracts.accounts import details_of
from tests.imports.importing import brought_in, file_of
from tests.servers import until_one_waits_for, working_by_hand

pytestmark = pytest.mark.postgresql


@pytest.fixture
def ward(postgresql_url: str) -> Iterator[Ward]:
    with closing(SqlStore(postgresql_url, ZONE)) as store:
        yield a_ward(store)


@pytest.fixture
def somebody(postgresql_url: str) -> Iterator[psycopg.Connection]:
    with working_by_hand(postgresql_url) as connection:
        yield connection


def lock(somebody: psycopg.Connection, table: str, id: int, how: LiteralString = "") -> None:
    locking = sql.SQL("SELECT 1 FROM {} WHERE id = %s FOR UPDATE {}").format(sql.Identifier(table), sql.SQL(how))
    somebody.execute(locking, [id])


def nobody_has(
    table: str, id: int, call: Callable[[], Any], *, while_it_waits_for: tuple[str, int], somebody: psycopg.Connection
) -> None:
    """Make the call while somebody has a row that it needs: meanwhile it must not have the other one yet."""
    lock(somebody, *while_it_waits_for)
    with ThreadPoolExecutor() as thread:
        running = thread.submit(call)
        try:
            until_one_waits_for(somebody)
            lock(somebody, table, id, "NOWAIT")
        finally:
            somebody.rollback()
        running.result()


@pytest.mark.parametrize("what", ["promote", "delete"])
def test_administrators_and_who_is_changed_are_locked_in_the_order_of_their_ids(
    ward: Ward, somebody: psycopg.Connection, what: str
) -> None:
    """Who had all administrators and then waited for an older user was waited for by who had begun with that one."""
    other_admin = ward.register("z@consumo.test", Role.ADMIN)
    older = ward.nurse.user_id

    def call() -> None:
        if what == "delete":
            ward.use_cases.delete_user(ward.admin, older)
        else:
            ward.use_cases.update_user(ward.admin, older, UserDraft(email="x@consumo.test", role=int(Role.ADMIN)))

    nobody_has("users", other_admin.user_id, call, while_it_waits_for=("users", older), somebody=somebody)


def test_undoing_an_import_locks_sheets_before_their_details_as_everybody_does(
    ward: Ward, somebody: psycopg.Connection, tmp_path: Path
) -> None:
    ward.product("Gasa", code="G-1")
    lines = ("nhc;nombre;apellido;ingreso;código;cantidad", "E-1;Ana;Gil;2091-05-01;G-1;2")
    brought = brought_in(ward, file_of(tmp_path, lines), Noun.CONSUMPTION)
    (sheet,) = ward.use_cases.sheets.page(ward.admin, SheetQuery())["items"]
    (detail,) = details_of(ward, sheet["id"])
    nobody_has(
        "consumption_details",
        detail.id,
        lambda: ward.use_cases.undo_import(ward.admin, brought.report.import_id or 0),
        while_it_waits_for=("consumption_sheets", sheet["id"]),
        somebody=somebody,
    )
    assert details_of(ward, sheet["id"]) == []
