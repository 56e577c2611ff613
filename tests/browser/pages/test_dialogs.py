"""Buttons of dialogs stay in view on any screen, with any content."""

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.screens import Caller, a_page, settle, sign_in
from tests.servers import Server

pytestmark = pytest.mark.browser


def press(name: str) -> Callable[[Page], None]:
    return lambda page: page.get_by_role("button", name=re.compile(name)).first.click()


def close_sheet(page: Page) -> None:
    """Press the button, which is in the menu on narrow screens."""
    button = page.get_by_role("button", name="Cerrar hoja")
    if not button.is_visible():
        page.get_by_role("button", name="Más acciones", exact=True).click()
        button = page.get_by_role("menuitem", name="Cerrar hoja")
    button.click()


def void_line(page: Page) -> None:
    """Press the button, which is in the menu of its row on narrow screens."""
    button = page.get_by_role("button", name=re.compile("^Borrar ")).first
    more = page.get_by_role("button", name=re.compile("^Más acciones: ")).first
    expect(button.or_(more).first).to_be_attached()
    if not button.count():
        more.click()
        button = page.get_by_role("menuitem", name=re.compile("^Borrar "))
    button.click()


DIALOGS: tuple[tuple[str, Callable[[Page], None]], ...] = (
    ("/consumption-sheet-details/{open}/consumption-details", close_sheet),
    ("/consumption-sheet-details/{open}/consumption-details", void_line),
    ("/consumption-sheets/closed/{closed}", press("^Reabrir")),
    ("/consumption-sheets/closed/{closed}", press("^Descartar")),
    ("/patients/{merged}?merged=1", press("^Deshacer la unión")),
    ("/products/categories", press("^Crear categoría")),
    ("/areas/{areas}/edit", press("^Eliminar")),
)


def record_on_many_days(server: Server) -> dict[str, int]:
    """Record 20 lines of all categories on 20 days; returns ids for the URLs."""
    admin = Caller(server).sign_in("admin")
    sheet = admin.call("GET", "consumption-sheets?limit=1")["items"][0]["id"]
    products = admin.call("GET", "products?limit=100&active=1")["items"]
    of_category = list({product["category_id"]: product["id"] for product in products}.values())
    for number in range(20):
        used = {"product_id": of_category[number % len(of_category)], "quantity": number % 5}
        admin.post(f"consumption-sheets/{sheet}/consumption-details", **used)
    with closing(sqlite3.connect(server.database_url.removeprefix("sqlite:///"))) as database, database:
        database.execute(
            "UPDATE consumption_details SET day = date(day, '-' || (id % 20) || ' days') WHERE sheet_id = ?", (sheet,)
        )
    closed = admin.call("GET", "consumption-sheets?closed=true&limit=1")["items"][0]["id"]
    late = {"items": [{"product_id": next(iter(of_category)), "quantity": 1}], "occurred_at": "2026-01-05T10:00:00Z"}
    admin.call("POST", f"consumption-sheets/{closed}/late-entries", json=late, headers={"Idempotency-Key": "late"})
    merged, into = (admin.post("patients", name="Ana", first_surname="Gil")["id"] for _ in range(2))
    admin.post(f"patients/{merged}/merge", into_id=into, reason="La misma persona")
    return {
        "merged": merged,
        "open": sheet,
        "closed": closed,
        "areas": admin.call("GET", "areas?limit=1")["items"][0]["id"],
    }


def in_view(button: Locator) -> bool:
    """Whether the button is neither cut off nor covered."""
    return bool(
        button.evaluate(
            """button => [[2, 2], [-2, -2]].every(([x, y]) => {
                const { left, right, top, bottom } = button.getBoundingClientRect();
                const at = document.elementFromPoint(x > 0 ? left + x : right + x, y > 0 ? top + 9 : bottom - 9);
                return top >= 0 && bottom <= window.innerHeight && button.contains(at);
            })"""
        )
    )


@pytest.mark.parametrize(("width", "height"), [pytest.param(1280, 800, marks=pytest.mark.walk), (360, 640)])
def test_every_dialog_keeps_its_buttons_in_view(browser: Browser, demo_server: Server, width: int, height: int) -> None:
    things = record_on_many_days(demo_server)
    wrong: list[str] = []
    with a_page(browser, viewport={"width": width, "height": height}) as (page, _):
        sign_in(page, demo_server, "admin")
        for address, open_dialog in DIALOGS:
            page.goto(demo_server.address + address.format_map(things))
            settle(page)
            open_dialog(page)
            dialog = page.get_by_role("dialog")
            expect(dialog).to_be_visible()
            dialog.evaluate(
                "dialog => Promise.allSettled(dialog.getAnimations({ subtree: true }).map(({ finished }) => finished))"
            )
            wrong += [
                f"{address}: {button.inner_text()} is out of view"
                for button in dialog.get_by_role("button").all()[-2:]
                if not in_view(button)
            ]
    assert wrong == [], "\n".join(wrong)
