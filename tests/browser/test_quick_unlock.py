"""Several people on one device: locking, PINs, and the way back to each one's work."""

import re
import time

import httpx
import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.browser.screens import PASSWORD
from tests.servers import Server

pytestmark = pytest.mark.browser

NURSE, SUPERVISOR = "user@consumo.test", "supervisor@consumo.test"
PINS = {NURSE: "483920", SUPERVISOR: "592817"}
# Milliseconds between two keys of a person. Faster ones are a scanned badge.
PACE = 60
LOCK = """() => {
  localStorage.setItem('active', String(Date.now() - 20 * 60000));
  document.dispatchEvent(new Event('visibilitychange'));
}"""


def sign_in(page: Page, email: str) -> None:
    page.get_by_label("Correo electrónico").fill(email)
    page.get_by_label("Contraseña", exact=True).fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Inicio")).to_be_visible()


def set_pin(page: Page, address: str, email: str) -> None:
    page.goto(f"{address}/users/account")
    page.get_by_label("PIN nuevo").fill(PINS[email])
    page.get_by_label("Repita el PIN").fill(PINS[email])
    page.get_by_role("button", name="Poner PIN").click()
    expect(page.get_by_text("Tiene un PIN.")).to_be_visible()
    page.goto(address)
    expect(page.get_by_role("heading", name="Inicio")).to_be_visible()


def lock(page: Page) -> None:
    page.evaluate(LOCK)
    expect(page.get_by_role("dialog")).to_be_visible()


def stored(page: Page, key: str) -> str:
    return page.evaluate("key => localStorage.getItem(key)", key) or ""


def until_server_knows(page: Page) -> None:
    """Wait until the server has confirmed the lock."""
    page.evaluate("""async () => {
      while (localStorage.getItem('covered') !== 'yes') await new Promise(done => setTimeout(done, 20));
    }""")


def choose(page: Page, email: str, people: list[str]) -> None:
    """Choose a person on the lock screen, and type their PIN."""
    page.get_by_role("dialog").locator("li button").filter(has_text=people[email == SUPERVISOR]).click()
    page.keyboard.type(PINS[email], delay=PACE)
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.fixture
def address(demo_server: Server) -> str:
    # Browsers make keys on https and on localhost.
    return demo_server.address.replace("127.0.0.1", "localhost")


@pytest.fixture
def ward(address: str, context: BrowserContext) -> Page:
    """A tablet with a nurse's locked session and a supervisor's."""
    page = context.new_page()
    page.goto(address)
    page.evaluate("() => localStorage.setItem('language', 'es')")
    page.reload()
    for email in (NURSE, SUPERVISOR):
        sign_in(page, email)
        set_pin(page, address, email)
        if email == NURSE:
            lock(page)
            page.get_by_role("button", name="Otra persona").click()
            expect(page.get_by_role("heading", name="Iniciar sesión")).to_be_visible()
    return page


def people_on(page: Page) -> list[str]:
    """Return the names of nurse and supervisor on the lock screen."""
    buttons = page.get_by_role("dialog").locator("li button")
    expect(buttons).to_have_count(2)
    names = buttons.all_inner_texts()
    return [names[1], names[0]]


def test_two_people_hand_a_tablet_to_and_fro(ward: Page, address: str) -> None:
    ward.goto(f"{address}/areas")
    expect(ward.get_by_role("heading", name="Áreas")).to_be_visible()
    lock(ward)
    people = people_on(ward)
    begun = time.perf_counter()
    choose(ward, NURSE, people)
    expect(ward.get_by_role("heading", name="Inicio")).to_be_visible()
    print(f"handed over in {time.perf_counter() - begun:.2f} s")
    ward.goto(f"{address}/patients/create")
    ward.get_by_label("Nombre").fill("Inés")
    lock(ward)
    begun = time.perf_counter()
    choose(ward, SUPERVISOR, people)
    expect(ward.get_by_role("heading", name="Áreas")).to_be_visible()
    lock(ward)
    choose(ward, NURSE, people)
    expect(ward.get_by_label("Nombre")).to_have_value("Inés")
    print(f"there and back in {time.perf_counter() - begun:.2f} s")


def test_copied_storage_reads_nothing(ward: Page, address: str) -> None:
    lock(ward)
    until_server_knows(ward)
    tokens = [stored(ward, "token"), *re.findall(r'"token":"([^"]+)"', stored(ward, "people"))]
    assert len(tokens) == 2
    for token in tokens:
        headers = {"Authorization": f"Bearer {token}"}
        for path in ("auth/profile", "patients", "consumption-sheets", "products", "overview", "kits"):
            refused = httpx.get(f"{address}/api/{path}", headers=headers)
            assert (refused.status_code, refused.json()["code"]) == (403, "session_locked"), path


def test_a_lock_without_network_precedes_every_read(ward: Page, address: str) -> None:
    calls: list[str] = []
    ward.context.route("**/api/auth/lock", lambda route: route.abort())
    lock(ward)
    ward.reload()
    expect(ward.get_by_role("dialog")).to_be_visible()
    assert stored(ward, "covered") == "owed"

    def note(route: Route) -> None:
        calls.append(route.request.url.removeprefix(address))
        route.continue_()

    ward.context.unroute("**/api/auth/lock")
    ward.context.route("**/api/**", note)
    ward.get_by_label("PIN de").wait_for()
    ward.keyboard.type(PINS[SUPERVISOR], delay=PACE)
    expect(ward.get_by_role("dialog")).to_have_count(0)
    asked = [call for call in calls if call != "/api/settings"]
    assert asked[0] == "/api/auth/lock"


def test_two_tabs_follow_one_another_to_another_person(ward: Page, address: str) -> None:
    other = ward.context.new_page()
    other.goto(f"{address}/patients")
    expect(other.get_by_role("heading", name="Pacientes")).to_be_visible()
    lock(ward)
    expect(other.get_by_role("dialog")).to_be_visible()
    people = people_on(ward)
    choose(ward, NURSE, people)
    expect(other.get_by_role("dialog")).to_have_count(0)
    expect(other.get_by_role("heading", name="Pacientes")).to_be_visible()
    for tab in (ward, other):
        assert people[0].split()[0] in stored(tab, "user")


def test_a_session_ended_elsewhere_asks_for_the_password(ward: Page, address: str) -> None:
    lock(ward)
    people = people_on(ward)
    [token] = re.findall(r'"token":"([^"]+)"', stored(ward, "people"))
    ended = httpx.post(f"{address}/api/auth/logout", headers={"Authorization": f"Bearer {token}"})
    assert ended.status_code == 204
    ward.get_by_role("dialog").locator("li button").filter(has_text=people[0]).click()
    ward.keyboard.type(PINS[NURSE], delay=PACE)
    expect(ward.get_by_text("Su sesión terminó. Use su contraseña.")).to_be_visible()
    ward.get_by_label("Contraseña").fill(PASSWORD)
    ward.keyboard.press("Enter")
    expect(ward.get_by_role("dialog")).to_have_count(0)
    expect(ward.get_by_role("heading", name="Inicio")).to_be_visible()
