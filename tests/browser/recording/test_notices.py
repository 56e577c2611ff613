"""A nurse is notified of what a supervisor changed, and hands over her shift."""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.browser.recording.test_main_job import record
from tests.browser.screens import Caller, a_new_sheet, sign_in
from tests.servers import Server

pytestmark = pytest.mark.browser


def test_a_nurse_reads_of_a_correction_and_hands_over(page: Page, demo_server: Server) -> None:
    sheet, address = a_new_sheet(demo_server)
    sign_in(page, demo_server, "user")
    page.goto(address)
    record(page, "gasa esteril", "11")
    expect(page.get_by_role("table").get_by_role("row").nth(1)).to_contain_text("11")
    expect(page.locator("[role=row][aria-busy=true]")).to_have_count(0)

    supervisor = Caller(demo_server).sign_in("supervisor")
    [line] = supervisor.call("GET", f"consumption-sheets/{sheet}/consumption-details")["items"]
    corrected = supervisor.post(f"consumption-details/{line['id']}/correct", quantity=1)["id"]

    # She is notified on her next page, not while she records.
    told = page.get_by_role("region", name="Cambios en sus líneas")
    expect(told).to_have_count(0)
    page.get_by_role("link", name="Mi turno").click()
    expect(told).to_contain_text(re.compile(r"corrigió su línea: Gasa .*, 11 → 1 \(.*Arriaga.*, Habitación 5"))
    expect(page.get_by_text(re.compile(r"usted registró \d+ líneas? de \d+ paciente"))).to_be_visible()
    told.get_by_role("link", name="Ver").click()
    expect(page).to_have_url(re.compile(rf"/{sheet}/consumption-details\?line={corrected}$"))
    expect(page.get_by_role("table").get_by_role("row").nth(1)).to_contain_text("antes 11")
    expect(told).to_have_count(0)

    # It was marked as seen, but her shift still lists it.
    page.goto(f"{demo_server.address}/shift")
    changes = page.get_by_role("region", name=re.compile("^Cambios en sus líneas"))
    expect(changes.get_by_role("listitem")).to_have_count(1)
    expect(changes.get_by_role("button")).to_have_count(0)
    row = page.get_by_role("region", name="Lo que registró").get_by_role("link", name=re.compile("Arriaga"))
    expect(row).to_contain_text("1 línea")
    row.click()
    expect(page).to_have_url(address)


def test_the_shift_fits_on_one_sheet_of_paper(page: Page, demo_server: Server) -> None:
    nurse = Caller(demo_server).sign_in("user")
    gauze = nurse.call("GET", f"products?q={quote('gasa esteril')}")["items"][0]["id"]
    for sheet in nurse.call("GET", "consumption-sheets?limit=50")["items"]:
        nurse.post(f"consumption-sheets/{sheet['id']}/consumption-details", product_id=gauze, quantity=2)
    sign_in(page, demo_server, "user")
    page.goto(f"{demo_server.address}/shift")
    expect(page.get_by_role("region", name="Lo que registró").get_by_role("listitem").nth(5)).to_be_visible()
    paper = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", paper)) == 1
    page.emulate_media(media="print")
    expect(page.get_by_text("Entrega de turno")).to_be_visible()
    expect(page.get_by_role("button", name="Imprimir")).to_be_hidden()
