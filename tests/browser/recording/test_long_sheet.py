"""A sheet of a thousand lines renders only visible rows."""

import sqlite3
from contextlib import closing

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.recording.test_main_job import record
from tests.browser.screens import Caller, a_page, faults, settle, sign_in
from tests.servers import Server

pytestmark = pytest.mark.browser

LINES = 1000


@pytest.fixture
def long_sheet(demo_server: Server) -> str:
    """The URL of a sheet filled up to a thousand lines by repeating its own."""
    sheets = Caller(demo_server).sign_in("supervisor").call("GET", "consumption-sheets?limit=50")["items"]
    fullest = max(sheets, key=lambda one: sum(day["details"] for day in one["consumptions"]))
    with closing(sqlite3.connect(demo_server.database_url.removeprefix("sqlite:///"))) as database, database:
        names = [name for _, name, *_ in database.execute("PRAGMA table_info(consumption_details)") if name != "id"]
        (count,) = database.execute(
            "SELECT count(*) FROM consumption_details WHERE sheet_id = ?", (fullest["id"],)
        ).fetchone()
        columns = ", ".join(names)
        again = f"INSERT INTO consumption_details ({columns}) SELECT {columns} FROM consumption_details"  # noqa: S608
        of_sheet = " WHERE sheet_id = ? ORDER BY id LIMIT ?"
        while count < LINES:
            more = min(count, LINES - count)
            database.execute(again + of_sheet, (fullest["id"], more))
            count += more
    return f"{demo_server.address}/consumption-sheet-details/{fullest['id']}/consumption-details"


def show_all(page: Page) -> None:
    # The rows and the button are rendered together.
    page.locator("tr[id^=detail-]").first.wait_for()
    more = page.get_by_role("button", name="Mostrar")
    while more.count():
        shown = more.inner_text()
        # Pressed with the keyboard, because rows rendered meanwhile move the button.
        more.press("Enter")
        expect(page.get_by_role("button", name=shown, exact=True)).to_have_count(0)


def test_only_visible_rows_of_a_thousand_lines_are_rendered(
    browser: Browser, demo_server: Server, long_sheet: str
) -> None:
    with a_page(browser, viewport={"width": 1366, "height": 768}) as (page, complaints):
        sign_in(page, demo_server, "supervisor")
        page.goto(long_sheet)
        settle(page)
        show_all(page)
        table, rows = page.get_by_role("table"), page.locator("tr[id^=detail-]")
        expect(table).to_have_attribute("aria-rowcount", str(LINES + 1))
        page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)")
        expect(rows.last).to_have_attribute("aria-rowindex", str(LINES + 1))
        assert rows.count() < 60
        page.evaluate("window.scrollTo(0, 0)")
        expect(rows.first).to_have_attribute("aria-rowindex", "2")
        # The button that showed the rest is gone, and the record bar has its focus.
        record(page, "gasa esteril", "2")
        expect(table).to_have_attribute("aria-rowcount", str(LINES + 2))
        expect(rows.first).to_contain_text("Gasa")

        # A row that is being edited keeps its value and focus when it is scrolled out of view.
        rows.nth(5).get_by_role("button", name="Editar").click()
        page.keyboard.type("7")
        page.mouse.wheel(0, 9000)
        expect(page.locator("tr[aria-rowindex='5']")).to_have_count(0)
        editing = table.get_by_label("Cantidad")
        expect(editing).to_be_focused()
        expect(editing).to_have_value("7")
        page.keyboard.press("Escape")
        expect(page.locator("tr[id^=detail-]:focus")).to_be_in_viewport()
        assert faults(page, "a long sheet") == []
        assert complaints == []

        # All rows are rendered for printing.
        page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
        assert rows.count() == LINES
        page.evaluate("window.dispatchEvent(new Event('afterprint'))")
        expect(rows.nth(80)).to_have_count(0)
