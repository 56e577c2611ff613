"""Transferring a patient to another room, and undoing the transfer."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.screens import Caller, keep_toasts, sign_in
from tests.servers import Server

pytestmark = pytest.mark.browser


def transfer(page: Page, room: str, *, earlier: str = "") -> None:
    page.get_by_role("button", name="Más acciones", exact=True).click()
    page.get_by_role("menuitem", name="Trasladar…").click()
    dialog = page.get_by_role("dialog", name="Trasladar a otra habitación")
    chosen = dialog.get_by_role("combobox", name="Nueva habitación")
    expect(chosen).to_be_focused()
    chosen.fill(room)
    page.get_by_role("option", name=re.compile(f"^{room}")).first.click()
    if earlier:
        dialog.get_by_role("button", name="Fue antes").click()
        dialog.get_by_label("Momento del traslado").fill(earlier)
    dialog.get_by_role("button", name="Trasladar", exact=True).click()


@pytest.mark.parametrize("who", [pytest.param("supervisor", marks=pytest.mark.walk), "user"])
def test_a_transfer_can_be_undone_with_the_permission(page: Page, demo_server: Server, who: str) -> None:
    admin = Caller(demo_server).sign_in("admin")
    sheet = admin.call("GET", "consumption-sheets?sort=admission_date&limit=1")["items"][0]
    before = sheet["room"]["name"]
    rooms = [room["name"] for room in admin.call("GET", "rooms?limit=100")["items"] if room["id"] != sheet["room_id"]]
    keep_toasts(page)
    sign_in(page, demo_server, who)
    page.goto(f"{demo_server.address}/consumption-sheet-details/{sheet['id']}/consumption-details")
    head = page.get_by_role("region", name="Paciente")
    expect(head).to_contain_text(before)

    transfer(page, rooms[0])
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(head).to_contain_text(re.compile(rf"{re.escape(before)} \(.+\) → {re.escape(rooms[0])}"))
    undo = page.get_by_role("alert").get_by_role("button", name="Deshacer")
    if who == "user":
        expect(undo).to_have_count(0)
        return
    undo.click()
    expect(page.get_by_text("Traslado deshecho")).to_be_visible()
    expect(head).not_to_contain_text("→")

    # A time before the admission is an error at its field.
    transfer(page, rooms[1], earlier="2001-01-01T10:00")
    expect(page.get_by_text(re.compile("es anterior al ingreso")).first).to_be_visible()
