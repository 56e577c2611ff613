"""Recording on a sheet, the main task of users.

Uses a real catalogue if one is available: every sixtieth row, or all rows with `make walk`.
"""

import re
from contextlib import suppress
from decimal import Decimal
from pathlib import Path

import pytest
from playwright.sync_api import Error, Page, Response, expect

from tests.real_files import file_at_hand
from tests.servers import Server, consumo
from tests.walk import WALKS_ALL

pytestmark = pytest.mark.browser

PASSWORD = "consumo-demo-2026"
KENNESTONE = file_at_hand("kennestone-supplies.txt")

# Searches for ten products: with typos, without accents, or by the hospital's own code.
TEN_SEARCHES = (
    "jeringa desechable 5 ml",
    "cateter intravenoso 20g",
    "gasa esteril",
    "solucion salina 500",
    "guante nitrilo talla m",
    "canula nasal adulto",
    "sonda foley 16",
    "MC-0001",
    "venda elastica",
    "jeringa desechable 3 ml",
)


def sign_in(page: Page, server: Server, email: str) -> None:
    page.goto(server.address)
    page.get_by_label("Correo electrónico").fill(email)
    page.get_by_label("Contraseña", exact=True).fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Cerrar sesión")).to_be_visible()


def open_sheet(page: Page, server: Server, patient: str, room: str) -> None:
    page.goto(f"{server.address}/consumption-sheets/create")
    for label, text in (("Paciente", patient), ("Habitación", room)):
        field = page.get_by_role("combobox", name=label)
        field.click()
        field.fill(text)
        page.get_by_role("option").first.click()
    page.get_by_label("Médico").fill("Dra. Lucía Quiroga")
    page.get_by_label("Diagnóstico").fill("Neumonía adquirida en la comunidad")
    page.get_by_role("button", name="Crear hoja").click()
    expect(page).to_have_url(re.compile(r"/consumption-sheet-details/\d+/consumption-details$"))


def amount(text: str | None) -> Decimal:
    """The amount of a Spanish text such as $1.234,50."""
    return Decimal(re.sub(r"[^\d,]", "", text or "").replace(",", "."))


def record(page: Page, search: str, quantity: str, asked: str = "") -> None:
    """Record with the keyboard; Enter answers the expected question, if any."""
    product = page.get_by_role("combobox", name="Producto")
    expect(product).to_be_focused()
    if re.search(r"^\S*\d\S*$", search):
        # A product code becomes a line at once, with the quantity typed before it.
        page.keyboard.type(f"{quantity}×{search}", delay=50)
        page.keyboard.press("Enter")
        # Until the code is looked up, its row has no quantity.
        expect(page.get_by_role("list", name="Sin registrar").get_by_role("textbox").first).to_be_visible()
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Enter")
    else:
        choose(page, search)
        page.keyboard.type(quantity, delay=60)
        page.keyboard.press("Enter")
    if asked:
        expect(page.get_by_text(asked)).to_be_visible()
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Enter")
        expect(page.get_by_text(asked)).to_have_count(0)
    expect(product).to_be_focused()
    expect(product).to_have_value("")


def choose(page: Page, search: str) -> None:
    """Enter searches; a second Enter picks the first of several results."""
    page.keyboard.type(search, delay=50)
    page.keyboard.press("Enter")
    in_quantity = page.locator("input[data-path=quantity]:focus")
    several = page.get_by_role("option").nth(1)
    expect(in_quantity.or_(several).first).to_be_visible()
    if several.is_visible():
        page.keyboard.press("Enter")
    expect(in_quantity).to_be_visible()


def test_a_supervisor_records_corrects_and_closes_by_keyboard(page: Page, demo_server: Server, tmp_path: Path) -> None:
    if KENNESTONE:
        header, *rows = KENNESTONE.read_bytes().splitlines(keepends=True)
        catalogue = tmp_path / "catalogue.txt"
        catalogue.write_bytes(header + b"".join(rows if WALKS_ALL else rows[::60]))
        columns = ("--code", "Supply #", "--name", "Procedure Description", "--price", "Unit Price")
        consumo("import", "products", str(catalogue), *columns, database_url=demo_server.database_url)
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    sign_in(page, demo_server, "supervisor@consumo.test")
    open_sheet(page, demo_server, "Arriaga", "Habitación 5")

    for count, search in enumerate(TEN_SEARCHES, 1):
        # For this product, a twentieth of a package is the usual quantity.
        asked = "8 es mucho: lo habitual es 0,05." if search == "MC-0001" else ""
        record(page, search, "0,5" if count == 2 else str(count), asked)
        expect(page.get_by_role("table").get_by_role("row")).to_have_count(count + 1)

    first = page.get_by_role("table").get_by_role("row").nth(1)
    first.get_by_role("button", name=re.compile("^Editar")).click()
    editing = page.get_by_role("table").get_by_label(re.compile("^Cantidad"))
    editing.fill("3")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Detalle de la hoja de consumo actualizado").first).to_be_visible()

    details = page.request.get(
        f"{demo_server.address}/api/consumption-sheets/{page.url.split('/')[-2]}/consumption-details?limit=100",
        headers={"Authorization": f"Bearer {page.evaluate('localStorage.getItem(`token`)')}"},
    ).json()["items"]
    assert [Decimal(str(detail["quantity"])) for detail in details][::-1] == [
        *(Decimal("0.5") if count == 2 else Decimal(count) for count in range(1, 10)),
        Decimal(3),
    ]
    total = sum(Decimal(str(detail["total"])) for detail in details)

    page.get_by_role("button", name="Cerrar hoja").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("Finalizar hoja de consumo?")).to_be_visible()
    dialog.get_by_role("button", name="Finalizar", exact=True).click()
    expect(page.get_by_text("Hoja de consumo finalizada").first).to_be_visible()
    expect(page).to_have_url(re.compile("/consumption-sheets$"))

    page.goto(f"{demo_server.address}/consumption-sheets/closed")
    closed = page.get_by_role("table").get_by_role("row").filter(has_text="Arriaga").first
    expect(closed).to_contain_text("$")
    shown = re.findall(r"\$[\d.]+,\d{2}", closed.inner_text())
    assert amount(shown[-1]) == total
    # There is no error, and no violation of the Content-Security-Policy.
    # The browser logs the 422 with the question about the eighth line.
    assert [one for one in complaints if "422" not in one] == []


