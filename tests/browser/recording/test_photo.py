"""Packs in a picture become lines: read by the real worker, with the policy of the real server."""

import re
from typing import Any, cast
from urllib.parse import urlsplit

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Browser, FilePayload, Locator, Page, expect

from tests.browser.device_storage import until_kept
from tests.browser.recording.test_scanning import lines, lines_of
from tests.browser.recording.test_wristbands import FILES_ARE_KEPT, admit, open_page, sheet_label
from tests.browser.screens import Caller, a_page, faults, sign_in
from tests.photos.heap import Drawn, Setting, draw_heap
from tests.photos.packs import as_file, gtin_of, lot_of
from tests.servers import Server

pytestmark = pytest.mark.browser

SEED = 58
# Packs near enough to be read by any pass.
NEAR = Setting(packs=6, table=32, turn=4, hidden=1)


def know(server: Server, drawn: Drawn) -> None:
    """Give the codes in a picture to products that ask nothing."""
    admin = Caller(server).sign_in("admin")
    asked = ("asks_lot", "asks_serial", "implant")
    products = [
        one
        for one in admin.call("GET", "products?limit=100&active=true")["items"]
        if not any(one[name] for name in asked)
    ]
    for symbol, product in zip(drawn.symbols, products, strict=False):
        admin.post(f"products/{product['id']}/codes", system="gtin", code=gtin_of(symbol), units=1)


def photograph(page: Page, *pictures: bytes) -> Locator:
    """Open the panel at the sheet's page, and choose pictures."""
    page.get_by_role("button", name="Más acciones", exact=True).click()
    page.get_by_role("menuitem", name="Foto").click()
    panel = page.get_by_role("form", name="Foto")
    files: list[FilePayload] = [
        {"name": f"{at}.jpg", "mimeType": "image/jpeg", "buffer": one} for at, one in enumerate(pictures)
    ]
    panel.get_by_label("Elegir archivo").first.set_input_files(files)
    return panel


def recorded(found: list[dict[str, Any]]) -> list[tuple[str, str | None, int]]:
    return sorted((line["gtin"], line.get("lot"), line["quantity"]) for line in found)


@pytest.mark.parametrize("online", [True, False], ids=["online", "offline"])
def test_a_heap_becomes_the_same_lines(browser: Browser, demo_server: Server, online: bool) -> None:
    drawn = draw_heap(SEED, NEAR)
    shown = [one for one in drawn.symbols if one.visible]
    know(demo_server, drawn)
    sheet = admit(Caller(demo_server).sign_in("supervisor"), "FOTO-1", "Vega")
    before = len(lines_of(demo_server, sheet))
    with a_page(browser) as (page, complaints):
        sign_in(page, demo_server, "user")
        open_page(page, demo_server, sheet)
        if not online:
            until_kept(page, "catalogue")
            page.evaluate(FILES_ARE_KEPT)
            page.context.set_offline(True)
        bodies: list[str] = []
        page.on("request", lambda request: bodies.append((request.post_data_buffer or b"").decode("latin-1")))
        panel = photograph(page, as_file(drawn.image))
        button = panel.get_by_role("button", name=f"Registrar {len(shown)}")
        expect(button).to_be_enabled()
        if online:
            assert faults(page, "the photograph", "form[aria-label=Foto]") == []
        expect(button).to_be_focused()
        page.keyboard.press("Enter")
        expect(panel).to_have_count(0)
        page.context.set_offline(False)
        found = [line for line in lines(page, demo_server, sheet, before + len(shown)) if line["gtin"]]
        assert recorded(found) == sorted((gtin_of(one), lot_of(one), 1) for one in shown)
        assert not any("JFIF" in body for body in bodies)
        assert [one for one in complaints if "ERR_INTERNET_DISCONNECTED" not in one] == []


def test_another_patient_s_wristband_refuses_the_picture(browser: Browser, demo_server: Server) -> None:
    drawn = draw_heap(SEED, NEAR)
    know(demo_server, drawn)
    supervisor = Caller(demo_server).sign_in("supervisor")
    here, other = admit(supervisor, "FOTO-2", "Vega"), admit(supervisor, "FOTO-3", "Zamudio")
    code = zxingcpp.create_barcode(sheet_label(supervisor, other), zxingcpp.BarcodeFormat.DataMatrix)
    label = memoryview(cast("Any", code.to_image(scale=12)))
    assert label.shape
    band = Image.frombytes("L", (label.shape[1], label.shape[0]), label.tobytes())
    drawn.image.paste(band, (drawn.image.width - band.width, 0))
    with a_page(browser) as (page, complaints):
        sign_in(page, demo_server, "user")
        open_page(page, demo_server, here)
        panel = photograph(page, as_file(drawn.image))
        told = panel.get_by_role("alert")
        expect(told).to_contain_text(re.compile(r"la hoja de contingencia de Ana Zamudio.*la hoja de Ana Vega"))
        expect(panel.get_by_role("button", name=re.compile("^Registrar"))).to_have_count(0)
        page.keyboard.press("Escape")
        expect(panel).to_have_count(0)
        assert len(lines_of(demo_server, here)) == 1
        assert complaints == []


def test_the_reader_is_not_loaded_before_it_is_used(browser: Browser, demo_server: Server) -> None:
    sheet = admit(Caller(demo_server).sign_in("supervisor"), "FOTO-4", "Vega")
    with a_page(browser, service_workers="block") as (page, _):
        fetched: list[str] = []
        page.on("request", lambda request: fetched.append(urlsplit(request.url).path))
        sign_in(page, demo_server, "user")
        open_page(page, demo_server, sheet)
        page.wait_for_load_state("networkidle")
        assert [path for path in fetched if re.search(r"wasm|worker|PhotoPanel", path)] == []
