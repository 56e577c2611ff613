"""A scanner at the bar, as it types: in Chromium, on a real server. What symbols hold is read there."""

import re
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, Page, expect

from tests.browser.screens import Caller, a_page, settle, sign_in
from tests.servers import Server

pytestmark = pytest.mark.browser
# What the page does with what was scanned is tried without a browser, in scanning.test.tsx.
WALK = partial(pytest.param, marks=pytest.mark.walk)

GS = "\x1d"
# Each key comes through a debugger, and a busy machine may take half a second for one: what waits for whether another
# one follows waits until all have come.
HOLD = """() => {
    const [start, clear, held] = [setTimeout, clearTimeout, new Map()];
    window.held = false;
    window.setTimeout = (call, wait, ...given) => {
        const timer = start(() => wait >= 300 && window.held ? held.set(timer, call) : call(...given), wait);
        return timer;
    };
    window.clearTimeout = timer => { held.delete(timer); clear(timer); };
    window.release = () => {
        window.held = false;
        for (const [timer, call] of held) { held.delete(timer); call(); }
    };
}"""
LATER = datetime.now(UTC).date() + timedelta(days=400)


class Scanner:
    """Keys so many milliseconds apart by their own time stamps, however busy the machine is."""

    def __init__(self, page: Page, *, every: float, suffix: str = "Enter", separator: str = "ctrl") -> None:
        self.page, self.every, self.suffix, self.separator = page, every, suffix, separator
        self.session: CDPSession = page.context.new_cdp_session(page)
        page.evaluate(f"() => {{ if (!window.release) ({HOLD})() }}")

    def scan(self, text: str) -> None:
        begin = "window.held = true; (performance.timeOrigin + performance.now()) / 1000"
        self.at = float(self.page.evaluate(begin))
        for character in text:
            if character != GS:
                self._press(key=character, text=character)
            elif self.separator == "ctrl":
                self._press(key="]", code="BracketRight", modifiers=2)
            elif self.separator == "alt":
                for digit in "029":
                    self._press(key=digit, code=f"Numpad{digit}", modifiers=1)
            elif self.separator != "none":
                for one in self.separator:
                    self._press(key=one, text=one)
        if self.suffix:
            self._press(key=self.suffix, code=self.suffix, text="\r" if self.suffix == "Enter" else "")
        self.page.evaluate("window.release()")
        # What comes next comes later, by the page's own clock as well.
        self.page.wait_for_function("at => performance.timeOrigin + performance.now() > at", arg=self.at * 1000 + 120)

    def _press(self, *, key: str, text: str = "", code: str = "", modifiers: int = 0) -> None:
        self.at += self.every / 1000
        virtual = {"Enter": 13, "Tab": 9}.get(key, 0)
        told: dict[str, Any] = {"key": key, "code": code, "modifiers": modifiers, "windowsVirtualKeyCode": virtual}
        down = told | {"type": "keyDown" if text else "rawKeyDown", "timestamp": self.at}
        self.session.send("Input.dispatchKeyEvent", down | ({"text": text} if text else {}))
        self.session.send("Input.dispatchKeyEvent", told | {"type": "keyUp", "timestamp": self.at})


@pytest.fixture
def products(demo_server: Server) -> list[dict[str, Any]]:
    """Ten products that a GTIN is known of, and of which one at a time is nothing unusual."""
    found = Caller(demo_server).sign_in("admin").call("GET", "products?limit=100&active=true")["items"]
    return [product for product in found if product["gtin"] and product["code"] != "MC-0001"][:10]


def go_to_a_sheet(page: Page, server: Server, who: str = "user") -> int:
    sign_in(page, server, who)
    nurse = Caller(server).sign_in("supervisor")
    sheet: int = nurse.call("GET", "consumption-sheets?limit=1")["items"][0]["id"]
    page.goto(f"{server.address}/consumption-sheet-details/{sheet}/consumption-details")
    settle(page)
    expect(bar(page)).to_be_focused()
    return sheet


