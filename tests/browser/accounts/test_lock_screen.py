"""The lock screen: unlocking, reloading, and changing the user."""

import re

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.browser.screens import PASSWORD, leave_alone, sign_in
from tests.servers import Server

pytestmark = pytest.mark.browser

NURSE, SUPERVISOR = "user@consumo.test", "supervisor@consumo.test"


def test_unlocking_keeps_the_draft_though_the_session_ended(demo_server: Server, page: Page) -> None:
    sign_in(page, demo_server, "user")
    page.goto(f"{demo_server.address}/consumption-sheets/create")
    page.get_by_label("Diagnóstico").fill("Neumonía adquirida en la comunidad")
    page.get_by_role("combobox", name="Paciente").click()
    page.get_by_role("combobox", name="Paciente").fill("zzyx")
    page.get_by_role("option").last.click()
    dialog = page.get_by_role("dialog", name="Crear paciente")
    dialog.get_by_label("Primer apellido").fill("Ríos")
    leave_alone(page)

    # The page behind is hidden, and no key reaches it or closes its dialog.
    expect(page.get_by_text("Ríos")).to_have_count(0)
    for key in ("Escape", "Tab", "Tab", "Tab", "Tab", "Tab", "Tab", "Tab", "Tab", "F2", "/"):
        page.keyboard.press(key)
        assert page.evaluate("() => document.activeElement.closest('#root') === null"), key
    # The saved HTML of the page contains nothing of it.
    assert page.locator("#root").count() == 0
    assert "Neumonía" not in page.content()

    token = page.evaluate("() => localStorage.getItem('token')")
    signed_out = httpx.post(f"{demo_server.address}/api/auth/logout", headers={"Authorization": f"Bearer {token}"})
    assert signed_out.status_code == 204
    page.get_by_label("Contraseña").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Pantalla bloqueada")).to_have_count(0)
    expect(dialog.get_by_label("Primer apellido")).to_have_value("Ríos")
    assert page.evaluate("() => localStorage.getItem('token')") != token
    dialog.get_by_role("button", name="Cancelar").click()
    expect(page.get_by_label("Diagnóstico")).to_have_value("Neumonía adquirida en la comunidad")


def test_the_lock_survives_a_reload_and_applies_to_all_tabs(demo_server: Server, page: Page) -> None:
    sign_in(page, demo_server, "user")
    page.goto(demo_server.address)
    other = page.context.new_page()
    other.goto(f"{demo_server.address}/patients")
    expect(other.get_by_role("heading", name="Pacientes")).to_be_visible()
    leave_alone(page)
    page.reload()
    for tab in (page, other):
        expect(tab.get_by_role("dialog", name="Pantalla bloqueada")).to_be_visible()
    page.get_by_label("Contraseña").fill(PASSWORD)
    page.get_by_role("button", name="Continuar").click()
    for tab in (page, other):
        expect(tab.get_by_role("dialog", name="Pantalla bloqueada")).to_have_count(0)


def test_a_draft_waits_for_its_owner_when_another_user_signs_in(demo_server: Server, page: Page) -> None:
    sign_in(page, demo_server, "user")
    page.goto(f"{demo_server.address}/patients/create")
    page.get_by_label("Nombre").fill("Inés")
    leave_alone(page)
    page.get_by_role("button", name="Otra persona").click()
    for email in (SUPERVISOR, NURSE):
        page.get_by_label("Correo electrónico").fill(email)
        page.get_by_label("Contraseña", exact=True).fill(PASSWORD)
        page.keyboard.press("Enter")
        if email == SUPERVISOR:
            expect(page.get_by_role("heading", name="Inicio")).to_be_visible()
            page.get_by_role("button", name="Cerrar sesión").click()
    expect(page.get_by_role("textbox", name=re.compile("^Nombre"))).to_have_value("Inés")
