"""Wristbands, packs and questions in quick succession, on slow networks: each pack is recorded for its patient."""

from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.device_storage import until_kept
from tests.browser.recording.test_scanning import Scanner, bar, open_rows, products
from tests.browser.recording.test_wristbands import admit
from tests.browser.screens import Caller, a_page, settle, sign_in
from tests.servers import Server

pytestmark = pytest.mark.browser
# The model of all sequences is ui/src/scan/model.test.ts; these are the ones that need a page.
WALK = partial(pytest.param, marks=pytest.mark.walk)
__all__ = ["products"]

FIRST, SECOND = "RP-2026-0001", "RP-2026-0002"
# Answers of the lookup arrive late.
LATE = """delay => {
    const send = window.fetch;
    window.fetch = async (...given) => {
        const answer = await send(...given);
        const { url = String(given[0]) } = given[0];
        if (url.includes('/products/lookup')) await new Promise(done => setTimeout(done, delay));
        return answer;
    };
}"""


class Ward:
    """Two patients, with the first one's sheet open on the page."""

    def __init__(self, page: Page, server: Server, products: list[dict[str, Any]], who: str = "user") -> None:
        self.page, self.server = page, server
        self.supervisor = Caller(server).sign_in("supervisor")
        self.first = admit(self.supervisor, FIRST, "Primera")
        self.second = admit(self.supervisor, SECOND, "Segunda")
        self.packs = [product["gtin"] for product in products]
        self.ids = [product["id"] for product in products]
        self.names = {product["id"]: product["name"] for product in products}
        sign_in(page, server, who)
        page.goto(self.address(self.first))
        settle(page)
        expect(bar(page)).to_be_focused()
        # Without the catalogue, a code behind a typed number is asked about.
        until_kept(page, "catalogue")

    def address(self, sheet: int) -> str:
        return f"{self.server.address}/consumption-sheet-details/{sheet}/consumption-details"

    def lines(self, sheet: int) -> list[tuple[int, float]]:
        """Read product and quantity of the lines after that of the admission."""
        path = f"consumption-sheets/{sheet}/consumption-details"
        items = self.supervisor.call("GET", path)["items"]
        return [(line["product_id"], line["quantity"]) for line in items[::-1]][1:]

    def expect_lines(self, first: list[tuple[int, float]], second: list[tuple[int, float]]) -> None:
        shown = second if self.page.url == self.address(self.second) else first
        for product, _ in shown:
            expect(self.page.locator("[role=row]").filter(has_text=self.names[product]).first).to_be_visible()
        expect(open_rows(self.page)).to_have_text([])
        expect(self.page.locator("[role=row][aria-busy=true]")).to_have_count(0)
        assert (self.lines(self.first), self.lines(self.second)) == (first, second)


@pytest.fixture
def ward(browser: Browser, demo_server: Server, products: list[dict[str, Any]]) -> Any:
    with a_page(browser) as (page, complaints):
        yield Ward(page, demo_server, products)
        # A session ends in a test.
        assert [one for one in complaints if "401" not in one] == []


@pytest.mark.parametrize("delay", [WALK(0), WALK(200), 800, WALK(3000)])
@pytest.mark.parametrize("every", [WALK(36), 60, WALK(120)])
def test_a_pack_behind_a_wristband_is_its_patient_s(ward: Ward, every: int, delay: int) -> None:
    page = ward.page
    page.evaluate(LATE, delay)
    scanner = Scanner(page, every=every)
    scanner.scan(ward.packs[0])
    scanner.scan(SECOND)
    scanner.scan(ward.packs[1])
    scanner.scan(ward.packs[2])
    expect(page).to_have_url(ward.address(ward.second))
    ward.expect_lines([(ward.ids[0], 1)], [(ward.ids[1], 1), (ward.ids[2], 1)])
    area = ward.supervisor.call("GET", f"consumption-sheets/{ward.second}/consumption-details")["items"][0]["area_id"]
    assert area is not None


@pytest.mark.parametrize("delay", [0, WALK(800)])
def test_cancelling_gives_back_what_waited_by_name(ward: Ward, products: list[dict[str, Any]], delay: int) -> None:
    page = ward.page
    page.evaluate(LATE, delay)
    scanner = Scanner(page, every=20)
    scanner.scan("ZZ-UNKNOWN-1")
    expect(page.get_by_text("Código desconocido: ZZ-UNKNOWN-1")).to_be_visible()
    scanner.scan(SECOND)
    question = page.get_by_role("dialog", name="¿Ir a la hoja de otro paciente?")
    expect(question).to_contain_text("Ana Segunda")
    expect(question).to_contain_text("Ana Primera")
    scanner.scan(ward.packs[0])
    question.get_by_role("button", name="Cancelar").click()
    band = page.get_by_role("alert").filter(has_text="Ana Segunda")
    expect(band).to_contain_text(products[0]["name"])
    assert (ward.lines(ward.first), ward.lines(ward.second)) == ([], [])
    band.get_by_role("button", name="Ir a Ana Segunda").click()
    question.get_by_role("button", name="Ir sin registrar").click()
    expect(page).to_have_url(ward.address(ward.second))
    ward.expect_lines([], [(ward.ids[0], 1)])