def bar(page: Page) -> Any:
    return page.get_by_role("combobox", name="Producto")


def lines(page: Page, server: Server, sheet: int, count: int) -> list[dict[str, Any]]:
    """The latest lines, oldest first, once nothing that the page shows is on its way any more."""
    expect(page.locator("[role=row][aria-busy=true]")).to_have_count(0)
    path = f"consumption-sheets/{sheet}/consumption-details?limit={count}"
    found: list[dict[str, Any]] = Caller(server).sign_in("supervisor").call("GET", path)["items"]
    return found[::-1]


@pytest.mark.parametrize(("every", "suffix"), [(5, "Enter"), WALK(25, "Enter"), WALK(33, "Tab")])
def test_ten_scans_are_ten_lines(
    browser: Browser, demo_server: Server, products: list[dict[str, Any]], every: float, suffix: str
) -> None:
    with a_page(browser) as (page, complaints):
        sheet = go_to_a_sheet(page, demo_server)
        scanner = Scanner(page, every=every, suffix=suffix)
        for product in products:
            scanner.scan(product["gtin"])
        expect(bar(page)).to_have_value(products[-1]["name"])
        page.keyboard.press("Enter")
        expect(bar(page)).to_have_value("")
        expect(page.get_by_text(f"Registrado: 1 × {products[-1]['name']}")).to_be_attached()
        recorded = lines(page, demo_server, sheet, 10)
        assert [(line["product_id"], line["quantity"]) for line in recorded] == [
            (product["id"], 1) for product in products
        ]
        assert complaints == []


@pytest.mark.parametrize("separator", ["ctrl", WALK("alt"), WALK("{GS}")])
def test_a_symbol_tells_lot_expiry_and_serial(
    browser: Browser, demo_server: Server, products: list[dict[str, Any]], separator: str
) -> None:
    gtin = products[0]["gtin"].zfill(14)
    with a_page(browser) as (page, complaints):
        sheet = go_to_a_sheet(page, demo_server)
        Scanner(page, every=8, separator=separator).scan(f"01{gtin}17{LATER:%y%m%d}10AB-12{GS}21SER9")
        expect(page.get_by_text(re.compile(r"Lote AB-12 · vence .* · S/N SER9"))).to_be_visible()
        expect(bar(page)).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_role("row").filter(has_text=f"Lote AB-12 · vence {LATER:%m/%Y} · S/N SER9")).to_be_visible()
        [line] = lines(page, demo_server, sheet, 1)
        told = (line["gtin"], line["lot"], line["expiry"], line["serial"], line["quantity"])
        assert told == (gtin, "AB-12", LATER.isoformat(), "SER9", 1)
        assert complaints == []


@pytest.mark.walk
def test_a_lost_separator_is_confirmed_and_a_second_symbol_fills_in(
    browser: Browser, demo_server: Server, products: list[dict[str, Any]]
) -> None:
    gtin = products[0]["gtin"].zfill(14)
    with a_page(browser) as (page, complaints):
        sheet = go_to_a_sheet(page, demo_server)
        scanner = Scanner(page, every=8, separator="none")
        scanner.scan(f"01{gtin}10AB12{GS}17{LATER:%y%m%d}")
        lot = page.get_by_role("textbox", name="Lote")
        expect(lot).to_be_focused()
        expect(lot).to_have_value("AB12")
        page.keyboard.press("Enter")
        expect(bar(page)).to_be_focused()
        # The other half of the label.
        scanner.scan("21SER77")
        page.get_by_role("button", name="S/N SER77").click()
        expect(page.get_by_text(re.compile(r"Lote AB12 · vence .* · S/N SER77"))).to_be_visible()
        page.keyboard.press("Enter")
        expect(bar(page)).to_have_value("")
        expect(page.get_by_role("row").filter(has_text="S/N SER77")).to_be_visible()
        [line] = lines(page, demo_server, sheet, 1)
        assert (line["lot"], line["expiry"], line["serial"]) == ("AB12", LATER.isoformat(), "SER77")
        assert complaints == []


