"""Several people on one device: locking, PINs, and the way back to each one's work."""

import json
import re
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.browser.device_storage import until_kept
from tests.browser.recording.test_main_job import record
from tests.browser.recording.test_outbox import NETWORK_IS_BACK, cut_off, let_through, lines_of, nothing_unsent, unsent
from tests.browser.screens import PASSWORD, UI, a_new_sheet, leave_alone, settle
from tests.servers import Server

pytestmark = pytest.mark.browser

NURSE, SUPERVISOR = "user@consumo.test", "supervisor@consumo.test"
PINS = {NURSE: "483920", SUPERVISOR: "592817"}
# Milliseconds between two keys of a person. Faster ones are a scanned badge.
PACE = 60


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
            leave_alone(page)
            page.get_by_role("button", name="Otra persona").click()
            expect(page.get_by_role("heading", name="Iniciar sesión")).to_be_visible()
    return page


def people_on(page: Page) -> list[str]:
    """Return the names of nurse and supervisor on the lock screen."""
    buttons = page.get_by_role("dialog").locator("li button")
    expect(buttons).to_have_count(2)
    # The number of unsent entries is below the name.
    names = [text.splitlines()[0] for text in buttons.all_inner_texts()]
    return [names[1], names[0]]


def test_two_people_hand_a_tablet_to_and_fro(ward: Page, address: str) -> None:
    ward.goto(f"{address}/areas")
    expect(ward.get_by_role("heading", name="Áreas")).to_be_visible()
    leave_alone(ward)
    people = people_on(ward)
    choose(ward, NURSE, people)
    expect(ward.get_by_role("heading", name="Inicio")).to_be_visible()
    ward.goto(f"{address}/patients/create")
    ward.get_by_label("Nombre").fill("Inés")
    leave_alone(ward)
    choose(ward, SUPERVISOR, people)
    expect(ward.get_by_role("heading", name="Áreas")).to_be_visible()
    leave_alone(ward)
    choose(ward, NURSE, people)
    expect(ward.get_by_label("Nombre")).to_have_value("Inés")


def test_both_people_send_their_lines_once(ward: Page, demo_server: Server, address: str) -> None:
    sheet, path = a_new_sheet(demo_server)
    sheet_page = path.replace(demo_server.address, address)
    user_ids = {SUPERVISOR: ward.evaluate("JSON.parse(localStorage.user).id")}

    def record_offline(quantities: list[str]) -> None:
        """Record without network; afterwards only lines are cut off."""
        ward.goto(sheet_page)
        expect(ward.get_by_role("combobox", name="Producto")).to_be_visible()
        until_kept(ward, "catalogue")
        settle(ward)
        ward.context.set_offline(True)
        for quantity in quantities:
            record(ward, "gasa esteril", quantity)
        unsent(ward, len(quantities))
        ward.context.set_offline(False)

    ward.evaluate("navigator.serviceWorker.ready.then(() => null)")
    cut_off(ward.context)
    record_offline(["1", "2"])
    leave_alone(ward)
    until_server_knows(ward)
    people = people_on(ward)
    choose(ward, NURSE, people)
    expect(ward.get_by_role("heading", name="Inicio")).to_be_visible()
    user_ids[NURSE] = ward.evaluate("JSON.parse(localStorage.user).id")
    record_offline(["3", "4", "5"])
    assert lines_of(demo_server, sheet) == []
    leave_alone(ward)
    until_server_knows(ward)
    choose(ward, SUPERVISOR, people)
    unsent(ward, 2)
    let_through(ward.context)
    ward.evaluate(NETWORK_IS_BACK)
    expect(ward.get_by_text(re.compile("^2 sin enviar"))).to_have_count(0)
    leave_alone(ward)
    until_server_knows(ward)
    choose(ward, NURSE, people)
    ward.evaluate(NETWORK_IS_BACK)
    nothing_unsent(ward)
    sent = sorted((line["quantity"], line["user_id"]) for line in lines_of(demo_server, sheet))
    assert user_ids[SUPERVISOR] != user_ids[NURSE]
    assert sent == [(number, user_ids[SUPERVISOR if number < 3 else NURSE]) for number in range(1, 6)]


