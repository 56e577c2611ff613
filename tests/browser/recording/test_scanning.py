"""Scanning with a keyboard scanner at the record bar."""

import re
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, Page, expect

from tests.browser.screens import Caller, a_new_sheet, a_page, keep_toasts, settle, sign_in
from tests.servers import Server

pytestmark = pytest.mark.browser
# The logic after a scan is tested without a browser, in recorder*.test.ts and scanning.test.tsx.
WALK = partial(pytest.param, marks=pytest.mark.walk)

GS = "\x1d"
# Keys are sent through the debugger, and on a busy machine one can take half a second: timers that wait for another key
# are held until all keys of a scan have arrived.
DELIMIT = """() => {
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
    """Types keys at exact intervals of their own timestamps, in milliseconds."""

    def __init__(self, page: Page, *, every: float, suffix: str = "Enter", separator: str = "ctrl") -> None:
        self.page, self.every, self.suffix, self.separator = page, every, suffix, separator
        self.session: CDPSession = page.context.new_cdp_session(page)
        page.evaluate(f"() => {{ if (!window.release) ({DELIMIT})() }}")

    def scan(self, text: str, *, pause: float = 0, after: int = 0) -> None:
        """Scan a code, with a pause after some characters."""
        begin = "window.held = true; (performance.timeOrigin + performance.now()) / 1000"
        self.at = float(self.page.evaluate(begin))
        for place, character in enumerate(text, start=1):
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
            if place == after:
                self.at += pause / 1000
        if self.suffix:
            self._press(key=self.suffix, code=self.suffix, text="\r" if self.suffix == "Enter" else "")
        self.page.evaluate("window.release()")
        # Wait until the page's own clock has passed the last timestamp.
        self.page.wait_for_function("at => performance.timeOrigin + performance.now() > at", arg=self.at * 1000 + 120)

    def _press(self, *, key: str, text: str = "", code: str = "", modifiers: int = 0) -> None:
        self.at += self.every / 1000
        virtual = {"Enter": 13, "Tab": 9}.get(key, 0)
        event: dict[str, Any] = {"key": key, "code": code, "modifiers": modifiers, "windowsVirtualKeyCode": virtual}
        down = event | {"type": "keyDown" if text else "rawKeyDown", "timestamp": self.at}
        self.session.send("Input.dispatchKeyEvent", down | ({"text": text} if text else {}))
        self.session.send("Input.dispatchKeyEvent", event | {"type": "keyUp", "timestamp": self.at})


@pytest.fixture
def products(demo_server: Server) -> list[dict[str, Any]]:
    """Ten products with a GTIN, for which a quantity of 1 is usual."""
    found = Caller(demo_server).sign_in("admin").call("GET", "products?limit=100&active=true")["items"]
    return [product for product in found if product["gtin"] and product["code"] != "MC-0001"][:10]


def go_to_a_sheet(page: Page, server: Server, who: str = "user") -> int:
    sign_in(page, server, who)
    sheet, address = a_new_sheet(server)
    page.goto(address)
    settle(page)
    expect(bar(page)).to_be_focused()
    return sheet


def bar(page: Page) -> Any:
    return page.get_by_role("combobox", name="Producto")


def lines(page: Page, server: Server, sheet: int, count: int) -> list[dict[str, Any]]:
    """The lines of a sheet, oldest first, when that number of them is shown.

    Until the device has stored a line, it is neither among those that are not recorded nor among those that are sent.
    """
    expect(page.locator("tr[id^=detail-]")).to_have_count(count)
    expect(page.locator("[role=row][aria-busy=true]")).to_have_count(0)
    return lines_of(server, sheet)


def lines_of(server: Server, sheet: int) -> list[dict[str, Any]]:
    path = f"consumption-sheets/{sheet}/consumption-details?limit=100"
    found: list[dict[str, Any]] = Caller(server).sign_in("supervisor").call("GET", path)["items"]
    return found[::-1]


def open_rows(page: Page) -> Any:
    """The unrecorded lines above the list."""
    return page.get_by_role("list", name="Sin registrar").get_by_role("listitem")


def settled(page: Page) -> None:
    """Wait until everything without a question is recorded."""
    expect(open_rows(page)).to_have_text([])


@pytest.mark.parametrize(
    ("every", "suffix"), [(5, "Enter"), WALK(20, "Enter"), (36, "Tab"), WALK(60, "Enter"), WALK(120, "Enter")]
)
def test_ten_scans_are_ten_lines(
    browser: Browser, demo_server: Server, products: list[dict[str, Any]], every: float, suffix: str
) -> None:
    with a_page(browser) as (page, complaints):
        sheet = go_to_a_sheet(page, demo_server)
        scanner = Scanner(page, every=every, suffix=suffix)
        for product in products:
            scanner.scan(product["gtin"])
        settled(page)
        expect(bar(page)).to_have_value("")
        expect(bar(page)).to_be_focused()
        recorded = lines(page, demo_server, sheet, 10)
        assert [(line["product_id"], line["quantity"]) for line in recorded] == [
            (product["id"], 1) for product in products
        ]
        assert complaints == []


@pytest.mark.parametrize("every", [WALK(5), WALK(20), 36, WALK(60), WALK(120)])
@pytest.mark.parametrize("pause", [120, WALK(400)])
def test_a_pause_within_a_scan_changes_nothing(
    browser: Browser, demo_server: Server, products: list[dict[str, Any]], every: float, pause: float
) -> None:
    first, second = products[0], products[1]
    with a_page(browser) as (page, complaints):
        sheet = go_to_a_sheet(page, demo_server)
        scanner = Scanner(page, every=every)
        # Two products alternate, because repeated scans of one would add to its quantity.
        scans = [(first if after % 2 else second, after) for after in range(1, len(first["gtin"]) + 1)]
        for product, after in scans:
            scanner.scan(product["gtin"], pause=pause, after=after)
        # At the pace of typing, a text is looked up in the bar.
        expect(bar(page)).to_have_value("")
        settled(page)
        recorded = lines(page, demo_server, sheet, len(scans))
        assert [(line["product_id"], line["quantity"]) for line in recorded] == [
            (product["id"], 1) for product, _ in scans
        ]
        assert complaints == []


FOCUS = {
    "bar": lambda page: bar(page).focus(),
    "nothing": lambda page: page.evaluate("document.activeElement.blur()"),
    "quantity": lambda page: page.get_by_role("textbox", name="Cantidad", exact=True).focus(),
    "menu": lambda page: page.get_by_role("button", name="Más acciones").click(),
    "dialog": lambda page: page.get_by_role("button", name="Cerrar hoja").click(),
    "palette": lambda page: page.keyboard.press("Control+k"),
}


@pytest.mark.parametrize("focus", ["bar", "quantity", "menu", *map(WALK, ["nothing", "dialog", "palette"])])
@pytest.mark.parametrize("every", [WALK(5), 60])
def test_a_scan_is_a_line_wherever_the_focus_is(
    browser: Browser, demo_server: Server, products: list[dict[str, Any]], focus: str, every: float
) -> None:
    with a_page(browser) as (page, complaints):
        sheet = go_to_a_sheet(page, demo_server, "supervisor")
        FOCUS[focus](page)
        scanner = Scanner(page, every=every)
        for product in products[:3]:
            scanner.scan(product["gtin"])
        if focus == "dialog":
            # Nothing is recorded behind a question about the sheet.
            expect(page.get_by_text("espera su turno.")).to_have_count(3)
            page.get_by_role("dialog").get_by_role("button", name="Cancelar").click()
        settled(page)
        recorded = lines(page, demo_server, sheet, 3)
        assert [(line["product_id"], line["quantity"]) for line in recorded] == [
            (product["id"], 1) for product in products[:3]
        ]
        assert complaints == []


@pytest.mark.parametrize("separator", ["ctrl", WALK("alt"), WALK("{GS}")])
def test_a_scanned_symbol_has_lot_expiry_and_serial(
    browser: Browser, demo_server: Server, products: list[dict[str, Any]], separator: str
) -> None:
    gtin = products[0]["gtin"].zfill(14)
    with a_page(browser) as (page, complaints):
        sheet = go_to_a_sheet(page, demo_server)
        Scanner(page, every=8, separator=separator).scan(f"01{gtin}17{LATER:%y%m%d}10AB-12{GS}21SER9")
        expect(page.get_by_role("row").filter(has_text=f"Lote AB-12 · vence {LATER:%m/%Y} · S/N SER9")).to_be_visible()
        [line] = lines(page, demo_server, sheet, 1)
        reported = (line["gtin"], line["lot"], line["expiry"], line["serial"], line["quantity"])
        assert reported == (gtin, "AB-12", LATER.isoformat(), "SER9", 1)
        assert complaints == []


@pytest.mark.walk
def test_a_lost_separator_must_be_confirmed(
    browser: Browser, demo_server: Server, products: list[dict[str, Any]]
) -> None:
    gtin = products[0]["gtin"].zfill(14)
    with a_page(browser) as (page, complaints):
        sheet = go_to_a_sheet(page, demo_server)
        Scanner(page, every=8, separator="none").scan(f"01{gtin}10AB12{GS}17{LATER:%y%m%d}")
        lot = page.get_by_role("textbox", name="Lote")
        expect(lot).to_be_focused()
        expect(lot).to_have_value("AB12")
        page.keyboard.press("Enter")
        settled(page)
        [line] = lines(page, demo_server, sheet, 1)
        assert (line["lot"], line["expiry"]) == ("AB12", LATER.isoformat())
        assert complaints == []


@pytest.mark.walk
def test_expired_recalled_and_used_packs_need_confirmation(
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
        expect(open_rows(page)).to_contain_text("Lote BAD1 retirado el")
        expect(open_rows(page)).to_contain_text("esterilidad en duda")
        open_rows(page).get_by_role("button", name="Registrar de todos modos").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_role("textbox", name="Motivo").fill("Era el último")
        dialog.get_by_role("button", name="Registrar de todos modos").click()
        settled(page)
        [line] = lines(page, demo_server, sheet, 1)
        assert sorted(line["acknowledged"]) == ["lot.expired", "lot.recalled"]
        # The same unit is scanned a second time.
        scanner.scan(f"01{gtin}21S1")
        expect(open_rows(page)).to_contain_text(f"Ese número de serie ya está en la hoja {sheet}")
        page.keyboard.press("Control+z")
        settled(page)
        assert lines(page, demo_server, sheet, 1) == [line]
        assert complaints == []


@pytest.mark.parametrize("code", ["650", WALK("7"), WALK("18"), WALK("9142")])
@pytest.mark.parametrize("every", [5, WALK(36), WALK(120)])
def test_a_short_code_in_the_quantity_field_is_asked_about(
    browser: Browser, demo_server: Server, products: list[dict[str, Any]], code: str, every: float
) -> None:
    chosen, other = products[0], products[1]
    supervisor = Caller(demo_server).sign_in("supervisor")
    codes = supervisor.call("GET", f"products/{other['id']}/codes")["items"]
    if not any(one["code"] == code for one in codes):
        supervisor.post(f"products/{other['id']}/codes", system="supplier", code=code, units=1)
    with a_page(browser) as (page, complaints):
        sheet = go_to_a_sheet(page, demo_server)
        page.keyboard.type(chosen["code"].lower(), delay=60)
        page.get_by_role("option").first.click()
        quantity = page.get_by_role("textbox", name="Cantidad", exact=True)
        expect(quantity).to_be_focused()
        Scanner(page, every=every).scan(code)
        question = page.get_by_role("dialog", name=f"¿Qué es {code}?")
        expect(question).to_be_visible()
        assert lines(page, demo_server, sheet, 0) == []
        question.get_by_role("button", name=f"El producto {other['name']}").click()
        # The manually chosen product still waits for its quantity.
        expect(open_rows(page).filter(has_text=chosen["name"])).to_be_visible()
        expect(page.get_by_role("row").filter(has_text=other["name"]).first).to_be_visible()
        [line] = lines(page, demo_server, sheet, 1)
        assert (line["product_id"], line["quantity"]) == (other["id"], 1)
        assert complaints == []


def test_an_undone_line_does_not_come_back(
    browser: Browser, demo_server: Server, products: list[dict[str, Any]]
) -> None:
    first, second = products[0], products[1]
    with a_page(browser) as (page, complaints):
        keep_toasts(page)
        sheet = go_to_a_sheet(page, demo_server)
        scanner = Scanner(page, every=8)
        scanner.scan(first["gtin"])
        expect(page.get_by_text("Detalle de la hoja de consumo creado")).to_be_visible()
        page.keyboard.press("Control+z")
        expect(page.get_by_text(re.compile("^Deshecho: "))).to_be_visible()
        scanner.scan(second["gtin"])
        settled(page)
        assert [line["product_id"] for line in lines(page, demo_server, sheet, 1)] == [second["id"]]
        assert complaints == []


@pytest.mark.walk
def test_an_unknown_code_leads_to_the_search_by_name(browser: Browser, demo_server: Server) -> None:
    with a_page(browser) as (page, complaints):
        sheet = go_to_a_sheet(page, demo_server)
        Scanner(page, every=8).scan("0109506000134352" + "10LOT5")
        expect(page.get_by_text("Código desconocido: (01) 09506000134352")).to_be_visible()
        page.get_by_role("button", name="Buscar por nombre").click()
        expect(bar(page)).to_be_focused()
        page.keyboard.type("gasa esteril", delay=60)
        page.get_by_role("option").first.click()
        page.keyboard.type("2", delay=60)
        page.keyboard.press("Enter")
        expect(page.get_by_role("row").filter(has_text="Lote LOT5")).to_be_visible()
        [line] = lines(page, demo_server, sheet, 1)
        assert (line["lot"], line["quantity"], line["gtin"]) == ("LOT5", 2, "09506000134352")
        assert complaints == []


@pytest.mark.walk
def test_a_supervisor_links_an_unknown_code_to_a_product(
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
        expect(page.get_by_role("row").filter(has_text="Lote LOT5")).to_be_visible()
        [line] = lines(page, demo_server, sheet, 1)
        reported = (line["product_id"], line["lot"], line["expiry"], line["gtin"], line["quantity"])
        assert reported == (product["id"], "LOT5", LATER.isoformat(), "09506000134352", 1)
        assert complaints == []


@pytest.mark.walk
def test_scans_made_while_offline_are_looked_up_after_a_reload(
    browser: Browser, demo_server: Server, products: list[dict[str, Any]]
) -> None:
    with a_page(browser) as (page, _):
        sheet = go_to_a_sheet(page, demo_server)
        page.route("**/api/products/lookup?*", lambda route: route.abort())
        scanner = Scanner(page, every=8)
        for product in products[:3]:
            scanner.scan(product["gtin"])
        expect(page.get_by_text("espera la conexión.")).to_have_count(3)
        page.unroute_all()
        page.reload()
        for product in products[:3]:
            expect(open_rows(page).filter(has_text=product["name"])).to_be_visible()
        # Lines from before a reload must be confirmed.
        assert lines(page, demo_server, sheet, 0) == []
        for _ in products[:3]:
            open_rows(page).get_by_role("button", name="Registrar").first.click()
        settled(page)
        assert [line["product_id"] for line in lines(page, demo_server, sheet, 3)][::-1] == [
            product["id"] for product in products[:3]
        ]
