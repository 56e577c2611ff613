"""Pictures of products: chosen in the form, and shown where products are found."""

import io
import re

import pytest
from PIL import Image
from playwright.sync_api import Browser, FilePayload, expect

from tests.browser.screens import Caller, a_page, sign_in
from tests.builders import an_image
from tests.servers import Server

pytestmark = pytest.mark.browser


def test_a_picture_is_scaled_stored_and_shown(browser: Browser, demo_server: Server) -> None:
    caller = Caller(demo_server).sign_in("supervisor")
    product = caller.call("GET", "products?limit=1&active=true")["items"][0]
    sheet = caller.call("GET", "consumption-sheets?limit=1")["items"][0]["id"]
    file: FilePayload = {"name": "foto.png", "mimeType": "image/png", "buffer": an_image(size=(1200, 800))}
    with a_page(browser, viewport={"width": 1366, "height": 768}) as (page, complaints):
        sign_in(page, demo_server, "supervisor")
        page.goto(f"{demo_server.address}/products/{product['id']}/edit")
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name="Elegir imagen").click()
        chooser.value.set_files([file])
        expect(page.get_by_role("img", name="Imagen elegida")).to_be_visible()
        page.get_by_role("button", name="Guardar").click()
        expect(page).to_have_url(re.compile("/products$"))
        stored = page.request.get(
            f"{demo_server.address}/api/products/{product['id']}/picture",
            headers={"Authorization": f"Bearer {caller.token}"},
        )
        assert stored.headers["content-type"] == "image/webp"
        with Image.open(io.BytesIO(stored.body())) as image:
            assert (image.format, image.size) == ("WEBP", (512, 341))
        row = page.get_by_role("row", name=product["name"])
        expect(row.locator("img")).to_have_js_property("naturalWidth", 512)
        box = row.locator("img").bounding_box()
        assert box is not None
        assert (box["width"], box["height"]) == (28, 28)
        page.goto(f"{demo_server.address}/consumption-sheet-details/{sheet}/consumption-details")
        page.get_by_role("combobox", name="Producto").fill(product["name"])
        option = page.get_by_role("option", name=product["name"]).first
        expect(option.locator("img")).to_have_js_property("naturalWidth", 512)
        assert complaints == []
