"""Merging two patient records, and undoing it."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.screens import Caller, a_page, settle, sign_in
from tests.servers import Server

pytestmark = pytest.mark.browser


def a_double(server: Server) -> tuple[int, int, int]:
    """Two records of one person, and the open sheet of the second record."""
    admin = Caller(server).sign_in("admin")
    room = admin.call("GET", "rooms?limit=1")["items"][0]["id"]
    one = admin.post(
        "patients", name="Remedios", first_surname="Zúñiga", second_surname="Ortiz", record_number="EXP-Z1", active=1
    )["id"]
    other = admin.post(
        "patients",
        name="Remedios",
        first_surname="Zuñiga",
        record_number="EXP-Z2",
        date_of_birth="1961-02-03",
        active=1,
    )["id"]
    for patient in (one, other):
        admission = {"patient_id": patient, "room_id": room, "admission_date": "2026-01-05"}
        sheet = admin.post("consumption-sheets", **admission)["id"]
    return one, other, sheet


def is_as_wide_as_the_window(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


@pytest.mark.parametrize(("width", "height"), [pytest.param(1366, 768, marks=pytest.mark.walk), (360, 780)])
def test_two_patient_records_are_merged_and_unmerged(
    browser: Browser, demo_server: Server, width: int, height: int
) -> None:
    one, other, sheet = a_double(demo_server)
    with (
        a_page(browser, viewport={"width": 1366, "height": 768}) as (colleague, _),
        a_page(browser, viewport={"width": width, "height": height}) as (page, _),
    ):
        sign_in(colleague, demo_server, "user")
        colleague.goto(f"{demo_server.address}/consumption-sheet-details/{sheet}/consumption-details")
        expect(colleague.get_by_text("Remedios Zuñiga").first).to_be_visible()

        sign_in(page, demo_server, "admin")
        page.goto(f"{demo_server.address}/patients/{other}")
        page.get_by_role("link", name="Es la misma persona que…").click()
        field = page.get_by_role("combobox", name=re.compile("Es la misma persona que"))
        field.fill("EXP-Z1")
        page.get_by_role("option", name=re.compile("Remedios Zúñiga Ortiz")).click()
        expect(page.get_by_text(re.compile("Ambos tienen una hoja abierta"))).to_be_visible()
        expect(
            page.get_by_text(re.compile("Pasa 1 hoja abierta y ninguna cerrada a Remedios Zúñiga Ortiz"))
        ).to_be_visible()
        page.get_by_role("button", name="Se registró dos veces").click()
        settle(page)
        assert is_as_wide_as_the_window(page)
        page.get_by_role("button", name="Unir expedientes").click()
        expect(page).to_have_url(re.compile(f"/patients/{one}$"))
        expect(page.get_by_text("1961").first).to_be_visible()

        # Other users with an open sheet of the patient see the change at once.
        expect(colleague.get_by_text("Remedios Zúñiga Ortiz").first).to_be_visible()

        # The old record number finds the record that is kept.
        page.goto(f"{demo_server.address}/patients?q=EXP-Z2")
        page.get_by_role("link", name=re.compile("Remedios Zúñiga Ortiz")).first.click()
        expect(page).to_have_url(re.compile(f"/patients/{one}$"))

        # The old address leads to that record, with an explanation.
        page.goto(f"{demo_server.address}/patients/{other}")
        expect(page).to_have_url(re.compile(f"/patients/{one}$"))
        page.get_by_role("link", name="Ver ese expediente").click()
        expect(page.get_by_text("Este expediente se unió a")).to_be_visible()
        settle(page)
        assert is_as_wide_as_the_window(page)
        page.get_by_role("button", name="Deshacer la unión").click()
        page.get_by_role("dialog").get_by_role("button", name="Deshacer la unión").click()
        expect(page.get_by_text("Este expediente se unió a")).to_be_hidden()
        expect(colleague.get_by_text("Remedios Zuñiga").first).to_be_visible()
