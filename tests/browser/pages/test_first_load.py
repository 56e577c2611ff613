"""Requests and bytes of a first load, until a field can be typed into, and in all."""

import re
from collections import Counter
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Request, expect

from tests.browser.screens import Caller, sign_in
from tests.servers import Server

pytestmark = pytest.mark.browser

# What the recording page loads once its field is there. On a busy machine, it may arrive before the field is observed.
AFTER_THE_FIELD = re.compile(
    r"/assets/(later|touched)-[^/]*\.(js|css)"
    r"|/api/areas|/api/consumption-sheets"
)

# Stores which resources were loaded when the field appeared; the page itself is one more.
ANSWERED = """field => new MutationObserver(() => {
  if (!window.answered && document.querySelector(field))
    window.answered = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname);
}).observe(document, { subtree: true, childList: true })"""


def load(page: Page, address: str, field: str) -> tuple[list[str], Counter[str]]:
    """The resources loaded when the field appeared; and all requests, counted."""
    asked: Counter[str] = Counter()

    def note(request: Request) -> None:
        asked.update([request.method + " " + urlsplit(request.url)._replace(scheme="", netloc="").geturl()])

    page.on("request", note)
    page.add_init_script(f"({ANSWERED})({field!r})")
    page.goto(address)
    expect(page.locator(field)).to_be_focused()
    page.wait_for_load_state("networkidle")
    return page.evaluate("window.answered"), asked


def test_the_sign_in_page_takes_seven_requests(demo_server: Server, page: Page) -> None:
    answered, asked = load(page, demo_server.address, "input[type=email]")
    assert len(answered) + 1 <= 7, answered
    assert set(asked.values()) == {1}, asked
    # How the hospital signs in, and whether its data are a demonstration.
    assert [path for path in answered if path.startswith("/api/")] == ["/api/settings"]


def test_the_record_page_takes_fourteen_requests_without_repeats(demo_server: Server, page: Page) -> None:
    sign_in(page, demo_server, "user")
    state = page.context.storage_state()
    sheet = Caller(demo_server).sign_in("user").call("GET", "consumption-sheets")["items"][0]["id"]
    browser = page.context.browser
    assert browser is not None
    with browser.new_context(storage_state=state) as stranger_to_cache:
        answered, asked = load(
            stranger_to_cache.new_page(),
            f"{demo_server.address}/consumption-sheet-details/{sheet}/consumption-details",
            "[role=combobox]",
        )
    needed = [path for path in answered if not AFTER_THE_FIELD.fullmatch(path)]
    assert len(needed) + 1 <= 14, needed
    assert set(asked.values()) == {1}, asked
    # These were requested in parallel.
    of_the_sheet = f"/api/consumption-sheets/{sheet}"
    early = ("/api/auth/profile", "/api/settings", of_the_sheet, f"{of_the_sheet}/usual-products")
    assert {*early, f"{of_the_sheet}/consumption-details"} <= set(answered)


# What a page may load until it is at rest, after the first key: paths, and bytes with their headers.
AT_REST = {"login": (12, 316_000), "recording": (30, 376_000)}


@pytest.mark.parametrize("screen", AT_REST)
def test_a_first_load_in_all_stays_within_its_budget(demo_server: Server, page: Page, screen: str) -> None:
    path, field = "/", "input[type=email]"
    if screen == "recording":
        sign_in(page, demo_server, "user")
        sheet = Caller(demo_server).sign_in("user").call("GET", "consumption-sheets")["items"][0]["id"]
        path, field = f"/consumption-sheet-details/{sheet}/consumption-details", "[role=combobox]"
    browser = page.context.browser
    assert browser is not None
    with browser.new_context(storage_state=page.context.storage_state(), locale="es-MX") as stranger_to_cache:
        fresh = stranger_to_cache.new_page()
        sizes: dict[str, int] = {}

        def note(request: Request) -> None:
            size = request.sizes()
            sizes[urlsplit(request.url).path] = size["responseBodySize"] + size["responseHeadersSize"]

        fresh.on("requestfinished", note)
        fresh.goto(demo_server.address + path)
        expect(fresh.locator(field)).to_be_focused()
        fresh.keyboard.press("a")
        fresh.wait_for_load_state("networkidle")
        # The last of the files that are loaded in the background.
        fresh.wait_for_function(
            "() => performance.getEntriesByType('resource').some(one => /\\/later-/.test(one.name))"
        )
        fresh.wait_for_load_state("networkidle")
    max_requests, max_bytes = AT_REST[screen]
    assert len(sizes) <= max_requests, sizes
    assert sum(sizes.values()) <= max_bytes, sizes
    if screen == "login":  # its files of the application are loaded while the user types
        assert not [one for one in sizes if "/touched-" in one]
