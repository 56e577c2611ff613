"""An administrator gives the hospital its name, clock and logo."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.screens import sign_in
from tests.builders import an_image
from tests.servers import Server

pytestmark = pytest.mark.browser


def test_name_and_logo_are_seen_at_the_next_sign_in(demo_server: Server, page: Page) -> None:
    sign_in(page, demo_server, "admin")
    page.goto(demo_server.address)
    page.get_by_role("link", name="Hospital", exact=True).click()
    page.get_by_label("Nombre").fill("Hospital General San José")
    page.get_by_label("Zona horaria").select_option("America/Guayaquil")
    # The logo is saved at once, and the form keeps what was typed.
    page.get_by_test_id("logo").set_input_files({"name": "logo.png", "mimeType": "image/png", "buffer": an_image()})
    expect(page.get_by_role("img", name="Logotipo")).to_be_visible()
    paper = page.get_by_role("region", name="Vista previa del papel")
    expect(paper).to_be_visible()
    page.get_by_role("button", name="Guardar").click()
    expect(page.get_by_text("Ajustes guardados")).to_be_visible()
    menu = page.get_by_role("complementary")
    expect(menu.get_by_text("Hospital General San José")).to_be_visible()
    page.reload()
    expect(page.get_by_label("Nombre")).to_have_value("Hospital General San José")
    expect(page.get_by_label("Zona horaria")).to_have_value("America/Guayaquil")

    browser = page.context.browser
    assert browser is not None
    with browser.new_context() as stranger:
        login = stranger.new_page()
        login.goto(demo_server.address)
        expect(login.get_by_text("Hospital General San José")).to_be_visible()
        expect(login.locator("main img")).to_have_js_property("naturalWidth", 320)


def test_a_supervisor_has_no_such_page(demo_server: Server, page: Page) -> None:
    sign_in(page, demo_server, "supervisor")
    page.goto(demo_server.address)
    expect(page.get_by_role("link", name="Usuarios")).to_be_visible()
    expect(page.get_by_role("link", name="Hospital", exact=True)).to_have_count(0)
