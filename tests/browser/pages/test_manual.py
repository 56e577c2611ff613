"""The manual: its pages, its pictures, its help for each screen."""

import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, expect

from adapters.http.app import CLIENT_FOLDER
from tests.browser.conftest import ARTIFACTS
from tests.browser.pages.test_service_worker import VIOLATIONS, sign_in_with_worker, until
from tests.browser.pictures import MAX_DIFFERENCE, PICTURED, Picture, Studio, a_studio, difference
from tests.browser.screens import WIDTHS, Scheme, a_new_sheet, a_page, faults, resize, sign_in
from tests.servers import Server
from tests.walk import WALKS_ALL

pytestmark = pytest.mark.browser

LANGUAGES = ("es", "en")
# `make pictures` writes them instead of comparing.
WRITES = "WRITE_PICTURES" in os.environ
# `make test` compares every third one, in one language; `make walk` and `make pictures` take all.
TAKEN = [
    pytest.param(one, language, id=f"{one.name}-{language}")
    for at, one in enumerate(PICTURED)
    for to, language in enumerate(LANGUAGES)
    if WALKS_ALL or WRITES or (at % 3 == 0 and at % 2 == to)
]


@pytest.fixture(scope="module")
def studio(browser: Browser, migrated_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    with a_studio(browser, migrated_file, tmp_path_factory.mktemp("pictures")) as made:
        yield made


@pytest.mark.parametrize(("wanted", "language"), TAKEN)
def test_a_picture_of_the_manual_looks_like_the_screen(studio: Studio, wanted: Picture, language: str) -> None:
    file = wanted.file(language)
    if WRITES:
        studio.take(wanted, language, is_still()).save(file, lossless=True, quality=100, method=6)
        return
    with Image.open(file) as opened:
        kept = opened.convert("RGB")
    drawn = studio.take(wanted, language, lambda image: difference(image, kept) <= MAX_DIFFERENCE)
    differs = difference(drawn, kept)
    if differs > MAX_DIFFERENCE:
        ARTIFACTS.mkdir(exist_ok=True)
        drawn.save(ARTIFACTS / f"{wanted.name}-{language}.png")
    assert differs <= MAX_DIFFERENCE, f"{differs:.2%} of it changed: look at tests/.artifacts, and run `make pictures`"


def is_still() -> Callable[[Image.Image], bool]:
    """Tell whether a picture is like the one before."""
    before: list[Image.Image] = []

    def judge(drawn: Image.Image) -> bool:
        before.append(drawn)
        return len(before) > 1 and difference(drawn, before[-2]) == 0

    return judge


# --- the pages -------------------------------------------------------------------------------------------------------

FOLDERS = {"es": "/ayuda", "en": "/help"}


def built_pages(folder: str) -> list[str]:
    """The addresses of all pages of a language."""
    files = (CLIENT_FOLDER / folder.strip("/")).rglob("*.html")
    return sorted(f"/{file.relative_to(CLIENT_FOLDER).with_suffix('')}".removesuffix("/index") for file in files)


def test_every_link_of_the_manual_has_a_target(server_of_all: Server) -> None:
    pages: dict[str, httpx.Response] = {}
    with httpx.Client(base_url=server_of_all.address, trust_env=False) as client:
        for folder in FOLDERS.values():
            pages |= {path: client.get(path) for path in built_pages(folder)}
        assert len(pages) > 60
        targets: set[str] = set()
        for path, answer in pages.items():
            assert answer.is_success, path
            for target in re.findall(r' (?:href|src)="([^"]+)"', answer.text):
                page, _, section = (path + target if target.startswith("#") else target).partition("#")
                targets.add(page)
                assert not section or f'id="{section}"' in pages[page].text, (path, target)
        for target in targets - set(pages):
            answer = client.get(target)
            assert answer.is_success, target
            # The client answers unknown addresses with its own page.
            assert target == "/" or not answer.headers["content-type"].startswith("text/html"), target
        missing = client.get("/ayuda/sala/no-existe")
        assert (missing.status_code, "no está en el manual" in missing.text) == (404, True)


SEEN = [
    pytest.param(language, scheme, width, id=f"{language}-{scheme}-{width}")
    for at, (language, scheme, width) in enumerate(
        (language, scheme, width) for language in FOLDERS for scheme in ("light", "dark") for width in WIDTHS
    )
    if WALKS_ALL or at % 5 == 0
]


@pytest.mark.parametrize(("language", "scheme", "width"), SEEN)
def test_the_manual_is_accessible_and_fits(
    browser: Browser, server_of_all: Server, language: str, scheme: Scheme, width: int
) -> None:
    paths = built_pages(FOLDERS[language])
    wrong = []
    with a_page(browser, color_scheme=scheme) as (page, complaints):
        page.add_init_script(VIOLATIONS)
        resize(page, width)
        for path in paths if WALKS_ALL else paths[::6]:
            page.goto(server_of_all.address + path)
            assert page.locator("html").get_attribute("lang") == language
            wrong += faults(page, path) + page.evaluate("violations")
    assert wrong == []
    assert complaints == []


def test_the_search_finds_sections_without_accents(page: Page, server_of_all: Server) -> None:
    page.goto(f"{server_of_all.address}/ayuda")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Saltar al contenido")).to_be_focused()
    page.get_by_role("searchbox", name="Buscar en el manual").fill("devolucion")
    results = page.get_by_role("navigation", name="Resultados")
    found = results.get_by_role("link", name="Corregir, borrar, mover y devolver › Devolver")
    expect(found).to_be_visible()
    page.keyboard.press("Escape")
    expect(results).to_be_hidden()
    page.get_by_role("searchbox").fill("<b>zzz")
    expect(results).to_have_text(re.compile("No se encontró nada"))
    page.get_by_role("searchbox").fill("encontrar la hoja")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/ayuda/sala/encontrar"))
    page.get_by_role("link", name="English").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Find a patient's sheet")


# --- help for a screen -----------------------------------------------------------------------------------------------


def test_every_screen_leads_to_its_page(page: Page, server_of_all: Server) -> None:
    """``ui/src/app/help.test.ts`` compares the table with the routes."""
    screens = json.loads((Path(__file__).parents[3] / "docs/manual/manual.json").read_text("utf-8"))["screens"]
    opened = f"{server_of_all.address}/ayuda/screen"
    page.goto(opened)
    links = page.get_by_role("main").get_by_role("link")
    expect(links).to_have_count(len(screens))
    urls = {link.get_attribute("data-route"): link.get_attribute("href") for link in links.all()}
    for route in (
        "/",
        "/patients/:id",
        "/consumption-sheet-details/:id/consumption-details",
        "/products/kits",
        "/lock",
    ):
        page.goto("about:blank")
        page.goto(f"{opened}#{route.replace(':id', '71')}")
        expect(page).to_have_url(server_of_all.address + str(urls[route]))
    page.goto("about:blank")
    page.goto(f"{opened}#/nowhere/at/all")
    expect(page).to_have_url(server_of_all.address + str(urls["/*"]))


def test_the_help_button_opens_the_page_of_the_screen(page: Page, demo_server: Server) -> None:
    page.goto(f"{demo_server.address}/auth/login")
    opens_help(page, "Ayuda de esta pantalla", "Iniciar sesión")
    sign_in(page, demo_server, "user")
    page.evaluate("localStorage.language = 'en'")
    page.goto(f"{demo_server.address}/shift")
    opens_help(page, "Help for this screen", "My shift")
    page.goto(a_new_sheet(demo_server)[1])
    # The sheet's own head replaces the one of all pages.
    expect(page.get_by_role("combobox", name="Product")).to_be_visible()
    opens_help(page, "Help for this screen", "Record by typing")
    page.set_viewport_size({"width": 360, "height": 740})
    page.get_by_role("button", name="More actions", exact=True).click()
    with page.expect_popup() as popup:
        page.get_by_role("menuitem", name="Help for this screen").click()
    expect(popup.value.get_by_role("heading", level=1)).to_have_text("Record by typing")


def opens_help(page: Page, button: str, title: str) -> None:
    with page.expect_popup() as popup:
        page.get_by_role("link", name=button).click()
    expect(popup.value.get_by_role("heading", level=1)).to_have_text(title)
    popup.value.close()


BOOK_IS_KEPT = "async () => Boolean(await caches.match('/ayuda/kept.json'))"


def test_the_book_for_wards_opens_offline(page: Page, demo_server: Server, context: BrowserContext) -> None:
    sign_in_with_worker(page, demo_server)
    until(page, BOOK_IS_KEPT)
    # A worker that was ended while it stored the book stores the rest the next time.
    page.evaluate(
        """async () => {
            for (const name of (await caches.keys()).filter((one) => one.startsWith('manual '))) {
                const cache = await caches.open(name);
                for (const request of await cache.keys()) await cache.delete(request);
            }
            navigator.serviceWorker.controller.postMessage({ keepManual: '/ayuda' });
        }"""
    )
    until(page, BOOK_IS_KEPT)
    context.set_offline(True)
    page.goto(f"{demo_server.address}/ayuda/screen#/shift")
    expect(page.get_by_role("heading", level=1)).to_have_text("Mi turno")
    for path in built_pages("/ayuda/sala"):
        if not path.endswith("/1"):
            page.goto(demo_server.address + path)
            expect(page.get_by_role("navigation", name="Contenido")).to_contain_text("En la sala")
            loaded = "images => images.every(image => { image.loading = 'eager'; return image.decode().then(() => 1) })"
            assert page.locator("img").evaluate_all(loaded)
    page.get_by_role("searchbox").fill("repetir")
    expect(page.get_by_role("link", name="Repetir y usar kits").first).to_be_visible()
    page.goto(f"{demo_server.address}/ayuda/supervision")
    expect(page.get_by_role("heading", level=1)).to_have_text("Esta página necesita conexión")
