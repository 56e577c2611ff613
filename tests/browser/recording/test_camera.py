"""Scanning with a phone's camera, simulated with a video."""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.recording.test_scanning import lines, lines_of
from tests.browser.screens import UI, Caller, a_new_sheet, a_page, faults, is_complaint, settle, sign_in
from tests.pace import PATIENCE_ON_SCREEN
from tests.servers import Server

pytestmark = pytest.mark.browser

WIDTH, HEIGHT = 960, 720
# The content of the symbols on the scanner test page.
GTIN = "09506000134352"
PACK = {"gtin": GTIN, "lot": "PRUEBA7", "expiry": "2030-12-31", "serial": "000042", "quantity": 1}
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 780}, "has_touch": True, "is_mobile": True}
WHITE, GREY = 235, 128
# The headless shell has no camera.
WHOLE = ("chromium", "chromium-browser", "google-chrome")
# Records the camera streams, and whether all of them are stopped.
NOTED = """
    window.streams = [];
    const ask = MediaDevices.prototype.getUserMedia;
    MediaDevices.prototype.getUserMedia = async function (wanted) {
        const stream = await ask.call(this, wanted);
        streams.push(stream);
        return stream;
    };
    window.stopped = () => streams.every(one => one.getTracks().every(track => track.readyState === "ended"));
    window.show = state => {
        Object.defineProperty(document, "visibilityState", { get: () => state, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
    };
"""


def picture(symbol: str | None) -> bytes:
    """A video frame with a symbol on white paper, or an empty one."""
    light = [bytearray([WHITE]) * WIDTH for _ in range(HEIGHT)]
    if symbol:
        svg = (UI / "src" / "topics" / "scanning" / f"{symbol}.svg").read_text("utf-8")
        wide, high = map(int, re.findall(r'viewBox="0 0 (\d+) (\d+)"', svg)[0])
        size = int(min(HEIGHT * 0.9 / wide, HEIGHT * 0.6 / high))
        left, top = int(WIDTH - size * wide) // 2, int(HEIGHT - size * high) // 2
        for at in re.findall(r"M(\d+) (\d+)h(\d+)v(\d+)h-", svg):
            x, y, across, down = map(int, at)
            for row in light[top + y * size : top + (y + down) * size]:
                row[left + x * size : left + (x + across) * size] = bytes(across * size)
    return b"".join(light) + bytes([GREY]) * (WIDTH * HEIGHT // 2)


def film(file: Path, *shown: str | None) -> Path:
    """A video with one frame per second."""
    head = f"YUV4MPEG2 W{WIDTH} H{HEIGHT} F1:1 Ip A1:1 C420\n".encode()
    file.write_bytes(head + b"".join(b"FRAME\n" + picture(one) for one in shown))
    return file


@contextmanager
def a_phone(browser: Browser, seen: Path, *, allowed: bool = True) -> Iterator[tuple[Page, list[str]]]:
    """A phone with that video as its camera; yields page and complaints.

    Complaints are console errors, and requests to other hosts.
    """
    running = browser.browser_type.launch(
        executable_path=next(filter(None, map(shutil.which, WHOLE))),
        args=[
            "--no-sandbox", "--disable-gpu", "--use-fake-device-for-media-stream",
            f"--use-file-for-fake-video-capture={seen}",
        ],
    )  # fmt: skip
    context = running.new_context(**PHONE, reduced_motion="reduce", permissions=["camera"] if allowed else [])
    context.set_default_timeout(PATIENCE_ON_SCREEN)
    context.add_init_script(NOTED)
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if is_complaint(message) else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: fetched.append(request.url))
    fetched: list[str] = []
    yield page, complaints
    complaints += [url for url in fetched if urlsplit(url).hostname != "127.0.0.1"]
    running.close()


@pytest.fixture
def product(demo_server: Server) -> dict[str, Any]:
    """A product with the code of the symbols."""
    admin = Caller(demo_server).sign_in("admin")
    found: dict[str, Any] = admin.call("GET", "products?q=MC-0002")["items"][0]
    admin.post(f"products/{found['id']}/codes", system="gtin", code=GTIN, units=1)
    return found


def open_a_sheet(page: Page, server: Server) -> int:
    sign_in(page, server, "user")
    sheet, address = a_new_sheet(server)
    page.goto(address)
    settle(page)
    return sheet


