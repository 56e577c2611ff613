"""The main job in WebKitGTK, which shares Safari's engine, and in Firefox."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.recording.test_main_job import PASSWORD
from tests.browser.recording.test_outbox import lines_of
from tests.browser.screens import Caller, a_new_sheet
from tests.browser.web_driver import ENTER, Driven, find_firefox, find_webkit, wait_until
from tests.servers import Server

pytestmark = [pytest.mark.browser, pytest.mark.walk]

HAS_BAR = "document.activeElement.getAttribute('role') === 'combobox'"
SHOWN = "[...document.querySelectorAll('tr[id^=detail-]')].map(row => row.innerText)"
# A transaction that never ends, as after a page that WebKit left in the middle of storing.
HANG_STORE = """
    indexedDB.open('consumo').onsuccess = ({ target }) => {
        const store = target.result.transaction('outbox', 'readwrite').objectStore('outbox');
        const ask = () => { window.hangs = true; store.count().onsuccess = ask; };
        ask();
    };
"""


class Nurse:
    """A person who records in one browser, with what the server then has."""

    def __init__(self, browser: Driven, server: Server) -> None:
        self.browser, self.server = browser, server
        self.sheet, self.address = a_new_sheet(server)

    def sign_in(self) -> None:
        self.browser.goto(self.server.address)
        self.browser.until("document.activeElement.type === 'email'")
        self.browser.type("user@consumo.test")
        self.browser.run("document.querySelector('input[type=password]').focus()")
        self.browser.type(PASSWORD + ENTER)
        self.browser.until("document.querySelector('nav')")

    def open_sheet(self) -> None:
        # The page before it goes away, as at a reload.
        self.browser.goto(self.address)
        self.browser.until(HAS_BAR)

    def record(self, search: str, quantity: str) -> None:
        self.browser.type(search + ENTER)
        in_quantity = "document.activeElement.dataset.path === 'quantity'"
        self.browser.until(f"{in_quantity} || document.querySelectorAll('[role=option]').length > 1")
        if not self.browser.run(f"return {in_quantity}"):
            self.browser.type(ENTER)
        self.browser.until(in_quantity)
        self.browser.type(quantity + ENTER)
        self.browser.until(HAS_BAR)

    def scan(self, code: str) -> None:
        self.browser.type(code + ENTER, every=10)

    def expect_lines(self, *expected: tuple[int, int]) -> None:
        """Wait until server and page have these products and quantities."""

        def is_so() -> bool:
            lines = lines_of(self.server, self.sheet)
            shown = self.browser.run(f"return {SHOWN}")
            names = [line["product"]["name"] for line in lines[::-1]]
            return (
                [(line["product_id"], line["quantity"]) for line in lines] == list(expected)
                and len(shown) == len(names)
                and all(name in row for name, row in zip(names, shown, strict=True))
            )

        wait_until(is_so, lambda: f"{expected}: {self.browser.text()}")


@pytest.mark.parametrize("find", [find_webkit, find_firefox])
def test_the_main_job_is_done_in(find: Callable[[], Any], demo_server: Server) -> None:
    opened = find()
    if opened is None:
        pytest.skip("it or its driver is missing, and the package manager has none")
    admin = Caller(demo_server).sign_in("admin")
    found = admin.call("GET", "products?limit=100&active=true")["items"]
    pack = next(product for product in found if product["gtin"] and product["code"] != "MC-0001")
    gauze = admin.call("GET", "products?q=gasa esteril&active=true")["items"][0]["id"]
    with opened() as browser:
        nurse = Nurse(browser, demo_server)
        nurse.sign_in()
        nurse.open_sheet()
        nurse.record("gasa esteril", "2")
        nurse.scan(pack["gtin"])
        nurse.expect_lines((gauze, 2), (pack["id"], 1))
        nurse.open_sheet()
        nurse.expect_lines((gauze, 2), (pack["id"], 1))
        nurse.record("gasa esteril", "3")
        nurse.expect_lines((gauze, 2), (pack["id"], 1), (gauze, 3))
        browser.press_control("z")
        nurse.expect_lines((gauze, 2), (pack["id"], 1))
        browser.run(HANG_STORE)
        browser.until("window.hangs")
        nurse.record("gasa esteril", "4")
        nurse.expect_lines((gauze, 2), (pack["id"], 1), (gauze, 4))
        nurse.open_sheet()
        nurse.expect_lines((gauze, 2), (pack["id"], 1), (gauze, 4))