def test_a_wristband_in_the_quantity_changes_the_patient(ward: Ward) -> None:
    page = ward.page
    page.keyboard.type("gasa esteril", delay=60)
    page.get_by_role("option").first.click()
    expect(page.get_by_role("textbox", name="Cantidad", exact=True)).to_be_focused()
    scanner = Scanner(page, every=60)
    scanner.scan(SECOND)
    question = page.get_by_role("dialog", name="¿Ir a la hoja de otro paciente?")
    expect(question).to_be_visible()
    scanner.scan(ward.packs[0])
    question.get_by_role("button", name="Ir sin registrar").click()
    expect(page).to_have_url(ward.address(ward.second))
    ward.expect_lines([], [(ward.ids[0], 1)])


@pytest.mark.parametrize("every", [20, WALK(60), WALK(120)])
def test_a_wristband_in_the_open_menu_changes_the_patient(ward: Ward, every: int) -> None:
    page = ward.page
    page.get_by_role("button", name="Más acciones", exact=True).click()
    expect(page.get_by_role("menu")).to_be_visible()
    scanner = Scanner(page, every=every)
    scanner.scan(SECOND)
    scanner.scan(ward.packs[0])
    expect(page).to_have_url(ward.address(ward.second))
    ward.expect_lines([], [(ward.ids[0], 1)])


def test_a_wristband_closes_the_question_about_closing(ward: Ward) -> None:
    page = ward.page
    page.get_by_role("button", name="Cerrar hoja").click()
    question = page.get_by_role("dialog")
    expect(question).to_be_visible()
    scanner = Scanner(page, every=20)
    scanner.scan(SECOND)
    scanner.scan(ward.packs[0])
    expect(page).to_have_url(ward.address(ward.second))
    expect(question).to_be_hidden()
    ward.expect_lines([], [(ward.ids[0], 1)])
    assert ward.supervisor.call("GET", f"consumption-sheets/{ward.first}")["closed"] is False


def test_a_pack_waits_while_closing_is_asked(ward: Ward) -> None:
    page = ward.page
    page.get_by_role("button", name="Cerrar hoja").click()
    question = page.get_by_role("dialog")
    expect(question).to_be_visible()
    Scanner(page, every=20).scan(ward.packs[0])
    expect(page.get_by_text("espera su turno.")).to_be_attached()
    assert ward.lines(ward.first) == []
    question.get_by_role("button", name="Cancelar").click()
    ward.expect_lines([(ward.ids[0], 1)], [])


def test_a_quantity_typed_at_a_line_holds_for_the_next_scan(ward: Ward) -> None:
    page = ward.page
    scanner = Scanner(page, every=20)
    scanner.scan(ward.packs[0])
    quantity = open_rows(page).get_by_role("textbox").first
    quantity.click()
    page.keyboard.press("Control+a")
    # No user types a quantity and scans within a tenth of a second.
    scanner.scan(f"4{ward.packs[1]}", pause=400, after=1)
    ward.expect_lines([(ward.ids[0], 4), (ward.ids[1], 1)], [])


def test_a_scan_after_the_session_is_kept_for_its_owner(ward: Ward) -> None:
    page = ward.page
    scanner = Scanner(page, every=20)
    scanner.scan(ward.packs[0])
    ward.expect_lines([(ward.ids[0], 1)], [])
    page.route("**/api/**", lambda route: route.fulfill(status=401, json={"message": ["Sesión terminada"]}))
    scanner.scan(ward.packs[1])
    email = page.get_by_role("textbox", name="Correo electrónico")
    expect(email).to_be_visible()
    page.unroute_all()
    scanner.scan(ward.packs[2])
    expect(email).to_have_value("")
    expect(page.get_by_text("y no se registró. Inicie sesión").first).to_be_visible()
    sign_in(page, ward.server, "user")
    page.goto(ward.address(ward.first))
    expect(open_rows(page)).to_have_count(2)
    assert ward.lines(ward.first) == [(ward.ids[0], 1)]
