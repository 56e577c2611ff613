"""The practice sheet: ten things with the real record bar, and nothing reaches the server."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Request, expect

from tests.browser.recording.test_scanning import Scanner
from tests.browser.screens import Caller, sign_in
from tests.servers import Server

pytestmark = pytest.mark.browser


def names_and_codes(sentences: list[str], pattern: str) -> tuple[str, ...]:
    """Find a sentence of the task list, and return what it names."""
    [found] = [match for one in sentences if (match := re.fullmatch(pattern, one.strip()))]
    return found.groups()


def stored(server: Server) -> Any:
    """Return what recording would change."""
    caller = Caller(server).sign_in("admin")
    paths = (
        "consumption-details?limit=1",
        "consumption-sheets?limit=100",
        "unknown-codes",
        "audit?action=detail.added",
    )
    return [caller.call("GET", path) for path in paths]


def test_nothing_of_the_practice_reaches_the_server(page: Page, demo_server: Server) -> None:
    before = stored(demo_server)
    sent: list[str] = []

    def note(request: Request) -> None:
        # The session is bound to the device meanwhile.
        if request.method != "GET" and "/api/auth/" not in request.url:
            sent.append(f"{request.method} {request.url}")

    sign_in(page, demo_server, "user")
    page.on("request", note)
    page.goto(f"{demo_server.address}/practice")
    expect(page.get_by_role("heading", name="Paciente de Práctica")).to_be_visible()
    product = page.get_by_role("combobox", name="Producto")
    quantity = page.get_by_role("textbox", name="Cantidad", exact=True)
    now = page.get_by_role("region", name="Qué hacer ahora")
    tasks = page.get_by_role("region", name="Diez cosas para practicar").get_by_role("listitem")
    expect(tasks).to_have_count(10)
    sentences = [one.removeprefix("–").strip() for one in tasks.all_inner_texts()]
    (first,) = names_and_codes(sentences, r"Registre 1 (.+): escriba parte .*")
    second, _ = names_and_codes(sentences, r"Registre 3 de (.+) de una vez: escriba «(.+)»\.")
    _, code = names_and_codes(sentences, r"Registre (.+) por su código: escriba (\S+)\.")
    (scanned,) = names_and_codes(sentences, r"Escanee (.+) de la hoja de códigos, .*")
    (kit,) = names_and_codes(sentences, r"Registre el kit «(.+)»: .*")

    def reach(number: int) -> None:
        expect(now).to_contain_text(f"{number} de 10")

    def record(text: str) -> None:
        product.fill(text)
        page.get_by_role("option").first.click()
        expect(quantity).to_be_focused()
        page.keyboard.press("Enter")

    record(first)
    reach(2)
    record(f"3 {second}")
    reach(3)
    product.focus()
    page.keyboard.type(code, delay=60)
    page.keyboard.press("Enter")
    reach(4)
    product.focus()
    page.keyboard.type("1", delay=60)
    page.keyboard.press("Enter")
    expect(quantity).to_be_focused()
    page.keyboard.press("Enter")
    reach(5)
    listed = Caller(demo_server).sign_in("user").call("GET", "products?limit=100&active=true")["items"]
    codes = {one["name"]: one["code"] for one in listed}
    scanner = Scanner(page, every=12)
    product.focus()
    scanner.scan(codes[scanned])
    reach(6)
    scanner.scan(code)
    scanner.scan(code)
    reach(7)
    product.fill(kit)
    page.get_by_role("option", name=kit).click()
    page.get_by_role("button", name=re.compile(r"Registrar \d+ líneas")).click()
    reach(8)
    row = page.get_by_role("row", name=second)
    row.hover()
    row.get_by_role("button", name=re.compile("^Editar")).click()
    page.get_by_role("row", name="Editar detalle de consumo").get_by_role("textbox").fill("2")
    page.keyboard.press("Enter")
    reach(9)
    record(first)
    page.get_by_role("button", name=f"Deshacer {first}").click()
    reach(10)
    row = page.get_by_role("row", name=second)
    row.hover()
    row.get_by_role("button", name=re.compile("^Borrar")).click()
    page.get_by_role("dialog").get_by_role("button", name="Borrar").click()
    expect(page.get_by_text("¡Listo! Hizo 10 de 10 en")).to_be_visible()
    # Leaving the page asks nothing, and sends nothing either.
    page.get_by_role("link", name="Salir").click()
    expect(page).to_have_url(f"{demo_server.address}/")
    assert sent == []
    assert stored(demo_server) == before
