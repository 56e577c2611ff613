"""Importing a file on the screen: questions, check, import and undo."""

import csv
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages.test_each_role_s_day import toast
from tests.browser.screens import faults, sign_in
from tests.servers import Server

pytestmark = pytest.mark.browser

# A CSV of an old spreadsheet program: Windows-1252, semicolons, a title above; whether 1.234 is a thousand is
# ambiguous.
FILE = (
    "Lista de precios\n\nClave;Descripción;Precio\n"
    "ZZ-1;Férula de niño;1.234\nZZ-2;Férula de muñeca;2.500\nZZ-3;Férula sin precio;\n"
).encode("cp1252")


def drop(page: Page, content: bytes, name: str) -> None:
    page.evaluate(
        """([bytes, name]) => {
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([new Uint8Array(bytes)], name));
            const target = document.querySelector('main');
            for (const kind of ['dragover', 'drop'])
                target.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
        }""",
        [list(content), name],
    )


DOUBTFUL = (
    "Código;Nombre;Precio\nYY-1;Sonda fina;0,375\nYY-2;Sonda media;2,50\nYY-3;Sonda larga;1,005\nYY-4;Sonda;3,335\n"
).encode()


def test_warnings_are_confirmed_or_their_rows_left_out(page: Page, demo_server: Server) -> None:
    sign_in(page, demo_server, "supervisor")
    page.goto(f"{demo_server.address}/imports/create")
    page.locator("input[type=file]").set_input_files({"name": "sondas.csv", "mimeType": "text/csv", "buffer": DOUBTFUL})
    page.get_by_role("button", name="Comprobar").click()
    expect(page.get_by_role("button", name="3 Con advertencias")).to_have_attribute("aria-pressed", "true")
    reported = page.get_by_role("region", name="Con advertencias")
    expect(reported.get_by_role("row", name=re.compile("Sonda fina.*Precio: 0,375.*dos decimales"))).to_be_visible()
    page.get_by_role("searchbox", name="Buscar en las filas").fill("LARGA")
    expect(reported.get_by_role("row", name=re.compile("Sonda fina"))).to_be_hidden()
    page.get_by_role("checkbox", name="Dejar fuera la línea 4").check()
    expect(page.get_by_role("button", name=re.compile("^Importar [0-9]"))).to_be_hidden()
    assert faults(page, "rows that are left out") == []

    page.get_by_role("button", name="Comprobar otra vez sin esa fila").click()
    expect(page.get_by_role("button", name="1 Dejadas fuera")).to_be_visible()
    page.get_by_role("button", name="Importar 3 filas con 2 advertencias").click()
    expect(page.get_by_role("heading", name="Se importó sondas.csv")).to_be_focused()
    page.goto(f"{demo_server.address}/products?q=sonda%20larga")
    expect(page.get_by_text("No se encontraron datos")).to_be_visible()


def test_a_dropped_file_is_answered_checked_imported_and_undone(
    page: Page, demo_server: Server, tmp_path: Path
) -> None:
    sign_in(page, demo_server, "supervisor")
    page.goto(demo_server.address)
    page.get_by_role("link", name="Importaciones").click()
    page.get_by_role("link", name="Importar archivo").first.click()
    expect(page.get_by_role("button", name="Elegir archivo")).to_be_visible()
    drop(page, FILE, "precios.csv")

    # detected settings, and a question
    expect(page.get_by_label("Codificación de caracteres")).to_have_value("windows-1252")
    expect(page.get_by_label("Encabezado")).to_have_value("3")
    expect(page.get_by_role("combobox", name="Campo de la columna Clave")).to_have_value("code")
    check = page.get_by_role("button", name="Comprobar")
    expect(check).to_be_disabled()
    assert faults(page, "a question") == []
    page.get_by_label(re.compile("¿Cuál es el separador decimal")).select_option("coma")
    expect(page.get_by_text("$1,234.00").or_(page.get_by_text("$1.234,00"))).to_be_visible()

    assert faults(page, "what is asked and shown") == []

    # the check
    check.click()
    expect(page.get_by_role("heading", name="Esto es lo que pasaría")).to_be_focused()
    expect(page.get_by_role("button", name="2 Nuevas")).to_be_visible()
    expect(page.get_by_role("row", name=re.compile("Férula sin precio.*Complete el campo «Precio»"))).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Descargar la fila rechazada").click()
    refused = tmp_path / "refused.csv"
    download.value.save_as(refused)
    assert list(csv.reader(refused.read_text("utf-8-sig").splitlines())) == [
        ["Clave", "Descripción", "Precio", "Motivos del rechazo"],
        ["ZZ-3", "Férula sin precio", "", "Complete el campo «Precio»."],
    ]
    assert faults(page, "what would be done") == []
    bring_in = page.get_by_role("button", name="Importar 2 filas")
    expect(bring_in).to_be_disabled()
    page.get_by_label(re.compile("Importar solo las filas correctas")).check()

    # the import
    bring_in.click()
    expect(page.get_by_role("heading", name="Se importó precios.csv")).to_be_focused()
    assert faults(page, "what was done") == []
    page.get_by_role("link", name="Ver productos").click()
    expect(page.get_by_role("heading", name="Productos")).to_be_visible()
    page.get_by_role("searchbox").fill("férula de")
    expect(page.get_by_role("row", name=re.compile("Férula de niño"))).to_be_visible()
    expect(page.get_by_role("row", name=re.compile("Férula de muñeca"))).to_be_visible()

    # the undo; then the corrected row is imported like any other file
    page.get_by_role("link", name="Importaciones").click()
    page.get_by_role("button", name="Deshacer precios.csv").click()
    page.get_by_role("dialog").get_by_role("button", name="Deshacer").click()
    toast(page, "Importación deshecha")
    expect(page.get_by_text(re.compile("^Deshecha el "))).to_be_visible()
    page.goto(f"{demo_server.address}/products?q=férula")
    expect(page.get_by_text("No se encontraron datos")).to_be_visible()

    page.goto(f"{demo_server.address}/imports/create")
    page.locator("input[type=file]").set_input_files(
        {"name": "refused.csv", "mimeType": "text/csv", "buffer": refused.read_bytes().replace(b",,", b',"3,50",')}
    )
    page.get_by_role("button", name="Comprobar").click()
    page.get_by_role("button", name="Importar 1 fila").click()
    expect(page.get_by_role("heading", name="Se importó refused.csv")).to_be_visible()
