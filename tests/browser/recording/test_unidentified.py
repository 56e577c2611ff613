"""Admitting an unidentified patient, and identifying them later."""

import re

import pytest
from playwright.sync_api import Browser, FilePayload, Page, expect

from tests.browser.screens import Caller, a_page, settle, sign_in
from tests.servers import Server

pytestmark = pytest.mark.browser


def is_as_wide_as_the_window(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


@pytest.mark.parametrize(("width", "height"), [pytest.param(1366, 768, marks=pytest.mark.walk), (360, 780)])
def test_an_unidentified_patient_is_admitted_and_identified(
    browser: Browser, demo_server: Server, width: int, height: int
) -> None:
    admin = Caller(demo_server).sign_in("admin")
    room = admin.call("GET", "rooms?limit=1")["items"][0]["id"]
    known = admin.post("patients", name="Remedios", first_surname="Tulcán", record_number="EXP-U1", active=1)["id"]
    with a_page(browser, viewport={"width": width, "height": height}) as (page, _):
        sign_in(page, demo_server, "user")
        page.goto(f"{demo_server.address}/consumption-sheets/create?room={room}")
        page.get_by_role("link", name="Paciente sin identificar").click()
        page.get_by_label("Sexo").select_option("male")
        page.get_by_label("Edad aproximada").fill("40")
        settle(page)
        assert is_as_wide_as_the_window(page)
        page.get_by_role("button", name="Crear hoja").click()

        # Recording begins at once.
        expect(page).to_have_url(re.compile("/consumption-details$"))
        expect(page.get_by_role("heading", name=re.compile("Sin identificar 1 · hombre · ~40 años"))).to_be_visible()
        sheet = page.url
        settle(page)
        assert is_as_wide_as_the_window(page)

        page.get_by_role("link", name="Identificar").click()
        page.get_by_role("button", name="Ya está registrado").click()
        page.get_by_role("combobox", name=re.compile("Paciente")).fill("EXP-U1")
        page.get_by_role("option", name=re.compile("Remedios Tulcán")).click()
        settle(page)
        assert is_as_wide_as_the_window(page)
        page.get_by_role("button", name="Identificar").click()

        expect(page).to_have_url(sheet)
        expect(page.get_by_role("heading", name="Remedios Tulcán")).to_be_visible()
        expect(page.get_by_role("link", name="Identificar")).to_be_hidden()
    assert admin.call("GET", f"patients/{known}")["open_sheets"] == 1


def test_cards_of_imported_users_are_printed_eight_a_page(browser: Browser, demo_server: Server) -> None:
    rows = "".join(f"tarjeta{number}@hospital.test;Enfermera;Ana {number};Gil\n" for number in range(9))
    file: FilePayload = {
        "name": "usuarios.csv",
        "mimeType": "text/csv",
        "buffer": f"Correo;Rol;Nombre;Apellido\n{rows}".encode(),
    }
    with a_page(browser, viewport={"width": 1366, "height": 768}) as (page, _):
        sign_in(page, demo_server, "admin")
        page.goto(f"{demo_server.address}/users")
        page.get_by_role("link", name="Importar").click()
        page.locator("input[type=file]").set_input_files(file)
        page.get_by_role("button", name="Comprobar").click()
        page.get_by_role("button", name="Importar 9 filas").click()
        page.get_by_role("link", name="Tarjetas de acceso").click()
        page.get_by_role("button", name="Crear tarjetas").click()
        expect(page.get_by_text("9 tarjetas listas, en 2 páginas.")).to_be_visible()
        page.emulate_media(media="print")
        cards = page.locator("[data-printed-alone] > *")
        expect(cards).to_have_count(9)
        boxes = [cards.nth(number).bounding_box() for number in range(9)]
        # Eight of them within the smaller of A4 and letter, with margins of a centimetre.
        a_millimetre = 96 / 25.4
        first, eighth = boxes[0], boxes[7]
        assert first is not None
        assert eighth is not None
        assert eighth["y"] + eighth["height"] - first["y"] <= (279 - 20) * a_millimetre
        assert eighth["x"] + eighth["width"] - first["x"] <= (210 - 20) * a_millimetre
        assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))) == 2
