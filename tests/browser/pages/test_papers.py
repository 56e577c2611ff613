"""Papers that are printed, taken away, and scanned when they come back."""

import io
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pypdfium2
import pytest
import zxingcpp
from playwright.sync_api import Page, expect

from tests.browser.recording.test_scanning import Scanner
from tests.browser.screens import Caller, a_new_sheet, faults, said, settle, sign_in
from tests.servers import Server

pytestmark = pytest.mark.browser

QR = zxingcpp.BarcodeFormats((zxingcpp.BarcodeFormat.QRCode,))


def code_on(pdf: bytes) -> str:
    """The text of the symbol on the first page."""
    picture = pypdfium2.PdfDocument(io.BytesIO(pdf))[0].render(scale=300 / 72).to_pil()
    [found] = zxingcpp.read_barcodes(picture, formats=QR)
    return str(found.text)


def text_of(pdf: bytes) -> str:
    return " ".join(page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(io.BytesIO(pdf)))


def money(amount: float) -> str:
    """An amount as the Spanish screen writes it."""
    return f"{abs(amount):,.2f}".translate(str.maketrans(",.", ".,"))


MONTHS_AGO = 4


def line_of(server: Server, month: datetime) -> tuple[Caller, dict[str, object]]:
    """A line in the middle of a month, on a sheet that is still open."""
    supervisor = Caller(server).sign_in("supervisor")
    patient = supervisor.call("GET", "patients?q=Arriaga")["items"][0]["id"]
    room = supervisor.call("GET", "rooms?q=Habitación 5")["items"][0]["id"]
    admission = {"admission_date": month.date().isoformat(), "doctor": "Dra. Lucía Quiroga", "diagnosis": "Neumonía"}
    sheet = supervisor.post("consumption-sheets", patient_id=patient, room_id=room, **admission)["id"]
    product = next(
        one
        for one in supervisor.call("GET", "products?limit=100&active=true&included_in_stay=false")["items"]
        if one["price"] > 1 and not (one["implant"] or one["asks_lot"] or one["asks_serial"])
    )
    used = {"product_id": product["id"], "quantity": 2, "occurred_at": (month + timedelta(days=14)).isoformat()}
    line = supervisor.post(f"consumption-sheets/{sheet}/consumption-details", **used, acknowledged=["usual.far_above"])
    return supervisor, line


def test_a_closed_month_says_what_changed_since(page: Page, demo_server: Server, tmp_path: Path) -> None:
    # Later months may be closed in the demonstration's data.
    month = after = datetime.now(UTC).replace(day=1, hour=12)
    for _ in range(MONTHS_AGO):
        month, after = (month - timedelta(days=1)).replace(day=1), month
    supervisor, line = line_of(demo_server, month)
    sign_in(page, demo_server, "supervisor")
    page.goto(f"{demo_server.address}/reports/consumption")
    page.get_by_role("link", name="Cierres de mes").click()

    # The rows below the head begin with the month in progress.
    row = page.get_by_role("row").nth(MONTHS_AGO + 1)
    row.get_by_role("button", name="Cerrar mes").click()
    dialog = page.get_by_role("dialog", name="¿Cerrar este mes?")
    report = f"reports/consumption?by=month&used_for=all&from={month:%Y-%m-%d}&to={after - timedelta(days=1):%Y-%m-%d}"
    total = supervisor.call("GET", report)["sums"]["total"]
    expect(dialog.get_by_text(f"${money(total)}", exact=True).first).to_be_visible()
    dialog.get_by_role("button", name="Cerrar mes").click()
    expect(page.get_by_text(re.compile(f"fue .{re.escape(money(total))} y no cambió desde entonces"))).to_be_visible()
    assert page.url.startswith(f"{demo_server.address}/reports/months/")

    detail = f"consumption-details/{line['id']}"
    supervisor.call("POST", f"{detail}/void", json={"reason": "x"}, headers={"If-Match": f'"{line["version"]}"'})
    page.goto(f"{demo_server.address}/reports/months")
    settle(page)
    row.get_by_role("link").focus()
    page.keyboard.press("Enter")
    lost = float(str(line["total"]))
    sentence = rf"cambió −.?\${re.escape(money(lost))}: hoy el informe dice \${re.escape(money(total - lost))}\.$"
    expect(page.get_by_text(re.compile(sentence))).to_be_visible()
    expect(page.get_by_text("1 anulación", exact=True)).to_be_visible()
    assert faults(page, "a closed month") == []

    with page.expect_download() as download:
        page.get_by_role("button", name="Descargar informe").click()
    file = tmp_path / "month.pdf"
    download.value.save_as(file)
    assert money(total - lost) in text_of(file.read_bytes())

    address = page.url
    page.goto(f"{demo_server.address}/consumption-sheets")
    settle(page)
    Scanner(page, every=10).scan(code_on(file.read_bytes()))
    page.wait_for_url(address)
    expect(page.get_by_text("Es igual a la versión guardada")).to_be_visible()

    changes = page.get_by_role("table", name="Cambios desde el cierre")
    changes.get_by_role("row").nth(1).get_by_role("link").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/consumption-sheet-details/{line['id']}")


def test_a_family_s_paper_is_printed_and_scanned(page: Page, demo_server: Server) -> None:
    sheet, address = a_new_sheet(demo_server)
    nurse = Caller(demo_server).sign_in("user")
    gauze = nurse.call("GET", "products?q=gasa")["items"][0]["id"]
    details = f"consumption-sheets/{sheet}/consumption-details"
    nurse.post(details, product_id=gauze, quantity=2)
    sign_in(page, demo_server, "user")
    page.goto(address)
    settle(page)
    page.get_by_role("button", name="Más acciones", exact=True).click()
    page.get_by_role("menuitem", name=said("es", "sheets.account")).click()
    page.wait_for_url(f"**/consumption-sheets/{sheet}/account")
    settle(page)
    assert faults(page, "the account") == []

    with page.expect_response(re.compile("/account/pdf")) as printed:
        page.get_by_role("button", name="Imprimir").click()
    paper = printed.value.body()

    nurse.post(details, product_id=gauze, quantity=3, acknowledged=["detail.repeated"])
    page.goto(f"{demo_server.address}/consumption-sheets")
    settle(page)
    Scanner(page, every=10).scan(code_on(paper))
    page.wait_for_url("**/consumption-sheets/closed/paper?*")
    expect(page.get_by_text("Es igual a la versión guardada")).to_be_visible()
    expect(page.get_by_text("usado después")).to_be_visible()
    assert faults(page, "the paper") == []
