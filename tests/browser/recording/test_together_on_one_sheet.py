"""Two users on one sheet, and a lost answer of the server."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.recording.test_main_job import choose, record
from tests.browser.screens import a_new_sheet, forget_session, sign_in
from tests.servers import Server

pytestmark = pytest.mark.browser

# Sheets are polled every five seconds.


@contextmanager
def no_complaints(*pages: Page) -> Iterator[None]:
    """Check for console errors, except logs of failed requests."""
    said: list[str] = []
    for page in pages:
        page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: said.append(str(error)))
    yield
    assert [text for text in said if "Failed to load resource" not in text] == []


def product(page: Page) -> str:
    return page.get_by_role("combobox", name="Producto").input_value()


@pytest.fixture
def nurse(browser: Browser) -> Iterator[Page]:
    """A nurse on another computer."""
    context = browser.new_context()
    yield context.new_page()
    context.close()


def test_two_users_see_each_others_changes_and_keep_drafts(page: Page, nurse: Page, demo_server: Server) -> None:
    with no_complaints(page, nurse):
        _, address = a_new_sheet(demo_server)
        for who, name in ((page, "supervisor"), (nurse, "user")):
            sign_in(who, demo_server, name)
            who.goto(address)
        record(nurse, "gasa esteril", "2")

        expect(page.get_by_role("status").filter(has_text=re.compile(r"registró 2 Gasa"))).to_be_visible()
        row = page.get_by_role("table").get_by_role("row").nth(1)
        expect(row).to_contain_text("Nuevo")
        expect(page.get_by_label("Paciente").get_by_text("1 línea", exact=True)).to_be_visible()

        row.get_by_role("button", name=re.compile("^Editar")).click()
        page.get_by_role("table").get_by_label("Cantidad").fill("5")
        page.keyboard.press("Enter")
        expect(nurse.get_by_text(re.compile("Otra persona corrigió Gasa"))).to_be_visible()
        expect(nurse.get_by_role("table").get_by_role("row").nth(1)).to_contain_text("5")

        choose(nurse, "gasa esteril")
        nurse.keyboard.type("7")
        page.get_by_role("button", name="Cerrar hoja").click()
        dialog = page.get_by_role("dialog", name="Finalizar hoja de consumo?")
        expect(dialog.get_by_role("row").nth(1)).to_contain_text("1")
        dialog.get_by_role("button", name="Finalizar", exact=True).click()
        expect(nurse.get_by_text("Otra persona cerró esta hoja")).to_be_visible()
        kept = nurse.get_by_role("list", name="Sin registrar").get_by_role("listitem").filter(has_text="Gasa")
        expect(kept.get_by_role("textbox")).to_have_value("7")


def test_a_usual_product_is_chosen_by_number_and_undone(page: Page, demo_server: Server) -> None:
    with no_complaints(page):
        sign_in(page, demo_server, "user")
        page.goto(demo_server.address)
        page.get_by_role("link", name="Hojas de consumo", exact=True).click()
        page.get_by_role("table").get_by_role("row").nth(1).get_by_role("link").first.click()
        page.get_by_role("combobox", name="Producto").click()
        usual = page.get_by_role("option")
        expect(usual.nth(3)).to_be_visible()
        offered = usual.nth(2).inner_text()
        page.keyboard.press("Escape")
        rows = page.get_by_role("table").get_by_role("row")
        count = page.locator("#details-title")
        before = count.inner_text()

        # At a person's pace: "3" and Enter within milliseconds may be a scanned code, which is asked about.
        page.keyboard.type("3", delay=60)
        page.keyboard.press("Enter")
        expect(page.get_by_role("combobox", name="Producto")).not_to_have_value(re.compile(r"^\d*$"))
        third = product(page)
        assert third in offered
        page.keyboard.type("2,5", delay=60)
        page.keyboard.press("Enter")
        expect(rows.nth(1)).to_contain_text(third)
        expect(rows.nth(1)).to_contain_text("2,5")
        expect(rows.nth(1).get_by_role("button", name=f"Deshacer {third}")).to_be_visible()

        page.keyboard.press("Control+z")
        expect(page.get_by_text(re.compile("^Deshecho: ")).first).to_be_visible()
        expect(count).to_have_text(before)
        # The undone line does not return to the record bar.
        assert product(page) == ""


@pytest.mark.walk
def test_an_unconfirmed_line_is_recorded_once_after_signing_in(page: Page, demo_server: Server) -> None:
    sign_in(page, demo_server, "supervisor")
    _, address = a_new_sheet(demo_server)
    page.goto(address)
    sheet = page.url
    adding = re.compile(r"/api/consumption-sheets/\d+/consumption-details$")

    # The server records the line, but its answer is lost.
    page.route(
        adding, lambda route: (route.fetch(), route.abort()) if route.request.method == "POST" else route.continue_()
    )
    record(page, "gasa esteril", "4")
    expect(page.get_by_text("+ 1 sin enviar")).to_be_visible()
    page.unroute(adding)

    forget_session(page)
    page.goto(sheet)
    page.get_by_label("Correo electrónico").fill("supervisor@consumo.test")
    page.get_by_label("Contraseña", exact=True).fill("consumo-demo-2026")
    page.keyboard.press("Enter")
    expect(page).to_have_url(sheet)
    expect(page.get_by_label("Paciente").get_by_text("1 línea", exact=True)).to_be_visible()
    expect(page.get_by_text(re.compile("sin enviar"))).to_have_count(0)
    expect(page.get_by_role("table").get_by_role("row")).to_have_count(2)