# Calls the API as a script would that found a token.
CALL = """async ([token, method, path, body]) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const answer = await fetch(path, { method, headers, body: body && JSON.stringify(body) });
    return { status: answer.status, json: await answer.json().catch(() => null) };
}"""
PUBLIC = {"/api/settings", "/api/hospital/logo", "/fhir/R4/metadata"}


def test_copied_storage_reads_nothing(ward: Page, browser: Browser, demo_server: Server, address: str) -> None:
    sheet, path = a_new_sheet(demo_server)
    ward.goto(path.replace(demo_server.address, address))
    record(ward, "gasa esteril", "7")
    expect(ward.get_by_role("row").filter(has_text="Gasa").first).to_be_visible()
    expect(ward.locator("[role=row][aria-busy=true]")).to_have_count(0)
    leave_alone(ward)
    until_server_knows(ward)
    [line] = lines_of(demo_server, sheet)
    copied = ward.evaluate("({...localStorage})")
    tokens = [copied["token"], *(one["token"] for one in json.loads(copied["people"]))]
    assert len(tokens) == 2
    ids = {"sheet_id": sheet, "detail_id": line["id"], "product_id": line["product_id"], "kind": "Patient"}
    paths = [
        re.sub("{(.*?)}", lambda name: str(ids.get(name[1], 1)), route)
        for route, methods in json.loads((UI / "openapi.json").read_text("utf-8"))["paths"].items()
        if "get" in methods and route not in PUBLIC and not route.startswith("/health/")
    ]
    assert len(paths) > 60
    elsewhere = browser.new_context()
    thief = elsewhere.new_page()
    thief.goto(f"{address}/api/settings")

    def call(token: str, method: str, path: str, body: object = None) -> dict[str, Any]:
        answer: dict[str, Any] = thief.evaluate(CALL, [token, method, path, body])
        return answer

    for token in tokens:
        answers = {path: call(token, "GET", path)["status"] for path in paths}
        assert {path: status for path, status in answers.items() if status != 403} == {}
        # An entry is taken: the outbox of a locked screen sends. Its answer tells nothing of what others recorded.
        recorded = f"/api/consumption-sheets/{sheet}/consumption-details"
        added = call(token, "POST", recorded, {"product_id": line["product_id"], "quantity": 1})
        assert added["status"] == 201
        assert not {"warnings", "unit_price", "total"} & added["json"].keys()
        own = f"/api/consumption-details/{added['json']['id']}"
        for method, path in [("GET", own), ("PUT", own), ("DELETE", own), ("POST", f"{own}/void"), ("GET", recorded)]:
            body = {"reason": "x"} if method in ("PUT", "POST") else None
            assert call(token, method, path, body)["status"] in (403, 405), (method, path)
    assert len(lines_of(demo_server, sheet)) == 1 + len(tokens), "each entry is in the open, and can be voided"

    # The page is locked, and without the key of the tablet not even the right PIN opens it.
    for covered in ("yes", ""):
        thief.goto(f"{address}/api/settings")
        thief.evaluate("all => Object.assign(localStorage, all)", copied | {"covered": covered})
        thief.goto(address)
        thief.get_by_label("PIN de").wait_for()
        assert thief.locator("#root").count() == 0, "nothing of the page is behind the lock"
        thief.keyboard.type(PINS[SUPERVISOR], delay=PACE)
        expect(thief.get_by_role("dialog").get_by_role("alert")).to_be_visible()
    elsewhere.close()


def test_a_lock_without_network_precedes_every_read(ward: Page, address: str) -> None:
    calls: list[str] = []
    ward.context.route("**/api/auth/lock", lambda route: route.abort())
    leave_alone(ward)
    ward.reload()
    expect(ward.get_by_role("dialog")).to_be_visible()
    assert stored(ward, "covered") == "owed"

    def note(route: Route) -> None:
        calls.append(route.request.url.removeprefix(address))
        route.continue_()

    # It takes precedence, so that the lock reaches the server.
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
    leave_alone(ward)
    expect(other.get_by_role("dialog")).to_be_visible()
    people = people_on(ward)
    choose(ward, NURSE, people)
    expect(other.get_by_role("dialog")).to_have_count(0)
    expect(other.get_by_role("heading", name="Pacientes")).to_be_visible()
    for tab in (ward, other):
        assert people[0].split()[0] in stored(tab, "user")


def test_a_session_ended_elsewhere_asks_for_the_password(ward: Page, address: str) -> None:
    leave_alone(ward)
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
