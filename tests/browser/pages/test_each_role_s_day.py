"""Typical tasks of each role; recording is in test_main_job.py."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.servers import Server

pytestmark = pytest.mark.browser

PASSWORD = "consumo-demo-2026"
OWN_PASSWORD = "cuatro palabras largas juntas"


@pytest.fixture
def stranger(browser: Browser) -> Iterator[Page]:
    """Another user on another computer."""
    context = browser.new_context()
    yield context.new_page()
    context.close()


def sign_in(page: Page, server: Server, email: str, password: str = PASSWORD) -> None:
    page.goto(f"{server.address}/auth/login")
    fill_in(page, email, password)


def fill_in(page: Page, email: str, password: str) -> None:
    page.locator("input[type=email]").fill(email)
    page.locator("input[autocomplete=current-password]").fill(password)
    page.keyboard.press("Enter")


def toast(page: Page, text: str) -> None:
    expect(page.get_by_role("alert").filter(has_text=text).first).to_be_visible()


def choose(page: Page, label: str, text: str) -> None:
    field = page.get_by_role("combobox", name=label)
    field.click()
    field.fill(text)
    page.get_by_role("option", name=re.compile(text, re.IGNORECASE)).first.click()


def test_a_registered_user_activates_the_account_and_records(page: Page, stranger: Page, demo_server: Server) -> None:
    sign_in(page, demo_server, "admin@consumo.test")
    page.get_by_role("link", name="Usuarios").click()
    page.get_by_role("link", name="Crear usuario").click()
    page.get_by_label(re.compile("^Nombre de usuario")).fill("rosa@hospital.test")
    page.get_by_role("button", name=re.compile("^(Guardar|Crear usuario)$")).click()
    toast(page, "Usuario creado")
    link = page.get_by_label("Enlace personal").input_value()
    assert link.startswith("http")

    # The new user has nothing but the link.
    stranger.goto(demo_server.address + link[link.index("/auth/reset-password") :])
    for label in ("Contraseña nueva", "Confirmar contraseña nueva"):
        stranger.get_by_label(re.compile(f"^{label}")).first.fill(OWN_PASSWORD)
    assert "token" not in stranger.url
    stranger.get_by_role("button", name="Guardar contraseña").click()
    # The password signs in. Without a profile, every page leads to the profile.
    expect(stranger).to_have_url(re.compile("/auth/profile$"))
    stranger.goto(f"{demo_server.address}/patients")
    expect(stranger).to_have_url(re.compile("/auth/profile$"))
    stranger.get_by_label(re.compile("^Nombre")).fill("Rosa")
    stranger.get_by_label(re.compile("^Primer apellido")).fill("Andrade")
    stranger.get_by_role("button", name="Guardar").click()
    toast(stranger, "¡Perfil actualizado!")
    stranger.get_by_role("link", name="Hojas de consumo").first.click()
    stranger.get_by_role("table").get_by_role("row").nth(1).get_by_role("link").first.click()
    product = stranger.get_by_role("combobox", name="Producto")
    product.fill("gasa")
    stranger.get_by_role("option", name=re.compile("gasa", re.IGNORECASE)).first.click()
    stranger.keyboard.type("2")
    stranger.keyboard.press("Enter")
    recorded = stranger.get_by_role("table").get_by_role("row").nth(1)
    expect(recorded).to_contain_text("Rosa Andrade")
    expect(recorded).not_to_contain_text("$")

    # The link is used a second time.
    page.get_by_role("button", name="Copiar enlace").click()
    page.goto(link)
    expect(page.get_by_role("alert").first).to_be_visible()


@pytest.mark.walk
def test_a_supervisor_creates_what_the_ward_needs(page: Page, demo_server: Server) -> None:
    sign_in(page, demo_server, "supervisor@consumo.test")
    page.get_by_role("link", name="Áreas", exact=True).click()
    page.get_by_role("link", name="Crear área").click()
    page.get_by_label(re.compile("^Nombre del área")).fill("Hemodiálisis")
    page.keyboard.press("Enter")
    toast(page, "Área creada")

    page.get_by_role("link", name="Habitaciones", exact=True).click()
    page.get_by_role("link", name="Crear habitación").click()
    page.get_by_label(re.compile("^Nombre de la habitación")).fill("Hemodiálisis 1")
    choose(page, "Área", "Hemodi")
    page.get_by_role("button", name="Guardar").click()
    toast(page, "Habitación creada")

    page.get_by_role("link", name="Productos", exact=True).click()
    page.get_by_role("link", name="Crear producto").click()
    page.get_by_label(re.compile("^Nombre")).fill("Filtro de hemodiálisis 1.8 m²")
    page.get_by_label(re.compile("^Precio")).fill("1.234,5")
    choose(page, "Categoría", "material")
    page.get_by_role("button", name="Guardar").click()
    toast(page, "¡Producto creado!")
    page.get_by_role("searchbox").fill("filtro hemodialisis")
    expect(page.get_by_role("row").filter(has_text="Filtro de hemodiálisis")).to_contain_text("$1.234,50")

    page.get_by_role("link", name="Pacientes", exact=True).click()
    page.get_by_role("link", name="Crear paciente").click()
    page.get_by_label(re.compile("^Nombre")).fill("Eulalia")
    page.get_by_label(re.compile("^Primer apellido")).fill("Zambrano")
    page.get_by_role("button", name="Guardar").click()
    toast(page, "Paciente creado")

    # An area with a room cannot be deleted.
    page.get_by_role("link", name="Áreas", exact=True).click()
    page.get_by_role("link", name="Hemodiálisis").click()
    page.get_by_role("link", name="Editar").click()
    page.get_by_role("button", name="Eliminar área").click()
    expect(page.get_by_role("dialog").get_by_text("Eliminar Área?")).to_be_visible()
    page.get_by_role("dialog").get_by_role("button", name="Eliminar área").click()
    toast(page, "1")
    page.goto(f"{demo_server.address}/areas?q=hemodi")
    expect(page.get_by_role("row").filter(has_text="Hemodiálisis")).to_be_visible()


def test_an_ended_session_leads_to_the_sign_in_page(page: Page, demo_server: Server) -> None:
    sign_in(page, demo_server, "user@consumo.test")
    expect(page.get_by_role("button", name="Cerrar sesión")).to_be_visible()
    # The session ends elsewhere.
    token = page.evaluate("localStorage.token")
    page.request.post(f"{demo_server.address}/api/auth/logout", headers={"Authorization": f"Bearer {token}"})
    page.goto(f"{demo_server.address}/patients")
    expect(page).to_have_url(re.compile("/auth/login"))
    assert page.evaluate("localStorage.token") is None


def test_the_chosen_language_is_kept(page: Page, demo_server: Server) -> None:
    page.goto(demo_server.address)
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    page.locator("input[type=email]").fill("user@consumo.test")
    page.locator("input[autocomplete=current-password]").fill("wrong")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Invalid credentials")).to_be_visible()
    fill_in(page, "user@consumo.test", PASSWORD)
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    page.get_by_role("button", name="Your account").click()
    page.get_by_role("menuitem", name="Español").click()
    expect(page.get_by_role("button", name="Cerrar sesión")).to_be_visible()
