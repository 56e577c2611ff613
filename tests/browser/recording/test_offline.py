"""The record bar and visited sheets without network."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.device_storage import KEPT, until_kept
from tests.browser.recording.test_main_job import record
from tests.browser.recording.test_scanning import Scanner
from tests.browser.screens import Caller, a_page, settle, sign_in
from tests.canaries import PRICE, WORD, holds_amount
from tests.servers import Server

pytestmark = pytest.mark.browser


def bar(page: Page) -> Locator:
    return page.get_by_role("combobox", name="Producto")


def sheets_with_lines(caller: Caller) -> list[dict[str, Any]]:
    sheets: list[dict[str, Any]] = caller.call("GET", "consumption-sheets?limit=50")["items"]
    return [sheet for sheet in sheets if sheet["consumptions"]]


def look_at(page: Page, server: Server, sheet: dict[str, Any]) -> None:
    page.goto(f"{server.address}/consumption-sheet-details/{sheet['id']}/consumption-details")
    settle(page)
    expect(bar(page)).to_be_visible()


def name_of(sheet: dict[str, Any]) -> str:
    patient = sheet["patient"]
    return " ".join(filter(None, (patient["name"], patient["first_surname"], patient["second_surname"])))


@pytest.fixture
def ward_page(browser: Browser, demo_server: Server) -> Iterator[Page]:
    """A supervisor's page with two visited sheets and the catalogue stored."""
    with a_page(browser, viewport={"width": 1366, "height": 900}, timezone_id="UTC") as (page, _):
        sign_in(page, demo_server, "supervisor")
        for number, sheet in enumerate(sheets_with_lines(Caller(demo_server).sign_in("supervisor"))[:2], 1):
            look_at(page, demo_server, sheet)
            until_kept(page, "sheets", number)
        until_kept(page, "catalogue")
        page.get_by_role("link", name="Hojas de consumo", exact=True).first.click()
        expect(page.get_by_role("table")).to_be_visible()
        page.get_by_role("link", name=name_of(sheet)).first.click()
        expect(bar(page)).to_be_visible()
        # A click starts the loading of code that must be available offline.
        bar(page).click()
        page.keyboard.press("Escape")
        settle(page)
        yield page


def first_found(page: Page, text: str) -> str:
    """The first option found for that text."""
    bar(page).fill(text)
    expect(page.get_by_role("option").first).to_be_visible()
    return page.get_by_role("option").first.inner_text()


def shows_no_false_price(page: Page) -> None:
    reported = page.locator("body").inner_text()
    assert not re.search(r"NaN|undefined|\$\s?0[.,]00", reported), reported


def test_names_codes_scans_and_kits_are_found_offline(ward_page: Page, demo_server: Server) -> None:
    caller = Caller(demo_server).sign_in("supervisor")
    product = next(one for one in caller.call("GET", "products?limit=100&active=true")["items"] if one["gtin"])
    area = sheets_with_lines(caller)[1]["room"]["area_id"]
    kit = next(one for one in caller.call("GET", f"kits?area_id={area}")["items"] if not one["own"])
    page = ward_page
    page.context.set_offline(True)

    assert "Gasa" in first_found(page, "gasa esteril")
    shows_no_false_price(page)
    assert product["name"] in first_found(page, product["code"].lower())
    assert product["name"] in first_found(page, product["gtin"])
    page.get_by_role("option").first.click()
    expect(bar(page)).to_have_value(product["name"])
    shows_no_false_price(page)

    bar(page).fill(kit["name"][:5])
    expect(page.get_by_role("option").filter(has_text=kit["name"])).to_be_visible()
    bar(page).fill("")

    bar(page).focus()
    Scanner(page, every=8).scan(f"01{product['gtin'].zfill(14)}17{'291031'}10AB-12")
    expect(page.get_by_text(re.compile("Lote AB-12 · vence"))).to_be_visible()
    shows_no_false_price(page)


def test_a_visited_sheet_opens_offline_from_the_list(ward_page: Page, demo_server: Server) -> None:
    first, second = sheets_with_lines(Caller(demo_server).sign_in("supervisor"))[:2]
    page = ward_page
    page.context.set_offline(True)
    page.get_by_role("link", name="Hojas de consumo", exact=True).first.click()
    # The list still shows what was loaded a moment ago, but a search needs a request.
    page.get_by_role("searchbox").fill(first["patient"]["first_surname"])
    seen = page.get_by_text(re.compile(r"Se muestran los datos de las \d\d:\d\d"))
    expect(seen).to_be_visible()
    expect(page.get_by_role("link", name=name_of(second))).to_have_count(0)
    shows_no_false_price(page)
    page.get_by_role("link", name=name_of(first)).first.click()
    expect(seen).to_be_visible()
    lines = sum(day["details"] for day in first["consumptions"])
    expect(page.locator("tr[id^=detail-]")).to_have_count(min(lines, 100))
    shows_no_false_price(page)
    expect(bar(page)).to_be_enabled()

    page.context.set_offline(False)
    expect(seen).to_have_count(0)
    expect(page.locator("#details-title").locator("xpath=..")).to_contain_text("$")


