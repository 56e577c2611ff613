"""Dialogs, opened where one came by a direct link: every text is there, and the buttons are in view on any screen."""

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.test_each_role_s_day import sign_in
from tests.browser.test_every_screen import a_page, faults, ids
from tests.servers import Server

pytestmark = pytest.mark.browser


def press(name: str) -> Callable[[Page], None]:
    return lambda page: page.get_by_role("button", name=re.compile(name)).first.click()


def new_patient(page: Page) -> None:
    page.get_by_role("combobox", name="Paciente").fill("Zoila")
    page.get_by_role("option", name=re.compile("Zoila")).click()


DIALOGS: tuple[tuple[str, Callable[[Page], None]], ...] = (
    ("/consumption-sheet-details/{open}/consumption-details", press("^Finalizar hoja")),
    ("/consumption-sheet-details/{open}/consumption-details", press("^Borrar ")),
    ("/consumption-sheets/create", new_patient),
    ("/consumption-sheets/closed/{closed}", press("^Reabrir")),
    ("/products/categories", press("^Crear categoría")),
    ("/areas/{areas}/edit", press("^Eliminar")),
)


def record_on_many_days(server: Server, page: Page, sheet: int) -> None:
    """A line of each category on each of twenty days, some of them without quantity."""
    headers = {"Authorization": f"Bearer {page.evaluate('localStorage.token')}"}
    products = page.request.get(f"{server.address}/api/products?limit=100&active=1", headers=headers).json()["items"]
    of_category = list({product["category_id"]: product["id"] for product in products}.values())
    for number in range(20):
        answer = page.request.post(
            f"{server.address}/api/consumption-sheets/{sheet}/consumption-details",
            headers=headers,
            data={"product_id": of_category[number % len(of_category)], "quantity": number % 5},
        )
        assert answer.status == 201, answer.text()
    with closing(sqlite3.connect(server.database_url.removeprefix("sqlite:///"))) as database, database:
        database.execute(
            "UPDATE consumption_details SET day = date(day, '-' || (id % 20) || ' days') WHERE sheet_id = ?", (sheet,)
        )


def in_view(button: Locator) -> bool:
    """Nothing of it is cut off, by the window or by the dialog, and nothing lies above it."""
    return bool(
        button.evaluate(
            """button => [[2, 2], [-2, -2]].every(([x, y]) => {
                const { left, right, top, bottom } = button.getBoundingClientRect();
                const at = document.elementFromPoint(x > 0 ? left + x : right + x, y > 0 ? top + 9 : bottom - 9);
                return top >= 0 && bottom <= window.innerHeight && button.contains(at);
            })"""
        )
    )


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (360, 640)])
def test_every_dialog_says_what_it_says_in_words_and_keeps_its_buttons_in_view(
    browser: Browser, demo_server: Server, width: int, height: int
) -> None:
    wrong: list[str] = []
    with a_page(browser, width, "light") as (page, complaints):
        page.set_viewport_size({"width": width, "height": height})
        sign_in(page, demo_server, "admin@consumo.test")
        page.locator("main#content").wait_for()
        things = ids(demo_server, page)
        record_on_many_days(demo_server, page, things["open"])
        for address, open_dialog in DIALOGS:
            page.goto(demo_server.address + address.format_map(things))
            open_dialog(page)
            dialog = page.get_by_role("dialog")
            expect(dialog).to_be_visible()
            dialog.evaluate(
                "dialog => Promise.all(dialog.getAnimations({ subtree: true }).map(({ finished }) => finished))"
            )
            wrong += [
                f"{address}: {button.inner_text()} is out of view"
                for button in dialog.get_by_role("button").all()[-2:]
                if not in_view(button)
            ]
            wrong += [
                f"{address}: {text}" for text in re.findall(r"\b[a-z]+\.[a-z]+\w*(?:\.\w+)*", dialog.inner_text())
            ]
            wrong += faults(page, address)
            wrong += [f"{address}: {complaint}" for complaint in complaints]
            complaints.clear()
    assert wrong == [], "\n".join(wrong)
