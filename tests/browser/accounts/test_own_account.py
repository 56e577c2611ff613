"""Changing the own email and password on the account page."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.screens import PASSWORD, keep_toasts, sign_in
from tests.servers import Server

pytestmark = pytest.mark.browser

GOOD = "cuatro vendas y un termómetro"


def token(page: Page) -> str:
    return str(page.evaluate("() => localStorage.getItem('token')"))


def save(page: Page) -> None:
    page.get_by_role("button", name="Guardar").click()
    notice = page.get_by_text("¡Usuario actualizado!")
    expect(notice).to_be_visible()
    page.get_by_role("button", name="Cerrar aviso").click()
    expect(notice).to_have_count(0)


@pytest.mark.parametrize("role", ["user", "supervisor", "admin"])
def test_changing_email_and_password_keeps_the_session(demo_server: Server, page: Page, role: str) -> None:
    keep_toasts(page)
    sign_in(page, demo_server, role)
    page.goto(f"{demo_server.address}/users/account")
    other = page.context.new_page()
    other.goto(f"{demo_server.address}/patients")
    expect(other.get_by_role("heading", name="Pacientes")).to_be_visible()
    before = token(page)

    page.get_by_label("Nombre de usuario (correo electrónico)").fill(f"{role}.nueva@consumo.test")
    page.get_by_label("Contraseña actual").fill(PASSWORD)
    save(page)
    assert token(page) == before

    page.get_by_label("Contraseña actual").fill(PASSWORD)
    page.get_by_label("Contraseña nueva", exact=True).fill(GOOD)
    page.get_by_label("Confirmar contraseña nueva").fill(GOOD)
    save(page)
    assert token(page) not in (before, "None")
    expect(page.get_by_text("Esta sesión")).to_be_visible()
    expect(page).to_have_url(f"{demo_server.address}/users/account")
    page.reload()
    expect(page.get_by_text("Esta sesión")).to_be_visible()

    other.get_by_role("link", name="Hojas de consumo").click()
    expect(other.get_by_role("heading", name="Hojas de consumo")).to_be_visible()
