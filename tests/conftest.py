"""What tests ask for by name: databases, the real server, a browser."""

import re
import secrets
import shutil
import sqlite3
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, closing, suppress
from itertools import count
from pathlib import Path

import psycopg
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.servers import Cluster, Server, consumo, postgresql, serving

ARTIFACTS = Path(__file__).parent / ".artifacts"
FAILED = pytest.StashKey[bool]()


# --- databases -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    with postgresql() as running:
        yield running


@pytest.fixture(scope="session")
def new_database_name() -> Callable[[], str]:
    """Names that no other run uses, for a server that several share."""
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
    """An empty PostgreSQL database."""
    name = new_database_name()
    yield cluster.create(name)
    cluster.drop(name)


@pytest.fixture
def postgresql_url(cluster: Cluster, migrated_template: str, new_database_name: Callable[[], str]) -> Iterator[str]:
    """A migrated PostgreSQL database without data."""
    name = new_database_name()
    yield cluster.create(name, migrated_template)
    cluster.drop(name)


@pytest.fixture(scope="session")
def emptied_databases(cluster: Cluster) -> Iterator[list[tuple[str, str]]]:
    """The names and shapes of migrated databases that no test works with now."""
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
    """A migrated PostgreSQL database without data, which another test may have worked with before: quicker to have,
    and as good for whatever does not ask how large its files are. Who alters its tables leaves it to nobody.
    """
    if emptied_databases:
        name, shape = emptied_databases.pop()
    else:
        name = new_database_name()
        cluster.create(name, migrated_template)
        shape = cluster.shape(name)
    yield cluster.url(name)
    with suppress(psycopg.OperationalError):
        if cluster.shape(name) == shape:
            cluster.empty(name)
            emptied_databases.append((name, shape))
            return
    cluster.drop(name)


@pytest.fixture
def blank_sqlite_url(tmp_path: Path) -> str:
    """An SQLite database that does not exist yet."""
    return f"sqlite:///{tmp_path / 'blank.db'}"


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from adapters.sql.migrate import migrate

    file = tmp_path_factory.mktemp("sqlite") / "template.db"
    migrate(f"sqlite:///{file}")
    return file


@pytest.fixture
def sqlite_url(migrated_file: Path, tmp_path: Path) -> str:
    """A migrated SQLite database without data."""
    file = tmp_path / "consumo.db"
    with closing(sqlite3.connect(migrated_file)) as template, closing(sqlite3.connect(file)) as copy:
        template.backup(copy)
    return f"sqlite:///{file}"


# --- the real server -------------------------------------------------------------------------------------------------


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Starts `consumo serve` on a database, with settings; stopped when the test ends."""
    with ExitStack() as running:
        yield lambda database_url, **settings: running.enter_context(serving(database_url, tmp_path, settings))


@pytest.fixture(scope="session")
def demo_file(migrated_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with the demonstration data, made once; copy it, do not open it."""
    file = tmp_path_factory.mktemp("demo") / "demo.db"
    shutil.copy(migrated_file, file)
    consumo("demo", database_url=f"sqlite:///{file}")
    return file


@pytest.fixture
def demo_server(demo_file: Path, tmp_path: Path, serve: Callable[..., Server]) -> Server:
    """A server with the demonstration data, which the test may change as it likes."""
    file = tmp_path / "demo.db"
    with closing(sqlite3.connect(demo_file)) as template, closing(sqlite3.connect(file)) as copy:
        template.backup(copy)
    return serve(f"sqlite:///{file}")


# --- the browser -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of the machine's own Chromium."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    raise RuntimeError("no Chromium on this machine: `make test` installs it")


# Not for the whole session: while it lives, an event loop counts as running in this thread, and other tests
# could not start theirs.
@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(
            executable_path=chromium,
            args=[
                "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
                "--disable-component-update", "--disable-sync",
            ],
        )  # fmt: skip
        yield running
        running.close()


@pytest.fixture
def context(browser: Browser, request: pytest.FixtureRequest) -> Iterator[BrowserContext]:
    """A browser window of one test; a failure leaves pictures of its pages in tests/.artifacts."""
    window = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en-US", timezone_id="UTC")
    yield window
    if request.node.stash.get(FAILED, False):
        name = re.sub(r"[^\w-]+", "-", request.node.nodeid.removeprefix("tests/"))
        for number, page in enumerate(window.pages):
            page.screenshot(path=ARTIFACTS / f"{name}-{number}.png", full_page=True)
    window.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed:
        item.stash[FAILED] = True
    return report
