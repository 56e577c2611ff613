"""Unsent lines of a device in the supervisor's worklist, and the status page."""

import re

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.recording.test_main_job import record
from tests.browser.recording.test_outbox import SENT, unsent
from tests.browser.screens import a_new_sheet, a_page, keep_toasts, settle, sign_in
from tests.servers import Server

pytestmark = pytest.mark.browser

REFUSAL = {
    "message": ["Elija otro producto."],
    "errors": [{"field": "product_id", "code": "product.inactive", "message": "Elija otro producto."}],
}
DEVICES = "Equipos con líneas sin enviar"


def refuse_lines(page: Page) -> None:
    """Answer each line as a server that does not take it."""

    def refuse(route: Route) -> None:
        if route.request.method == "POST":
            route.fulfill(status=422, json=REFUSAL)
        else:
            route.continue_()

    page.context.route(SENT, refuse)


def until_reported(page: Page, lines: int) -> None:
    """Wait until the server has accepted a report of that many unsent lines."""
    # The driver does not show every request that may outlive its page; the device notes what the server accepted.
    page.wait_for_function(
        """lines => {
            const reports = Object.values(JSON.parse(localStorage.outboxReported ?? '{}'));
            return reports.reduce((sum, {count}) => sum + count, 0) === lines;
        }""",
        arg=lines,
    )


@pytest.mark.parametrize(("width", "height"), [(1366, 768), pytest.param(360, 780, marks=pytest.mark.walk)])
def test_a_supervisor_sees_whose_lines_a_device_keeps(
    browser: Browser, demo_server: Server, width: int, height: int
) -> None:
    with a_page(browser) as (nurse, _), a_page(browser, viewport={"width": width, "height": height}) as (page, _):
        sign_in(nurse, demo_server, "user")
        _, address = a_new_sheet(demo_server)
        nurse.goto(address)
        refuse_lines(nurse)
        record(nurse, "gasa esteril", "3")
        unsent(nurse, 1)
        until_reported(nurse, 1)

        keep_toasts(page)
        sign_in(page, demo_server, "supervisor")
        page.goto(f"{demo_server.address}/worklist")
        devices = page.get_by_role("region", name=DEVICES)
        row = devices.get_by_role("listitem")
        expect(row).to_contain_text("María Fernanda Núñez Ibarra")
        expect(row).to_contain_text("1 línea sin enviar desde el")
        settle(page)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        row.get_by_role("button", name=re.compile("^Está bien")).click()
        expect(devices).to_be_hidden()
        page.get_by_role("button", name="Deshacer").click()
        expect(row).to_be_visible()

        nurse.get_by_role("button", name=re.compile("^1 sin enviar")).click()
        drawer = nurse.get_by_role("dialog", name="Sin enviar en este equipo")
        drawer.get_by_role("button", name="Descartar").click()
        question = drawer.get_by_role("group", name="¿Descartar esta línea?")
        question.get_by_role("button", name="Descartar").click()
        until_reported(nurse, 0)
        page.reload()
        expect(page.get_by_role("heading", name="Por atender")).to_be_visible()
        settle(page)
        expect(devices).to_be_hidden()


def test_an_administrator_sees_what_needs_attention(browser: Browser, demo_server: Server) -> None:
    with a_page(browser) as (page, _):
        sign_in(page, demo_server, "admin")
        page.goto(demo_server.address)
        page.get_by_role("link", name="Estado", exact=True).click()
        expect(page.get_by_role("heading", name=re.compile("necesitan? atención$"))).to_be_visible()
        for name, words in (
            ("Servidor", r"Versión \d"),
            ("Base de datos", r"SQLite · .* libres en el disco"),
            ("Última copia de seguridad", "programe «consumo backup»"),
            ("Zona horaria", "Sigue en UTC"),
        ):
            part = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name=name, exact=True))
            expect(part).to_contain_text(re.compile(words))
