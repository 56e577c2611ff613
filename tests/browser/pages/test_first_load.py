"""Number of requests of a first load, until a field can be typed into."""

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
    r"/assets/(catalogue|offlineApi|sheets|touched|unlocking|OpenRows|\w+(Dialog|Menu|Drawer)|Toasts)-[^/]*\.(js|css)"
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


def test_the_sign_in_page_takes_eight_requests(demo_server: Server, page: Page) -> None:
    answered, asked = load(page, demo_server.address, "input[type=email]")
    assert len(answered) + 1 <= 8, answered
    assert set(asked.values()) == {1}, asked
    # How the hospital signs in, and whether its data are a demonstration.
    assert [path for path in answered if path.startswith("/api/")] == ["/api/settings"]


def test_the_record_page_takes_fifteen_requests_without_repeats(demo_server: Server, page: Page) -> None:
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
    assert len(needed) + 1 <= 15, needed
    assert set(asked.values()) == {1}, asked
    # These were requested in parallel.
    of_the_sheet = f"/api/consumption-sheets/{sheet}"
    early = ("/api/auth/profile", "/api/settings", of_the_sheet, f"{of_the_sheet}/usual-products")
    assert {*early, f"{of_the_sheet}/consumption-details"} <= set(answered)