def test_ward_staff_record_as_themselves_and_see_no_price(page: Page, demo_server: Server) -> None:
    answers: list[str] = []

    def note(response: Response) -> None:
        # A page that is left drops its answers.
        with suppress(Error):
            if "/api/" in response.url:
                answers.append(response.text())

    page.on("response", note)
    sign_in(page, demo_server, "user@consumo.test")
    open_sheet(page, demo_server, "Arriaga", "Habitación 5")
    expect(page.get_by_role("combobox", name="Personal")).to_have_count(0)
    record(page, "gasa esteril", "2")
    expect(page.get_by_role("table").get_by_role("row")).to_have_count(2)
    # They may correct their own line, once it is stored.
    expect(page.get_by_role("button", name=re.compile("^Editar .*[Gg]asa"))).to_be_visible()
    assert "$" not in page.inner_text("body")
    page.wait_for_load_state("networkidle")
    assert len(answers) > 5
    assert not [answer for answer in answers if re.search(r'"(unit_price|price)"|"total":\d+\.', answer)]


def test_a_newcomer_must_complete_the_profile_first(page: Page, demo_server: Server) -> None:
    sign_in(page, demo_server, "new@consumo.test")
    expect(page).to_have_url(re.compile("/auth/profile$"))
    page.goto(f"{demo_server.address}/consumption-sheets")
    expect(page).to_have_url(re.compile("/auth/profile$"))
    page.get_by_label("Nombre").fill("Íngrid")
    page.get_by_label("Primer apellido").fill("Ñíguez")
    page.get_by_role("button", name="Guardar").click()
    expect(page.get_by_role("heading", name="Inicio")).to_be_visible()
    expect(page.get_by_text("¿Dónde trabaja hoy?")).to_be_visible()


def test_a_failed_sign_in_is_explained_in_both_languages(page: Page, demo_server: Server) -> None:
    page.goto(f"{demo_server.address}/consumption-sheets/closed")
    expect(page).to_have_url(re.compile("/auth/login"))
    page.get_by_label("Correo electrónico").fill("user@consumo.test")
    page.get_by_label("Contraseña", exact=True).fill("wrong password")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Credenciales inválidas").first).to_be_visible()
    page.get_by_role("button", name="English").click()
    page.get_by_role("button", name="Log in").or_(page.get_by_role("button", name="Sign in")).first.click()
    expect(page.get_by_text("Invalid credentials").first).to_be_visible()


def test_an_open_page_of_a_closed_sheet_stops_recording(page: Page, demo_server: Server) -> None:
    sign_in(page, demo_server, "supervisor@consumo.test")
    open_sheet(page, demo_server, "Arriaga", "Habitación 5")
    expect(page.get_by_role("combobox", name="Producto")).to_be_visible()
    # The page reads the sheet after each detail. Wait for that, so that it doesn't notice the closing this way.
    with page.expect_response(re.compile(r"/api/consumption-sheets/\d+$")):
        record(page, "gasa esteril", "1")
    sheet_id = page.url.split("/")[-2]
    # Only Enter is left, because the page soon notices a closing by itself.
    choose(page, "gasa esteril")
    page.keyboard.type("2")
    closed = page.request.delete(
        f"{demo_server.address}/api/consumption-sheets/{sheet_id}/close",
        headers={"Authorization": f"Bearer {page.evaluate('localStorage.getItem(`token`)')}"},
    )
    assert closed.status == 200
    page.keyboard.press("Enter")
    expect(page.get_by_text("cerrada").first).to_be_visible()
    expect(page.get_by_role("combobox", name="Producto")).to_have_count(0)
