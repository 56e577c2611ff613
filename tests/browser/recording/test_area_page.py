"""What an area uses for no patient: its page, from the first scan to a line of the wrong kind."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.device_storage import until_kept
from tests.browser.recording.test_main_job import record
from tests.browser.recording.test_scanning import Scanner
from tests.browser.recording.test_wristbands import FILES_ARE_KEPT, admit
from tests.browser.screens import Caller, a_page, faults, look, resize, settle, sign_in
from tests.servers import Server

pytestmark = pytest.mark.browser


def open_area(page: Page, server: Server, area: int) -> None:
    page.goto(f"{server.address}/consumption-sheets/areas/{area}")
    settle(page)
    expect(page.get_by_text("No es de ningún paciente")).to_be_visible()


def lines_of(caller: Caller, sheet: int) -> list[tuple[str, float, str | None]]:
    """The lines of a sheet, the oldest first: code, quantity and reason."""
    items = caller.call("GET", f"consumption-sheets/{sheet}/consumption-details")["items"]
    return [(line["product"]["code"], line["quantity"], line.get("use_reason")) for line in reversed(items)]


def test_one_reason_records_scans_and_names(browser: Browser, demo_server: Server) -> None:
    nurse = Caller(demo_server).sign_in("user")
    area = nurse.call("GET", "areas?limit=1")["items"][0]
    products = [one for one in nurse.call("GET", "products?limit=50&active=true")["items"] if not one["asks_lot"]]
    codes = [one["code"] for one in products if not one["implant"]][:3]
    with a_page(browser, viewport={"width": 1366, "height": 768}) as (page, complaints):
        sign_in(page, demo_server, "user")
        open_area(page, demo_server, area["id"])
        patients = [one["patient"] for one in nurse.call("GET", "consumption-sheets?limit=50")["items"]]
        scanner = Scanner(page, every=8)
        for code in codes[:2]:
            scanner.scan(code)
        expect(page.get_by_text("Elija para qué se usan: 2 líneas esperan.")).to_be_visible()
        page.keyboard.press("Alt+1")
        rows = page.locator("tr[id^=detail-]")
        expect(rows).to_have_count(2)
        scanner.scan(codes[2])
        expect(rows).to_have_count(3)
        record(page, "gasa", "5")
        expect(rows).to_have_count(4)
        sheet = nurse.call("POST", f"areas/{area['id']}/sheet")["id"]
        assert [line[1:] for line in lines_of(nurse, sheet)] == [(1, "crash_cart")] * 3 + [(5, "crash_cart")]
        text = page.locator("main").inner_text()
        assert area["name"] in text
        assert not [one for one in patients if one["first_surname"] in text]
        page.keyboard.press("Control+z")
        expect(rows).to_have_count(3)
        assert [line[0] for line in lines_of(nurse, sheet)] == codes
        for scheme in ("light", "dark"):
            look(page, "es", scheme)
            assert not faults(page, f"the page of an area, {scheme}")
        resize(page, 360)
        page.get_by_role("button", name=re.compile("^¿Para qué?")).click()
        page.get_by_role("menuitemradio", name="Limpieza").click()
        expect(page.get_by_role("button", name=f"Registrar en {area['name']}")).to_be_visible()
        assert not faults(page, "the page of an area on a phone")
        assert not complaints


def test_a_wristband_leads_to_its_sheet_and_back_is_the_area(browser: Browser, demo_server: Server) -> None:
    supervisor = Caller(demo_server).sign_in("supervisor")
    sheet = admit(supervisor, "AP-2026-0001", "Banda")
    area = supervisor.call("GET", f"consumption-sheets/{sheet}")["room"]["area_id"]
    product = next(one for one in supervisor.call("GET", "products?limit=50&active=true")["items"] if one["gtin"])
    with a_page(browser) as (page, _):
        sign_in(page, demo_server, "user")
        open_area(page, demo_server, area)
        scanner = Scanner(page, every=8)
        scanner.scan("AP-2026-0001")
        # What is scanned behind a wristband is for its patient.
        scanner.scan(product["gtin"])
        expect(page.get_by_role("heading", name="Ana Banda")).to_be_visible()
        expect(page.locator("tr[id^=detail-]")).to_have_count(2)
        page.go_back()
        expect(page.get_by_text("No es de ningún paciente")).to_be_visible()
        expect(page.get_by_role("button", name="Carro de paro")).to_have_attribute("aria-pressed", "false")
        page_id = supervisor.call("POST", f"areas/{area}/sheet")["id"]
        assert lines_of(supervisor, page_id) == []
        assert [line[2] for line in lines_of(supervisor, sheet)] == [None, None]


def test_the_page_is_used_offline_and_sent_once(browser: Browser, demo_server: Server) -> None:
    nurse = Caller(demo_server).sign_in("user")
    area = nurse.call("GET", "areas?limit=1")["items"][0]
    sheet = nurse.call("POST", f"areas/{area['id']}/sheet")["id"]
    product = nurse.call("GET", "products?limit=1&q=gasa&active=true")["items"][0]
    used = {"product_id": product["id"], "quantity": 1, "use_reason": "training"}
    nurse.post(f"consumption-sheets/{sheet}/consumption-details", **used)
    with a_page(browser) as (page, _):
        sign_in(page, demo_server, "user")
        open_area(page, demo_server, area["id"])
        until_kept(page, "sheets")
        until_kept(page, "catalogue")
        page.evaluate(FILES_ARE_KEPT)
        page.context.set_offline(True)
        page.reload()
        expect(page.get_by_text("No es de ningún paciente")).to_be_visible()
        expect(page.get_by_text(re.compile(r"Se muestran los datos de las \d\d:\d\d"))).to_be_visible()
        expect(page.locator("tr[id^=detail-]")).to_have_count(1)
        page.keyboard.press("Alt+2")
        record(page, "gasa", "4")
        expect(page.get_by_text("En espera").first).to_be_visible()
        assert len(lines_of(nurse, sheet)) == 1
        page.context.set_offline(False)
        expect(page.locator("tr[id^=detail-]")).to_have_count(2)
        assert [line[1:] for line in lines_of(nurse, sheet)] == [(1, "training"), (4, "cleaning")]
