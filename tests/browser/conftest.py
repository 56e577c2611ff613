"""Fixtures for browser tests: one Chromium and one server for all.

Each test gets its own data and windows.
"""

import re
import shutil
import sqlite3
from collections.abc import Generator, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.pace import PATIENCE_ON_SCREEN
from tests.servers import Server, serving

ARTIFACTS = Path(__file__).parents[1] / ".artifacts"
FAILED = pytest.StashKey[bool]()
# Playwright's default of five seconds is too short on a slow machine.
expect.set_options(timeout=PATIENCE_ON_SCREEN)


# --- the server ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="package")
def server_of_all(demo_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on a copy of the demonstration data."""
    folder = tmp_path_factory.mktemp("demo")
    file = folder / "demo.db"
    shutil.copy(demo_file, file)
    # Nothing listens on port 9, so messages to billing wait.
    settings_of_server = {"CONSUMO_DFT_DESTINATION": "mllp://127.0.0.1:9"}
    with serving(f"sqlite:///{file}", folder, settings=settings_of_server) as running:
        yield running


def begin_anew(server: Server, demo_file: Path) -> Server:
    """Restore the demonstration data; all state is in the database."""
    file = server.database_url.removeprefix("sqlite:///")
    with closing(sqlite3.connect(demo_file)) as template, closing(sqlite3.connect(file)) as database:
        template.backup(database)
    return server


@pytest.fixture
def demo_server(server_of_all: Server, demo_file: Path) -> Server:
    """A server with fresh demonstration data, which the test may change."""
    return begin_anew(server_of_all, demo_file)


# --- the browser -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def chromium() -> str:
    """An installed Chromium; the headless shell takes a third less time."""
    for name in ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    raise RuntimeError("no Chromium on this machine: `make test` installs it")


# Not session-scoped: while it lives, an event loop is running in this thread, and tests elsewhere could not start
# theirs.
@pytest.fixture(scope="package")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(
            executable_path=chromium,
            args=[
                "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
                "--disable-component-update", "--disable-sync",
                # Pages live for seconds: optimizing their code takes longer than running it unoptimized.
                "--js-flags=--no-opt --no-maglev",
                # Text is drawn alike on every machine, for the pictures of the manual.
                "--font-render-hinting=none",
            ],
        )  # fmt: skip
        new_context = running.new_context

        def new_patient_context(**how: Any) -> BrowserContext:
            context = new_context(**how)
            context.set_default_timeout(PATIENCE_ON_SCREEN)
            return context

        # Playwright's default of 30 seconds for a click or a page is too short on a slow machine.
        setattr(running, "new_context", new_patient_context)  # noqa: B010 - type checkers refuse an assignment
        yield running
        running.close()


@pytest.fixture
def context(browser: Browser, request: pytest.FixtureRequest) -> Iterator[BrowserContext]:
    """A browser context; failures save screenshots in tests/.artifacts."""
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
