"""Two hospitals in one PostgreSQL database, each with a schema and a role."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

import psycopg
import pytest
from psycopg import sql
from sqlalchemy import make_url

from adapters.sql.backups import BackupProblem, back_up, restore, restored
from adapters.sql.migrate import ExtensionElsewhere, _engine, _migration_lock, migrate
from adapters.sql.store import SqlStore
from application.common.idempotency import IdempotencyKey
from domain.common.errors import RequestInProgress
from tests.builders import ZONE, Ward, a_ward
from tests.servers import Cluster
from tests.sql.test_backups import rows
from tests.walk import WALKS_ALL

pytestmark = pytest.mark.postgresql

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)


class Network(NamedTuple):
    """The URLs of two hospitals, and of the database's owner."""

    norte: str
    sur: str
    owner: str


def run(url: str, *statements: sql.Composed | str) -> None:
    libpq = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(libpq, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement)


def make_hospital(owner: str, name: str, role: str) -> str:
    """Create role and schema of a hospital, and return its URL."""
    names = {
        "role": sql.Identifier(role),
        "schema": sql.Identifier(name),
        "database": sql.Identifier(make_url(owner).database or ""),
    }
    made = (
        "CREATE ROLE {role} LOGIN CREATEDB PASSWORD 'x'",
        "CREATE SCHEMA {schema} AUTHORIZATION {role}",
        "ALTER ROLE {role} IN DATABASE {database} SET search_path = {schema}, public",
    )
    run(owner, *(sql.SQL(statement).format(**names) for statement in made))
    return make_url(owner).set(username=role, password="x").render_as_string(hide_password=False)


@pytest.fixture
def network(cluster: Cluster, blank_postgresql_url: str, new_database_name: Callable[[], str]) -> Iterator[Network]:
    # Roles belong to the cluster, and other tests run beside this one.
    roles = [f"{new_database_name()}_{name}" for name in ("norte", "sur")]
    run(blank_postgresql_url, "CREATE EXTENSION pg_trgm SCHEMA public", "REVOKE CREATE ON SCHEMA public FROM PUBLIC")
    hospitals = [
        make_hospital(blank_postgresql_url, name, role) for name, role in zip(("norte", "sur"), roles, strict=True)
    ]
    norte, sur = hospitals
    yield Network(norte, sur, owner=blank_postgresql_url)
    for role in roles:
        named = sql.Identifier(role)
        run(
            blank_postgresql_url,
            sql.SQL("DROP OWNED BY {} CASCADE").format(named),
            sql.SQL("DROP ROLE {}").format(named),
        )


@pytest.fixture
def wards(network: Network) -> Iterator[tuple[Ward, Ward]]:
    stores = []
    for url in (network.norte, network.sur):
        migrate(url)
        stores.append(SqlStore(url, ZONE))
    norte, sur = (a_ward(store) for store in stores)
    yield norte, sur
    for store in stores:
        store.close()


def test_a_hospital_cannot_read_another_s_tables(network: Network) -> None:
    migrate(network.norte)
    migrate(network.sur)
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        run(network.norte, "SELECT * FROM sur.users")


def test_the_extension_must_be_where_every_hospital_finds_it(network: Network) -> None:
    run(network.owner, "ALTER EXTENSION pg_trgm SET SCHEMA norte")
    with pytest.raises(ExtensionElsewhere, match="norte"):
        migrate(network.sur)


def test_a_key_that_one_hospital_claims_is_free_at_the_other(wards: tuple[Ward, Ward]) -> None:
    norte, sur = wards
    key = IdempotencyKey(key="k", fingerprint="x")
    assert norte.nurse.user_id == sur.nurse.user_id
    with norte.store.begin() as work:
        work.idempotency_store.recall(norte.nurse.user_id, key, dict)
        with norte.store.begin() as concurrent, pytest.raises(RequestInProgress):
            concurrent.idempotency_store.recall(norte.nurse.user_id, key, dict)
        with sur.store.begin() as elsewhere:
            assert elsewhere.idempotency_store.recall(sur.nurse.user_id, key, dict) is None