def camera(page: Page) -> Locator:
    page.get_by_role("button", name="Escanear con la cámara").tap()
    return page.get_by_role("dialog", name="Escanear con la cámara")


def test_a_symbol_before_the_camera_is_a_line(
    browser: Browser, demo_server: Server, product: dict[str, Any], tmp_path: Path
) -> None:
    with a_phone(browser, film(tmp_path / "film.y4m", "data-matrix")) as (page, complaints):
        sheet = open_a_sheet(page, demo_server)
        dialog = camera(page)
        reported = dialog.get_by_role("status")
        expect(reported).to_contain_text(f"1 {product['name']}")
        expect(reported).to_contain_text(re.compile("Lote PRUEBA7 · vence 31 dic 2030 · S/N 000042"))
        assert faults(page, "the camera", "[role=dialog]") == []
        dialog.get_by_role("button", name="Listo").tap()
        expect(dialog).to_be_hidden()
        assert page.evaluate("stopped()")
        expect(page.get_by_text(f"Registrado: 1 {product['name']}")).to_be_attached()
        [line] = lines(page, demo_server, sheet, 1)
        assert {name: line[name] for name in PACK} == PACK
        assert complaints == []


@pytest.mark.walk
def test_the_next_symbol_records_the_previous_one(
    browser: Browser, demo_server: Server, product: dict[str, Any], tmp_path: Path
) -> None:
    shown = ["data-matrix"] * 4 + ["gs1-128"] * 4
    with a_phone(browser, film(tmp_path / "film.y4m", *shown)) as (page, complaints):
        sheet = open_a_sheet(page, demo_server)
        dialog = camera(page)
        expect(page.get_by_text(f"Registrado: 1 {product['name']}")).to_be_attached()
        dialog.get_by_role("button", name="Cerrar la cámara").tap()
        expect(page.get_by_role("list", name="Sin registrar")).to_have_count(0)
        # Either symbol may have been shown first.
        assert {line["lot"] for line in lines_of(demo_server, sheet)} <= {"PRUEBA7", "A7"}
        assert complaints == []


@pytest.mark.walk
def test_a_question_closes_the_camera(browser: Browser, demo_server: Server, tmp_path: Path) -> None:
    with a_phone(browser, film(tmp_path / "film.y4m", "ean-13")) as (page, complaints):
        open_a_sheet(page, demo_server)
        dialog = camera(page)
        expect(page.get_by_text(f"Código desconocido: (01) {GTIN}")).to_be_visible()
        expect(dialog).to_be_hidden()
        assert page.evaluate("stopped()")
        assert complaints == []


def test_the_camera_is_off_while_the_page_is_hidden(
    browser: Browser, demo_server: Server, product: dict[str, Any], tmp_path: Path
) -> None:
    with a_phone(browser, film(tmp_path / "film.y4m", None, None, None, "ean-13")) as (page, complaints):
        open_a_sheet(page, demo_server)
        dialog = camera(page)
        page.wait_for_function("() => streams.length === 1 && !stopped()")
        page.evaluate("show('hidden')")
        page.wait_for_function("() => stopped()")
        page.evaluate("show('visible')")
        page.wait_for_function("() => streams.length === 2 && !stopped()")
        expect(dialog.get_by_role("status")).to_contain_text(product["name"])
        assert complaints == []


@pytest.mark.walk
def test_a_denied_camera_explains_what_to_do(browser: Browser, demo_server: Server, tmp_path: Path) -> None:
    with a_phone(browser, film(tmp_path / "film.y4m", None), allowed=False) as (page, complaints):
        open_a_sheet(page, demo_server)
        dialog = camera(page)
        expect(dialog.get_by_role("alert")).to_contain_text("El navegador no permite usar la cámara")
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
        assert complaints == []


def test_eval_is_blocked_though_the_camera_uses_webassembly(browser: Browser, demo_server: Server) -> None:
    with a_page(browser) as (page, _):
        page.goto(f"{demo_server.address}/auth/login")
        # The debugger may evaluate code directly, but not in a timer that it starts.
        page.evaluate(
            "setTimeout(() => { try { window.made = eval('1'); } catch (error) { window.made = error.name; } })"
        )
        page.wait_for_function("() => window.made !== undefined")
        assert page.evaluate("window.made") == "EvalError"
