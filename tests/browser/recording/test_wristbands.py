"""Wristbands at the sheet's page: every form that is scanned opens its patient's sheet, with and without network."""

import pytest
from playwright.sync_api import Browser, Page, expect

from domain.scanning.label import LabelKind, label_text
from tests.browser.device_storage import until_kept
from tests.browser.recording.test_scanning import Scanner
from tests.browser.screens import Caller, a_page, settle, sign_in
from tests.servers import Server

pytestmark = pytest.mark.browser

RECORD_NUMBER, ASSIGNED, OTHER = "WB-2026-0013", "952000000000000019", "WB-2026-0001"
# The rules have all forms in tests/search_cases.json; these are the ones that a scanner types.
FORMS = [
    RECORD_NUMBER,
    RECORD_NUMBER.lower(),
    RECORD_NUMBER.replace("-", ""),
    RECORD_NUMBER.replace("-", "'"),
    f"*{RECORD_NUMBER}*",
    f"]C0{RECORD_NUMBER}",
    f"{RECORD_NUMBER}^^^HOSP",
    f"{RECORD_NUMBER}^^^HOSP&1.2&ISO^MR",
    "{label}",
]
ASSIGNED_FORMS = [
    f"8018{ASSIGNED}",
    f"(8018){ASSIGNED}",
    f"]C18018{ASSIGNED}",
    f"]d28018{ASSIGNED}801901",
]
# The service worker controls the page: its files are on the device.
FILES_ARE_KEPT = """() => navigator.serviceWorker.controller !== null
    || new Promise(done => navigator.serviceWorker.addEventListener('controllerchange', () => done(true)))"""


def admit(caller: Caller, record_number: str, surname: str) -> int:
    """Open a sheet with one line for a new patient and return its id."""
    like = caller.call("GET", "consumption-sheets?limit=1")["items"][0]
    product = caller.call("GET", "products?limit=1&q=gasa&active=true")["items"][0]
    staff = caller.call("GET", "staff?limit=1")["items"][0]
    patient = caller.post("patients", name="Ana", first_surname=surname, record_number=record_number)["id"]
    admission = {"room_id": like["room"]["id"], "admission_date": like["admission_date"]}
    sheet = int(caller.post("consumption-sheets", patient_id=patient, **admission)["id"])
    line = {"product_id": product["id"], "quantity": 1, "staff_id": staff["id"], "area_id": like["room"]["area_id"]}
    caller.post(f"consumption-sheets/{sheet}/consumption-details", **line)
    return sheet


def sheet_label(caller: Caller, sheet: int) -> str:
    return label_text(LabelKind.SHEET, sheet, caller.call("GET", "catalogue")["installation"])


def count_lines(caller: Caller, sheet: int) -> int:
    return len(caller.call("GET", f"consumption-sheets/{sheet}/consumption-details")["items"])


def open_page(page: Page, server: Server, sheet: int) -> None:
    page.goto(f"{server.address}/consumption-sheet-details/{sheet}/consumption-details")
    settle(page)
    expect(page.get_by_role("combobox", name="Producto")).to_be_visible()


@pytest.mark.parametrize("online", [pytest.param(True, marks=pytest.mark.walk), False], ids=["online", "offline"])
def test_each_form_of_a_wristband_opens_its_sheet(browser: Browser, demo_server: Server, online: bool) -> None:
    supervisor = Caller(demo_server).sign_in("supervisor")
    surnames = {RECORD_NUMBER: "Trece", ASSIGNED: "Dieciocho", OTHER: "Uno"}
    sheets = {number: admit(supervisor, number, surname) for number, surname in surnames.items()}
    with a_page(browser) as (page, complaints):
        sign_in(page, demo_server, "user")
        for kept, sheet in enumerate(sheets.values(), 1):
            open_page(page, demo_server, sheet)
            until_kept(page, "sheets", kept)
        # A code of a product goes before a patient's: without the catalogue the device cannot tell.
        until_kept(page, "catalogue")
        page.evaluate(FILES_ARE_KEPT)
        page.context.set_offline(not online)
        scanner = Scanner(page, every=20)

        def scan(code: str, number: str) -> None:
            scanner.scan(code)
            expect(page).to_have_url(
                f"{demo_server.address}/consumption-sheet-details/{sheets[number]}/consumption-details"
            )
            expect(page.get_by_role("heading", name=f"Ana {surnames[number]}")).to_be_visible()
            expect(page.get_by_role("combobox", name="Producto")).to_be_focused()

        for number, forms in ((RECORD_NUMBER, FORMS), (ASSIGNED, ASSIGNED_FORMS)):
            for form in forms:
                scan(form.replace("{label}", sheet_label(supervisor, sheets[number])), number)
                scan(OTHER, OTHER)
        if online:
            assert complaints == []
    for sheet in sheets.values():
        assert count_lines(supervisor, sheet) == 1


@pytest.mark.parametrize("online", [True, pytest.param(False, marks=pytest.mark.walk)], ids=["online", "offline"])
def test_a_damaged_or_unknown_band_opens_nothing(browser: Browser, demo_server: Server, online: bool) -> None:
    supervisor = Caller(demo_server).sign_in("supervisor")
    sheet = admit(supervisor, OTHER, "Uno")
    label = sheet_label(supervisor, sheet)
    damaged = label[:-1] + str((int(label[-1]) + 1) % 10)
    with a_page(browser) as (page, _):
        sign_in(page, demo_server, "user")
        open_page(page, demo_server, sheet)
        until_kept(page, "sheets", 1)
        until_kept(page, "catalogue")
        page.evaluate(FILES_ARE_KEPT)
        page.context.set_offline(not online)
        scanner = Scanner(page, every=20)
        for code in (damaged, "WB-2026-9999"):
            scanner.scan(code)
            expect(page.get_by_text(code).first).to_be_visible()
            expect(page).to_have_url(f"{demo_server.address}/consumption-sheet-details/{sheet}/consumption-details")
    assert count_lines(supervisor, sheet) == 1