def test_the_board_is_drawn_offline_after_a_reload(ward_page: Page, demo_server: Server) -> None:
    first = sheets_with_lines(Caller(demo_server).sign_in("supervisor"))[0]
    page = ward_page
    page.route("**/api/**", lambda route: route.abort())
    page.goto(demo_server.address)
    expect(page.get_by_text(re.compile("^Sin conexión.*Solo están las hojas que guarda este equipo"))).to_be_visible()
    # A nurse finds the bed, and its sheet opens.
    page.get_by_role("link", name=re.compile(f"^{first['room']['name']} {first['patient']['first_surname']}")).click()
    expect(bar(page)).to_be_enabled()
    shows_no_false_price(page)


def test_signing_out_deletes_visited_sheets(page: Page, demo_server: Server) -> None:
    sign_in(page, demo_server, "supervisor")
    look_at(page, demo_server, sheets_with_lines(Caller(demo_server).sign_in("supervisor"))[0])
    until_kept(page, "sheets", 1)
    page.get_by_role("button", name="Cerrar sesión").click()
    expect(page.locator("input[type=email]")).to_be_visible()
    until_kept(page, "sheets", 0)


def test_no_price_is_stored_after_an_administrators_work(browser: Browser, demo_server: Server) -> None:
    admin = Caller(demo_server).sign_in("admin")
    category = admin.post("categories", code=WORD, name="Canarios")["id"]
    for number in range(3):
        admin.post("products", name=f"Canario {number}", price=float(PRICE), category_id=category, code=f"CAN-{number}")
    sheet = sheets_with_lines(admin)[0]
    with a_page(browser, viewport={"width": 1366, "height": 900}) as (page, _):
        sign_in(page, demo_server, "admin")
        look_at(page, demo_server, sheet)
        record(page, "canario 1", "3")
        # Without history, such a total is asked about.
        page.get_by_role("button", name="Registrar de todos modos").click()
        expect(page.get_by_text("2.194.139.380,11").or_(page.get_by_text("2,194,139,380.11")).first).to_be_visible()
        until_kept(page, "catalogue")
        # A chosen product is a draft, which the page stores.
        bar(page).fill("canario 2")
        expect(page.get_by_role("option").first).to_be_visible()
        page.keyboard.press("Enter")
        for path in ("products", "categories", "consumption-sheets", "consumption-sheet-details", "reports", ""):
            page.goto(f"{demo_server.address}/{path}")
            settle(page)
        look_at(page, demo_server, sheet)
        until_kept(page, "sheets")
        kept = page.evaluate(KEPT)
    assert {"outbox", "catalogue", "sheets"} <= set(kept["databases"]["consumo"])
    assert "Canario 1" in json.dumps(kept["databases"]["consumo"]["catalogue"])
    assert "Canario 1" in json.dumps(kept["databases"]["consumo"]["sheets"])
    text = json.dumps(kept)
    for secret in (WORD, '"price"', '"unit_price"', '"total"'):
        assert secret not in text, text[max(0, text.find(secret) - 300) : text.find(secret) + 100]
    for amount in (PRICE, "21941393812.11"):
        assert not holds_amount(text, amount), amount


@pytest.mark.walk
def test_a_shift_with_an_unstable_network_is_recorded_completely(ward_page: Page, demo_server: Server) -> None:
    """Alternating between two sheets: lines arrive once, in order, with times."""
    page, caller = ward_page, Caller(demo_server).sign_in("supervisor")
    sheets = [sheet["id"] for sheet in sheets_with_lines(caller)[:2]]

    def lines_of(sheet: int) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = caller.call("GET", f"consumption-sheets/{sheet}/consumption-details?limit=100")[
            "items"
        ]
        return sorted(items, key=lambda line: int(line["id"]))

    before = {sheet: len(lines_of(sheet)) for sheet in sheets}
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    for step in range(8):
        # Two steps offline, two online.
        page.context.set_offline(step % 4 < 2)
        page.goto(f"{demo_server.address}/consumption-sheet-details/{sheets[step % 2]}/consumption-details")
        expect(bar(page)).to_be_visible()
        record(page, "gasa esteril", str(1 + step // 2))
        expect(bar(page)).to_have_value("")
    page.context.set_offline(False)
    page.goto(demo_server.address)
    expect(page.get_by_role("button", name="Cerrar sesión")).to_be_visible()
    until_kept(page, "outbox", 0)
    expect(page.get_by_text(re.compile("sin enviar"))).to_have_count(0)
    for sheet in sheets:
        new = lines_of(sheet)[before[sheet] :]
        assert [line["quantity"] for line in new] == [1, 2, 3, 4]
        moments = [line["occurred_at"] for line in new]
        assert moments == sorted(moments)
