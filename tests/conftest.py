"""Shared fixtures: databases and the real server."""

import fcntl
import gc
import os
import secrets
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from itertools import chain, count, islice
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import psycopg
import pytest
from httpx._config import DEFAULT_TIMEOUT_CONFIG

from tests.pace import PATIENCE
from tests.servers import Cluster, Server, consumo, postgresql, reserved_port, serving
from tests.walk import WALKS_ALL

if TYPE_CHECKING:
    from tests.builders import Ward


# Modules and items stay: garbage is not looked for among them until all are there.
gc.disable()

# Reproducible examples without a deadline, for busy machines; `make walk` tries random ones.
hypothesis.settings.register_profile(
    "consumo",
    deadline=None,
    derandomize=not WALKS_ALL,
    database=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("consumo")

# httpx gives up after five seconds, which is too short on a slow machine.
for _kind in ("connect", "read", "write", "pool"):
    setattr(DEFAULT_TIMEOUT_CONFIG, _kind, PATIENCE)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect tests marked ``walk`` unless WALK=all, and order the rest."""
    if left := [item for item in items if not WALKS_ALL and item.get_closest_marker("walk")]:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if not item.get_closest_marker("walk")]
    in_browser = [item for item in items if item.get_closest_marker("browser")]
    others = [item for item in items if not item.get_closest_marker("browser")]
    # pytest-xdist gives each worker a contiguous share, and idle workers take over tests of others. Half of the shares
    # begin with browser tests, which mostly wait, so that the processor is busy meanwhile. The last share begins with
    # tests that start servers, which are slow, so that they don't delay the end.
    rest = iter(sorted(others, key=lambda item: "serve" not in getattr(item, "fixturenames", ())))
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    beginning = -(-workers // 2)
    row = -(-len(items) // workers)
    rows: list[list[pytest.Item]] = []
    for number in reversed(range(workers)):
        share = in_browser[len(in_browser) * number // beginning : len(in_browser) * (number + 1) // beginning]
        rows.append([*share, *islice(rest, max(0, row - len(share)))])
    items[:] = chain.from_iterable(reversed(rows))


# --- databases -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    with postgresql() as running:
        yield running


@pytest.fixture(scope="session")
def new_database_name() -> Callable[[], str]:
    """Unique names, for a server that several test runs share."""
    run, numbers = secrets.token_hex(4), count()
    return lambda: f"consumo_test_{run}_{next(numbers)}"


@pytest.fixture(scope="session")
def migrated_template(cluster: Cluster, new_database_name: Callable[[], str]) -> Iterator[str]:
    from adapters.sql.migrate import migrate

    name = new_database_name()
    migrate(cluster.create(name))
    yield name
    cluster.drop(name)


@pytest.fixture
def blank_postgresql_url(cluster: Cluster, new_database_name: Callable[[], str]) -> Iterator[str]:
    name = new_database_name()
    yield cluster.create(name)
    cluster.drop(name)


@pytest.fixture
def postgresql_url(cluster: Cluster, migrated_template: str, new_database_name: Callable[[], str]) -> Iterator[str]:
    """A migrated, empty PostgreSQL database."""
    name = new_database_name()
    yield cluster.create(name, migrated_template)
    cluster.drop(name)


@pytest.fixture(scope="session")
def emptied_databases(cluster: Cluster) -> Iterator[list[tuple[str, str]]]:
    """Names and shapes of emptied databases that can be reused."""
    databases: list[tuple[str, str]] = []
    yield databases
    for name, _ in databases:
        cluster.drop(name)


@pytest.fixture
def emptied_postgresql_url(
    cluster: Cluster,
    migrated_template: str,
    emptied_databases: list[tuple[str, str]],
    new_database_name: Callable[[], str],
) -> Iterator[str]:
    """A migrated, empty PostgreSQL database, possibly reused.

    That is faster, and fine for tests that don't depend on file sizes. A database whose tables were altered is dropped.
    """
    if emptied_databases:
        name, shape = emptied_databases.pop()
    else:
        name = new_database_name()
        cluster.create(name, migrated_template)
        shape = cluster.shape(name)
    yield cluster.url(name)
    with suppress(psycopg.OperationalError):
        if cluster.empty(name, shape):
            emptied_databases.append((name, shape))
            return
    cluster.drop(name)


@pytest.fixture
def blank_sqlite_url(tmp_path: Path) -> str:
    """URL of an SQLite database that does not exist yet."""
    return f"sqlite:///{tmp_path / 'blank.db'}"


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from tests import stores

    file = tmp_path_factory.mktemp("sqlite") / "template.db"
    file.write_bytes(stores.migrated_file())
    return file


@pytest.fixture
def sqlite_url(migrated_file: Path, tmp_path: Path) -> str:
    """A migrated, empty SQLite database."""
    file = tmp_path / "consumo.db"
    with closing(sqlite3.connect(migrated_file)) as template, closing(sqlite3.connect(file)) as copy:
        template.backup(copy)
    return f"sqlite:///{file}"


@pytest.fixture
def ward(sqlite_url: str) -> "Iterator[Ward]":
    """A ward on SQLite; folders that test other stores override this."""
    from adapters.sql.store import SqlStore
    from tests.builders import ZONE, a_ward

    store = SqlStore(sqlite_url, ZONE)
    yield a_ward(store)
    store.close()


# --- the real server -------------------------------------------------------------------------------------------------


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Start `consumo serve` on a database with settings, until the test ends."""
    with ExitStack() as running:
        yield lambda database_url, **settings: running.enter_context(serving(database_url, tmp_path, settings))


@pytest.fixture
def port() -> Iterator[int]:
    """A free port for servers that the test starts."""
    with reserved_port() as port:
        yield port


@pytest.fixture(scope="session")
def demo_file(migrated_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with demonstration data, shared by all workers.

    Copy it, don't open it.
    """
    of_all_workers = tmp_path_factory.getbasetemp().parent if "PYTEST_XDIST_WORKER" in os.environ else None
    folder = of_all_workers or tmp_path_factory.mktemp("demo")
    file = folder / "demo.db"
    with (folder / "demo.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not file.exists():
            made = folder / "demo-in-the-making.db"
            shutil.copy(migrated_file, made)
            consumo("demo", database_url=f"sqlite:///{made}")
            made.rename(file)
    return file


def pytest_collection_finish() -> None:
    """Exclude imported modules from garbage collection, to save 10 % of time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)
    gc.enable()
