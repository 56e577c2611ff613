"""The main job in WebKitGTK, which shares Safari's engine."""

import pytest

from tests.browser.screens import a_new_sheet
from tests.browser.test_main_job import PASSWORD
from tests.browser.test_outbox import lines_of
from tests.browser.web_driver import ENTER, Driven, find_webkit, wait_until
from tests.servers import Server

pytestmark = [pytest.mark.browser, pytest.mark.walk]

HAS_BAR = "document.activeElement.getAttribute('role') === 'combobox'"


def record(browser: Driven, search: str, quantity: str) -> None:
    browser.until(HAS_BAR)
    browser.type(search + ENTER)
    in_quantity = "document.activeElement.dataset.path === 'quantity'"
    browser.until(f"{in_quantity} || document.querySelectorAll('[role=option]').length > 1")
    if not browser.run(f"return {in_quantity}"):
        browser.type(ENTER)
    browser.until(in_quantity)
    browser.type(quantity + ENTER)


def test_lines_are_stored_and_undone_in_webkit(demo_server: Server) -> None:
    opened = find_webkit()
    if opened is None:
        pytest.skip("WebKitGTK, its WebDriver or Xvfb is missing, and the package manager has none")
    sheet, address = a_new_sheet(demo_server)
    with opened() as browser:
        browser.goto(demo_server.address)
        browser.until("document.activeElement.type === 'email'")
        browser.type("user@consumo.test")
        browser.run("document.querySelector('input[type=password]').focus()")
        browser.type(PASSWORD + ENTER)
        browser.until("document.querySelector('nav')")
        # The page of the list goes away, and so does the sheet's page at the reload.
        browser.goto(address)
        record(browser, "gasa esteril", "2")
        wait_until(lambda: len(lines_of(demo_server, sheet)) == 1, browser.text)
        browser.goto(address)
        record(browser, "gasa esteril", "3")
        wait_until(lambda: [line["quantity"] for line in lines_of(demo_server, sheet)] == [2, 3], browser.text)
        browser.until("document.querySelectorAll('tr[id^=detail-]').length === 2")
        browser.until(HAS_BAR)
        browser.press_control("z")
        wait_until(lambda: [line["quantity"] for line in lines_of(demo_server, sheet)] == [2], browser.text)
