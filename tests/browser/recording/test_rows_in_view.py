"""Number of visible lines while recording, to help avoid duplicates."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.recording.test_main_job import record
from tests.browser.screens import Caller, a_page, keep_toasts, settle, sign_in
from tests.servers import Server
from tests.walk import WALKS_ALL

pytestmark = pytest.mark.browser

# Counts rows that are neither cut off nor covered, by testing their four corners.
IN_VIEW = """rows => rows.filter(row => {
    const { left, right, top, bottom } = row.getBoundingClientRect();
    return [[left + 8, top + 2], [right - 8, top + 2], [left + 8, bottom - 2], [right - 8, bottom - 2]].every(
        ([x, y]) => row.contains(document.elementFromPoint(x, y)));
}).length"""


@pytest.fixture
def sheet(demo_server: Server) -> str:
    """The URL of the sheet with the most lines, the latest ones of today."""
    supervisor = Caller(demo_server).sign_in("supervisor")
    sheets = supervisor.call("GET", "consumption-sheets?limit=50")["items"]
    fullest = max(sheets, key=lambda one: sum(day["details"] for day in one["consumptions"]))
    assert sum(day["details"] for day in fullest["consumptions"]) >= 25
    # Shortly after midnight there are few of them yet, and headings of two days take the place of lines.
    products = supervisor.call("GET", "products?limit=10")["items"]
    for product in products:
        body = {"product_id": product["id"], "quantity": 1}
        supervisor.post(f"consumption-sheets/{fullest['id']}/consumption-details", **body)
    return f"{demo_server.address}/consumption-sheet-details/{fullest['id']}/consumption-details"


def in_view(page: Page) -> int:
    page.locator("tr[id^=detail-]").first.wait_for()
    return int(page.locator("tr[id^=detail-]").evaluate_all(IN_VIEW))


def test_lines_are_in_view_while_recording(browser: Browser, demo_server: Server, sheet: str) -> None:
    with a_page(browser) as (page, complaints):
        keep_toasts(page)
        sign_in(page, demo_server, "supervisor")
        windows = ((1366, 768, 10), (1280, 800, 11), (1920, 1080, 16))
        for width, height, least in windows if WALKS_ALL else windows[:1]:
            page.set_viewport_size({"width": width, "height": height})
            page.goto(sheet)
            settle(page)
            assert in_view(page) >= least, (width, height)
            # The new line and its toast cover neither one another, nor the patient, nor the record bar.
            record(page, "gasa esteril", "2")
            expect(page.get_by_text("Detalle de la hoja de consumo creado")).to_be_visible()
            expect(page.get_by_role("button", name=re.compile("^Deshacer ."))).to_be_visible()
            assert in_view(page) >= least, (width, height)
            for kept in (page.get_by_role("heading", level=2), page.get_by_role("combobox", name="Producto")):
                expect(kept).to_be_in_viewport(ratio=1)
            page.mouse.wheel(0, 1000)
            expect(page.get_by_role("combobox", name="Producto")).to_be_in_viewport(ratio=1)
        assert complaints == []


def test_a_phone_shows_the_latest_lines_above_its_keyboard(browser: Browser, demo_server: Server, sheet: str) -> None:
    how = {"viewport": {"width": 360, "height": 780}, "has_touch": True, "is_mobile": True}
    with a_page(browser, **how) as (page, complaints):
        sign_in(page, demo_server, "user")
        page.goto(sheet)
        settle(page)
        # Names take two lines, with the code under them.
        assert in_view(page) >= 9
        # The on-screen keyboard is open.
        page.set_viewport_size({"width": 360, "height": 450})
        page.get_by_role("combobox", name="Producto").tap()
        page.get_by_role("option").first.tap()
        expect(page.locator("input[data-path=quantity]")).to_be_focused()
        page.keyboard.type("2")
        page.get_by_role("button", name="Registrar").tap()
        expect(page.get_by_text("Detalle de la hoja de consumo creado")).to_be_visible()
        latest = page.get_by_role("table").get_by_role("row").nth(1)
        undo = latest.get_by_role("button", name=re.compile("^Deshacer"))
        expect(undo).to_be_in_viewport(ratio=1)
        assert in_view(page) >= 3
        for kept in (
            page.get_by_role("heading", level=2),
            page.get_by_role("combobox", name="Producto"),
            page.locator("input[data-path=quantity]"),
        ):
            expect(kept).to_be_in_viewport(ratio=1)
        undo.tap()
        expect(page.get_by_text(re.compile("^Deshecho: ")).first).to_be_visible()
        assert complaints == []