@pytest.mark.walk
def test_what_is_expired_recalled_or_used_before_needs_a_second_enter(
    browser: Browser, demo_server: Server, products: list[dict[str, Any]]
) -> None:
    product = products[0]
    gtin = product["gtin"].zfill(14)
    supervisor = Caller(demo_server).sign_in("supervisor")
    supervisor.post("recalls", product_id=product["id"], lot="BAD1", reason="esterilidad en duda")
    with a_page(browser) as (page, complaints):
        sheet = go_to_a_sheet(page, demo_server)
        scanner = Scanner(page, every=8)
        scanner.scan(f"01{gtin}1720103110BAD1{GS}21S1")
        expect(page.get_by_role("alert")).to_have_text(re.compile("Venció el .* retirado: esterilidad en duda"))
        page.keyboard.press("Enter")
        expect(page.get_by_text("Enter otra vez para registrarlo así.")).to_be_visible()
        page.keyboard.press("Enter")
        expect(page.get_by_role("row").filter(has_text="Lote BAD1")).to_be_visible()
        [line] = lines(page, demo_server, sheet, 1)
        assert sorted(line["acknowledged"]) == ["lot.expired", "lot.recalled"]
        # The very same unit again.
        scanner.scan(f"01{gtin}21S1")
        expect(page.get_by_text(f"Ese número de serie ya está en la hoja {sheet}")).to_be_visible()
        page.keyboard.press("Escape")
        expect(bar(page)).to_have_value("")
        assert lines(page, demo_server, sheet, 1) == [line]
        assert complaints == []


@pytest.mark.parametrize(("every", "suffix"), [(5, "Enter"), WALK(33, "Tab"), WALK(10, "")])
def test_a_short_code_is_never_a_quantity(
    browser: Browser, demo_server: Server, products: list[dict[str, Any]], every: float, suffix: str
) -> None:
    chosen, other = products[0], products[1]
    supervisor = Caller(demo_server).sign_in("supervisor")
    codes = supervisor.call("GET", f"products/{other['id']}/codes")["items"]
    if not any(one["code"] == "12" for one in codes):
        supervisor.post(f"products/{other['id']}/codes", system="supplier", code="12", units=1)
    with a_page(browser) as (page, complaints):
        sheet = go_to_a_sheet(page, demo_server)
        before = lines(page, demo_server, sheet, 1)
        page.keyboard.type(chosen["code"], delay=60)
        page.keyboard.press("Enter")
        quantity = page.get_by_role("textbox", name="Cantidad")
        expect(quantity).to_be_focused()
        Scanner(page, every=every, suffix=suffix).scan("12")
        expect(bar(page)).to_have_value(other["name"])
        expect(quantity).to_have_value("1")
        assert lines(page, demo_server, sheet, 1) == before
        assert complaints == []


def test_a_wristband_is_no_lot_and_records_nothing(
    browser: Browser, demo_server: Server, products: list[dict[str, Any]]
) -> None:
    with a_page(browser) as (page, complaints):
        sheet = go_to_a_sheet(page, demo_server)
        scanner = Scanner(page, every=8)
        scanner.scan(products[0]["gtin"])
        expect(bar(page)).to_have_value(products[0]["name"])
        scanner.scan("1042331")
        expect(page.get_by_text("«1042331», que puede ser el número de una pulsera")).to_be_visible()
        page.keyboard.press("Enter")
        expect(bar(page)).to_have_value("")
        expect(page.get_by_text(f"Registrado: 1 × {products[0]['name']}")).to_be_attached()
        [line] = lines(page, demo_server, sheet, 1)
        assert (line["product_id"], line["lot"]) == (products[0]["id"], None)
        # With its symbology it is the second symbol of a label.
        scanner.scan(products[1]["gtin"])
        expect(bar(page)).to_have_value(products[1]["name"])
        scanner.scan("]C11042331")
        expect(page.get_by_text("Lote 42331")).to_be_visible()
        # Another patient's band, in letters.
        scanner.scan("EXP-2025-0923")
        expect(page.get_by_text("No conocemos este código: EXP-2025-0923")).to_be_visible()
        assert lines(page, demo_server, sheet, 1) == [line]
        assert complaints == []


