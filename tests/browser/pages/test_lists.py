"""The lists: how many rows a screen shows, equal names, and the way to the rows without a mouse."""

import pytest
from playwright.sync_api import Browser

from tests.browser.recording.test_rows_in_view import IN_VIEW
from tests.browser.screens import Caller, a_page, settle, sign_in
from tests.servers import Server

pytestmark = pytest.mark.browser

LONG = "Guante de nitrilo sin polvo ambidiestro texturizado en las puntas de los dedos caja con cien piezas talla"

# The end of each name is within its row.
WHOLE = """links => links.every(link => {
    const text = document.createTreeWalker(link, NodeFilter.SHOW_TEXT).nextNode();
    const range = document.createRange();
    range.setStart(text, text.length - 2);
    range.setEnd(text, text.length);
    const { x, y, width, height } = range.getBoundingClientRect();
    return link.closest("tr").contains(document.elementFromPoint(x + width / 2, y + height / 2));
})"""
STOPS = """main => [...main.querySelectorAll("a[href], button, input, select, tbody")]
    .filter(one => one.matches("tbody") || (one.tabIndex >= 0 && !one.disabled && one.offsetParent))
    .findIndex(one => one.matches("tbody"))"""


def test_fourteen_rows_are_in_view_behind_twelve_stops(browser: Browser, demo_server: Server) -> None:
    with a_page(browser) as (page, complaints):
        sign_in(page, demo_server, "supervisor")
        page.set_viewport_size({"width": 1366, "height": 768})
        for path in ("products", "patients"):
            page.goto(f"{demo_server.address}/{path}")
            settle(page)
            rows = page.locator("main tbody tr")
            rows.first.wait_for()
            assert rows.evaluate_all(IN_VIEW) >= 14, path
            assert page.locator("main").evaluate(STOPS) <= 12, path
        assert complaints == []


def test_equal_names_are_not_cut_where_they_differ(browser: Browser, demo_server: Server) -> None:
    supervisor = Caller(demo_server).sign_in("supervisor")
    category = supervisor.call("GET", "categories?limit=1")["items"][0]["id"]
    for size in ("mediana", "grande"):
        supervisor.post("products", name=f"{LONG} {size}", price=1, category_id=category)
    with a_page(browser, viewport={"width": 360, "height": 740}) as (page, complaints):
        sign_in(page, demo_server, "supervisor")
        for width in (360, 768, 1366):
            page.set_viewport_size({"width": width, "height": 740})
            page.goto(f"{demo_server.address}/products?q=guante+de+nitrilo+ambidiestro")
            settle(page)
            names = page.get_by_role("link", name=LONG)
            names.nth(1).wait_for()
            assert names.evaluate_all(WHOLE), width
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert complaints == []
