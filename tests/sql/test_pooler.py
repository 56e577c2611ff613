"""Connections through PgBouncer."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing

import psycopg
import pytest
from psycopg import sql
from sqlalchemy import create_engine, text

from adapters.cli.common import must_be_current
from adapters.setting_values.invalid_setting import InvalidSetting
from adapters.settings.read_settings import Settings, read_settings
from adapters.sql.engine.connections import (
    Limits,
    PoolerProblem,
    connect_for_reading,
    connect_for_writing,
    pooler_problem,
    shares_connections,
    to_url,
)
from adapters.sql.reports.consistency import inconsistencies
from adapters.sql.store import SqlStore
from tests.builders import ZONE, a_ward
from tests.imports.importing import bring_in_a_product
from tests.poolers import POOLER, Pooler, pooling
from tests.servers import admin_of
from tests.sql.corrections import make_corrections

pytestmark = pytest.mark.postgresql
needs_pooler = pytest.mark.skipif(POOLER is None, reason="pgbouncer, of the package of that name, is not installed")


@pytest.fixture
def transactions(postgresql_url: str) -> Iterator[Pooler]:
    """Yield a pooler that gives each transaction another connection."""
    with pooling(postgresql_url, "transaction") as pooler:
        yield pooler


def test_connections_of_the_server_itself_are_not_shared(postgresql_url: str, sqlite_url: str) -> None:
    assert not shares_connections(postgresql_url)
    assert not shares_connections(sqlite_url)


@needs_pooler
def test_a_pooler_needs_no_startup_parameter_ignored(postgresql_url: str) -> None:
    with pooling(postgresql_url, "session", documented=False) as pooler:
        assert not shares_connections(pooler.url)
        engine = connect_for_writing(to_url(pooler.url), Limits(statement_timeout=7))
        with engine.connect() as connection:
            assert connection.execute(text("SHOW statement_timeout")).scalar_one() == "7s"
        engine.dispose()


@needs_pooler
def test_a_pooler_of_transactions_is_noticed(transactions: Pooler) -> None:
    assert shares_connections(transactions.url)
    with pytest.raises(InvalidSetting, match="CONSUMO_POOLER_URL"):
        must_be_current(settings(transactions.url))


@needs_pooler
def test_a_pooler_of_transactions_has_a_setting(postgresql_url: str, transactions: Pooler) -> None:
    must_be_current(settings(postgresql_url, transactions.url))


@needs_pooler
def test_a_pooler_without_timeouts_is_refused(postgresql_url: str) -> None:
    with pooling(postgresql_url, "transaction", documented=False) as pooler:
        assert pooler_problem(postgresql_url, pooler.url) is PoolerProblem.NO_LIMITS
        with pytest.raises(InvalidSetting, match="connect_query"):
            must_be_current(settings(postgresql_url, pooler.url))


@needs_pooler
def test_a_pooler_before_another_database_is_refused(postgresql_url: str) -> None:
    with pooling(admin_of(postgresql_url), "transaction") as pooler:
        assert pooler_problem(postgresql_url, pooler.url) is PoolerProblem.OTHER_DATABASE


@needs_pooler
def test_work_goes_through_a_pooler_of_transactions(postgresql_url: str, transactions: Pooler) -> None:
    with closing(SqlStore(postgresql_url, ZONE, pooler_url=transactions.url)) as store:
        ward = a_ward(store)
        sheets = [ward.sheet(patient_id=ward.patient("Ana", f"Gil {number}").id)["id"] for number in range(8)]
        # More than the pooler has connections, and more often than the driver prepares a statement.
        with ThreadPoolExecutor(len(sheets) + 1) as users:
            lines = users.map(lambda sheet: [ward.detail(sheet)["id"] for _ in range(12)], sheets)
            users.submit(bring_in_a_product, ward).result()
        ward.use_cases.sheets.close(ward.supervisor, sheets[0])
        make_corrections(ward, sheets[0])
        assert [len(set(each)) for each in lines] == [12] * len(sheets)
    with closing(create_engine(to_url(postgresql_url)).connect()) as connection:
        assert [*inconsistencies(connection)] == []


@needs_pooler
def test_moments_through_a_pooler_are_in_utc(blank_postgresql_url: str) -> None:
    url = to_url(blank_postgresql_url)
    with psycopg.connect(admin_of(blank_postgresql_url), autocommit=True) as admin:
        admin.execute(
            sql.SQL("ALTER DATABASE {} SET TimeZone = 'America/Guayaquil'").format(sql.Identifier(url.database or ""))
        )
    with pooling(blank_postgresql_url, "transaction") as pooler:
        engine = connect_for_reading(to_url(pooler.url), Limits(shared=True, pool_size=8))
        with ExitStack() as stack:
            opened = [stack.enter_context(engine.connect()) for _ in range(8)]
            found = {one.execute(text("SHOW TimeZone")).scalar() for _ in range(3) for one in opened}
        engine.dispose()
    assert found == {"UTC"}


def settings(database_url: str, pooler_url: str = "") -> Settings:
    given = {"CONSUMO_DATABASE_URL": database_url, "CONSUMO_SECRET_KEY": "x" * 40}
    return read_settings(given | ({"CONSUMO_POOLER_URL": pooler_url} if pooler_url else {}))