@pytest.mark.walk
def test_a_code_that_nothing_has_leads_to_the_search_by_name(browser: Browser, demo_server: Server) -> None:
    with a_page(browser) as (page, complaints):
        sheet = go_to_a_sheet(page, demo_server)
        Scanner(page, every=8).scan("0109506000134352" + "10LOT5")
        expect(page.get_by_text("No conocemos este código: (01) 09506000134352")).to_be_visible()
        page.get_by_role("button", name="Buscar por nombre").click()
        expect(bar(page)).to_be_focused()
        page.keyboard.type("gasa esteril", delay=60)
        page.keyboard.press("Enter")
        page.get_by_role("option").first.click()
        page.keyboard.type("2", delay=60)
        page.keyboard.press("Enter")
        expect(page.get_by_role("row").filter(has_text="Lote LOT5")).to_be_visible()
        [line] = lines(page, demo_server, sheet, 1)
        assert (line["lot"], line["quantity"], line["gtin"]) == ("LOT5", 2, "09506000134352")
        assert complaints == []


@pytest.mark.walk
def test_whoever_keeps_the_catalogue_says_whose_code_it_is_and_has_the_line_in_hand(
    browser: Browser, demo_server: Server, products: list[dict[str, Any]]
) -> None:
    product = products[3]
    with a_page(browser) as (page, complaints):
        sheet = go_to_a_sheet(page, demo_server, "supervisor")
        Scanner(page, every=8).scan(f"010950600013435217{LATER:%y%m%d}10LOT5")
        page.get_by_role("button", name="Es este producto…").click()
        dialog = page.get_by_role("dialog", name="Vincular código")
        dialog.get_by_role("combobox", name="Producto").press_sequentially(product["code"], delay=60)
        page.keyboard.press("Enter")
        expect(dialog.get_by_role("combobox", name="Producto")).to_have_value(product["name"])
        dialog.get_by_role("button", name="Guardar").click()
        expect(dialog).to_be_hidden()
        expect(bar(page)).to_have_value(product["name"])
        expect(bar(page)).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_role("row").filter(has_text="Lote LOT5")).to_be_visible()
        [line] = lines(page, demo_server, sheet, 1)
        told = (line["product_id"], line["lot"], line["expiry"], line["gtin"], line["quantity"])
        assert told == (product["id"], "LOT5", LATER.isoformat(), "09506000134352", 1)
        assert complaints == []


@pytest.mark.walk
def test_what_was_scanned_while_the_server_was_away_is_looked_up_after_a_reload(
    browser: Browser, demo_server: Server, products: list[dict[str, Any]]
) -> None:
    with a_page(browser) as (page, _):
        sheet = go_to_a_sheet(page, demo_server)
        before = lines(page, demo_server, sheet, 1)
        page.route("**/api/products/lookup?*", lambda route: route.abort())
        scanner = Scanner(page, every=8)
        for product in products[:3]:
            scanner.scan(product["gtin"])
        expect(page.get_by_text("3 códigos esperan a que haya conexión.")).to_be_visible()
        page.reload()
        expect(page.get_by_text("3 códigos esperan a que haya conexión.")).to_be_visible()
        page.unroute_all()
        page.reload()
        expect(bar(page)).to_have_value(products[2]["name"])
        page.wait_for_load_state("networkidle")
        for product in products[:2]:
            expect(page.get_by_role("alert").get_by_text(f"1 × {product['name']}")).to_be_visible()
        assert lines(page, demo_server, sheet, 1) == before
        bar(page).focus()
        page.keyboard.press("Enter")
        expect(page.get_by_text(f"Registrado: 1 × {products[2]['name']}")).to_be_attached()
        [line] = lines(page, demo_server, sheet, 1)
        assert line["product_id"] == products[2]["id"]