def test_writes_with_equal_keys_go_each_into_its_schema(network: Network, wards: tuple[Ward, Ward]) -> None:
    """Both hospitals have the same users, sheets and keys."""
    number_of_keys = 2_500 if WALKS_ALL else 50
    sheets = [ward.sheet()["id"] for ward in wards]
    assert sheets[0] == sheets[1]

    def record(call: tuple[int, int]) -> None:
        place, number = call
        ward, key = wards[place], IdempotencyKey(key=f"key-{number}", fingerprint="x")
        draft = ward.detail_draft(str(place + 1))
        while True:
            # The same key may be in progress in another thread.
            with suppress(RequestInProgress):
                ward.use_cases.details.add(ward.nurse, draft, sheet_id=sheets[place], idempotency_key=key)
                return

    with ThreadPoolExecutor(8) as threads:
        # Each key is used twice at each hospital.
        list(threads.map(record, [(place, number) for number in range(number_of_keys) for place in (0, 1, 0, 1)]))
    for place, url in enumerate((network.norte, network.sur)):
        quantities = [
            quantity for (quantity,) in rows(url, {"consumption_details": {"quantity"}})["consumption_details"]
        ]
        assert quantities == [Decimal(place + 1)] * number_of_keys
    owner = make_url(network.owner).set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(owner) as connection:
        ours = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
        assert connection.execute(ours).fetchone() == (0,)


def test_locks_of_one_hospital_do_not_hold_the_other(wards: tuple[Ward, Ward]) -> None:
    norte, sur = wards
    with norte.store.begin() as work:
        work.failed_attempts.lock(["user@consumo.test"])
        work.imports.acquire_lock()
        with sur.store.begin() as elsewhere:
            elsewhere.failed_attempts.lock(["user@consumo.test"])
            elsewhere.imports.acquire_lock()


def test_a_hospital_is_migrated_while_another_is(network: Network) -> None:
    """The lock of a migration is held in the schema of one hospital only."""
    with _migration_lock(_engine(network.norte), lambda _: None):
        migrate(network.sur)

    class Waited(Exception):
        pass

    def give_up(_: float) -> None:
        raise Waited

    with (
        _migration_lock(_engine(network.norte), give_up),
        pytest.raises(Waited),
        _migration_lock(_engine(network.norte), give_up),
    ):
        pass


def test_one_hospital_is_restored_while_another_records(
    network: Network, wards: tuple[Ward, Ward], tmp_path: Path
) -> None:
    norte, sur = wards
    norte.sheet()
    before, other = rows(network.norte), rows(network.sur)
    back_up(network.norte, tmp_path / "norte", NOON)
    with pytest.raises(BackupProblem, match="in use"):
        restore(network.norte, tmp_path / "norte", replace=True)
    norte.sheet()
    norte.store.close()  # type: ignore[attr-defined]
    with sur.store.read() as views:
        views.active_session("x", 1, NOON + timedelta(hours=1))
        restore(network.norte, tmp_path / "norte", replace=True)
    assert rows(network.norte) == before
    assert rows(network.sur) == other


def test_a_backup_of_another_hospital_needs_its_new_place(
    network: Network, wards: tuple[Ward, Ward], tmp_path: Path
) -> None:
    norte, sur = wards
    norte.sheet()
    before = rows(network.norte)
    back_up(network.norte, tmp_path / "norte", NOON)
    sur.store.close()  # type: ignore[attr-defined]
    with pytest.raises(BackupProblem, match=r"schema norte, .* the schema sur: give --as-schema sur"):
        restore(network.sur, tmp_path / "norte", replace=True)
    with pytest.raises(BackupProblem, match="leads to the schema sur, not to este"):
        restore(network.sur, tmp_path / "norte", replace=True, as_schema="este")
    restore(network.sur, tmp_path / "norte", replace=True, as_schema="sur")
    assert rows(network.sur) == before
    assert rows(network.norte) == before


def test_the_backup_of_a_hospital_can_be_checked(network: Network, wards: tuple[Ward, Ward], tmp_path: Path) -> None:
    wards[0].sheet()
    back_up(network.norte, tmp_path / "norte", NOON)
    with restored(network.norte, tmp_path / "norte") as (scratch, _):
        assert rows(scratch) == rows(network.norte)
