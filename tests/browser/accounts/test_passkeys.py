"""Passkeys with Chromium's virtual authenticator."""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import BrowserContext, CDPSession, Page, expect

from tests.browser.screens import PASSWORD, Caller, forget_session, leave_alone
from tests.servers import Server, serving

pytestmark = pytest.mark.browser

EMAIL = "user@consumo.test"


@pytest.fixture
def at_localhost(demo_server: Server) -> str:
    """The server's address by name: browsers allow no passkeys by IP address."""
    return demo_server.address.replace("127.0.0.1", "localhost")


@pytest.fixture(autouse=True)
def spanish(context: BrowserContext) -> None:
    context.add_init_script("localStorage.language = 'es'")


def add_device(page: Page, **changes: Any) -> tuple[CDPSession, str]:
    """Connect a virtual authenticator to the page; returns its id too."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    made = devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options | changes})
    return devtools, made["authenticatorId"]


def enter(page: Page, address: str, email: str = EMAIL) -> None:
    """Give email and password at the sign-in page."""
    page.goto(f"{address}/auth/login")
    page.get_by_label("Correo electrónico").fill(email)
    page.get_by_label("Contraseña", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Ingresar", exact=True).click()


def add_passkey(page: Page, address: str, name: str = "Mi teléfono") -> None:
    page.goto(f"{address}/users/account")
    page.get_by_label("Nombre de la llave").fill(name)
    page.get_by_role("button", name="Agregar llave").click()
    expect(page.get_by_text("Llave agregada")).to_be_visible()


def leave(page: Page, address: str) -> None:
    forget_session(page)
    page.goto(f"{address}/auth/login")


def ways_of_sessions(server: Server, page: Page) -> set[str]:
    """Return how the sessions of the signed-in user began."""
    nurse = Caller(server, page.evaluate("() => localStorage.token"))
    sessions = nurse.call("GET", f"users/{nurse.call('GET', 'auth/profile')['id']}/sessions")["items"]
    return {one["how"] for one in sessions}


def test_a_passkey_is_registered_and_signs_in(demo_server: Server, at_localhost: str, page: Page) -> None:
    add_device(page)
    enter(page, at_localhost)
    expect(page.get_by_role("heading", name="Inicio")).to_be_visible()
    add_passkey(page, at_localhost)
    expect(page.get_by_text("Registre otra, en otro equipo")).to_be_visible()
    # The same device again.
    page.get_by_role("button", name="Agregar llave").click()
    expect(page.get_by_text("Esa llave ya está registrada.")).to_be_visible()
    leave(page, at_localhost)
    page.get_by_role("button", name="Ingresar con llave de acceso").click()
    expect(page.get_by_role("heading", name="Inicio")).to_be_visible()
    assert "passkey" in ways_of_sessions(demo_server, page)
    # After the password the passkey is asked for.
    leave(page, at_localhost)
    enter(page, at_localhost)
    expect(page.get_by_role("heading", name="Inicio")).to_be_visible()
    assert "password+passkey" in ways_of_sessions(demo_server, page)


def test_a_lost_passkey_leaves_the_password_step(demo_server: Server, at_localhost: str, page: Page) -> None:
    devtools, device = add_device(page)
    enter(page, at_localhost)
    expect(page.get_by_role("heading", name="Inicio")).to_be_visible()
    add_passkey(page, at_localhost)
    devtools.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": device})
    add_device(page)
    leave(page, at_localhost)
    enter(page, at_localhost)
    expect(page.get_by_text("No se usó ninguna llave.")).to_be_visible()
    expect(page.get_by_text("¿Perdió su llave?")).to_be_visible()
    assert page.evaluate("() => localStorage.getItem('token')") is None


# The last one is a security key from before passkeys.
OLD_KEY = {"protocol": "u2f", "transport": "usb", "hasResidentKey": False, "hasUserVerification": False}


@pytest.mark.parametrize("changes", [{"hasUserVerification": False}, {"isUserVerified": False}, OLD_KEY])
def test_a_device_without_pin_or_finger_registers_nothing(
    demo_server: Server, at_localhost: str, page: Page, changes: dict[str, object]
) -> None:
    add_device(page, **changes)
    enter(page, at_localhost)
    expect(page.get_by_role("heading", name="Inicio")).to_be_visible()
    page.goto(f"{at_localhost}/users/account")
    page.get_by_role("button", name="Agregar llave").click()
    expect(page.get_by_text("No se usó ninguna llave.")).to_be_visible()


def test_a_lost_passkey_is_replaced_by_a_link(demo_server: Server, at_localhost: str, page: Page) -> None:
    admin = Caller(demo_server).sign_in("admin")
    user = next(one["id"] for one in admin.call("GET", "users")["items"] if one["email"] == EMAIL)
    page.goto(f"{at_localhost}/api/settings")
    page.evaluate("token => { localStorage.token = token; }", admin.token)
    page.goto(f"{at_localhost}/users/{user}")
    page.get_by_role("button", name="Llave perdida").click()
    page.get_by_role("button", name="Cerrar sesiones y crear enlace").click()
    link = page.get_by_label("Enlace para registrar la llave").input_value()
    forget_session(page)
    other = page.context.new_page()
    add_device(other)
    other.goto(link.replace("127.0.0.1", "localhost"))
    expect(other).to_have_url(f"{at_localhost}/auth/passkey")
    expect(other.get_by_label("Correo electrónico")).to_have_value(EMAIL)
    other.get_by_role("button", name="Registrar llave de acceso").click()
    # The new passkey signs in by itself.
    expect(other.get_by_role("heading", name="Inicio")).to_be_visible()


def test_no_passkey_is_offered_by_ip_address(demo_server: Server, page: Page) -> None:
    page.goto(f"{demo_server.address}/auth/login")
    expect(page.get_by_role("button", name="Ingresar", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Ingresar con llave de acceso")).to_have_count(0)


def test_a_passkey_unlocks_the_screen(demo_server: Server, at_localhost: str, page: Page) -> None:
    add_device(page)
    enter(page, at_localhost)
    expect(page.get_by_role("heading", name="Inicio")).to_be_visible()
    add_passkey(page, at_localhost)
    # The account that is read again has the passkey among its ways to unlock.
    page.wait_for_function("() => JSON.parse(localStorage.user).unlock_by.includes('passkey')")
    leave_alone(page)
    expect(page.get_by_role("heading", name="Pantalla bloqueada")).to_be_visible()
    page.get_by_role("button", name="Usar llave de acceso").click()
    expect(page.get_by_role("heading", name="Llaves de acceso")).to_be_visible()


@pytest.fixture
def strict_server(demo_file: Path, tmp_path: Path) -> Iterator[Server]:
    """A server on which ward staff need a passkey."""
    file = tmp_path / "demo.db"
    shutil.copy(demo_file, file)
    settings = {"CONSUMO_SECOND_FACTOR": "1", "CONSUMO_SECOND_FACTOR_FROM": "2026-01-01"}
    with serving(f"sqlite:///{file}", tmp_path, settings=settings) as running:
        yield running


def test_from_the_day_on_a_password_leads_to_the_passkey_page(strict_server: Server, page: Page) -> None:
    address = strict_server.address.replace("127.0.0.1", "localhost")
    add_device(page)
    enter(page, address)
    expect(page.get_by_role("heading", name="Registrar llave de acceso")).to_be_visible()
    page.get_by_role("button", name="Agregar llave").click()
    expect(page.get_by_text("Pida un enlace a quien administra Consumo")).to_be_visible()
    # The session goes on, on this page alone.
    page.goto(f"{address}/patients")
    expect(page).to_have_url(f"{address}/auth/second-factor")
    page.get_by_role("button", name="Cerrar sesión").click()
    expect(page.get_by_label("Contraseña", exact=True)).to_be_visible()


def test_before_the_day_the_passkey_may_wait(demo_file: Path, tmp_path: Path, page: Page) -> None:
    file = tmp_path / "demo.db"
    shutil.copy(demo_file, file)
    settings = {"CONSUMO_SECOND_FACTOR": "1", "CONSUMO_SECOND_FACTOR_FROM": "2999-01-01"}
    with serving(f"sqlite:///{file}", tmp_path, settings=settings) as server:
        address = server.address.replace("127.0.0.1", "localhost")
        add_device(page)
        enter(page, address)
        expect(page.get_by_text("su rol necesitará una llave de acceso")).to_be_visible()
        page.get_by_role("button", name="Más tarde").click()
        expect(page.get_by_role("heading", name="Inicio")).to_be_visible()
        page.goto(f"{address}/auth/second-factor")
        page.get_by_role("button", name="Agregar llave").click()
        expect(page.get_by_role("heading", name="Inicio")).to_be_visible()


# --- with the browser's answers ---------------------------------------------------------------------------------------

# Lets the passkey sign a challenge, and returns the answer as it is sent.
SIGN = """async ([challenge, allowed]) => {
    const allowCredentials = allowed.map(id => ({ id, type: 'public-key' }));
    const options = { rpId: 'localhost', userVerification: 'required', challenge, allowCredentials };
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
    return (await navigator.credentials.get({ publicKey })).toJSON();
}"""
SIGN_IN = "passkey-sign-in"
UNKNOWN = (404, "passkey.unknown")


@dataclass
class Api:
    """The calls of a page, made beside it."""

    server: Server

    def call(self, path: str, token: str = "", **body: object) -> httpx.Response:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return httpx.post(f"{self.server.address}/api/auth/{path}", json=body, headers=headers, trust_env=False)

    def challenge(self, path: str = f"{SIGN_IN}/options", token: str = "") -> str:
        return str(self.call(path, token).json()["options"]["challenge"])

    def ask(self, email: str = EMAIL) -> tuple[str, str]:
        """Return ticket and challenge of the second factor."""
        asked = self.call("login", email=email, password=PASSWORD)
        assert asked.status_code == 202, asked.text
        factor = asked.json()["second_factor"]
        return factor["ticket"], factor["options"]["challenge"]

    def sign_in(self, credential: object) -> tuple[int, str | None]:
        answer = self.call(SIGN_IN, credential=credential)
        return answer.status_code, answer.json().get("code")


@pytest.fixture
def api(demo_server: Server) -> Api:
    return Api(demo_server)


def sign(page: Page, challenge: str, *allowed: str) -> dict[str, Any]:
    signed: dict[str, Any] = page.evaluate(SIGN, [challenge, list(allowed)])
    return signed


@pytest.fixture
def keyed(demo_server: Server, at_localhost: str, page: Page) -> tuple[CDPSession, str]:
    """The nurse's authenticator with a passkey, at the page of the account."""
    device = add_device(page)
    enter(page, at_localhost)
    expect(page.get_by_role("heading", name="Inicio")).to_be_visible()
    add_passkey(page, at_localhost)
    return device


def other(text: str) -> str:
    """Other bytes in base64url."""
    middle = len(text) // 2
    return text[:middle] + ("A" if text[middle] != "A" else "B") + text[middle + 1 :]


CHANGES: dict[str, tuple[str, Callable[[str], object]]] = {
    "signature": ("signature", other),
    "user handle": ("userHandle", other),
    "authenticator": ("authenticatorData", other),
    "client data": ("clientDataJSON", other),
    "no signature": ("signature", lambda _: None),
    "no base64": ("clientDataJSON", lambda _: "?"),
    "a number": ("authenticatorData", lambda _: 7),
    "long": ("signature", lambda text: text * 100),
}


@pytest.mark.usefixtures("keyed")
def test_a_changed_or_repeated_answer_signs_nobody_in(api: Api, page: Page) -> None:
    for name, (member, change) in CHANGES.items():
        credential = sign(page, api.challenge())
        credential["response"][member] = change(credential["response"][member])
        assert api.sign_in(credential) == UNKNOWN, name
    credential = sign(page, api.challenge())
    assert api.sign_in(credential) == (201, None)
    assert api.sign_in(credential) == UNKNOWN


@pytest.mark.usefixtures("keyed")
def test_an_answer_to_another_question_is_refused(api: Api, page: Page) -> None:
    token = page.evaluate("() => localStorage.token")
    ticket, for_second_factor = api.ask()
    for challenge in (api.challenge("passkeys/options", token), api.challenge("unlock/options", token)):
        assert api.sign_in(sign(page, challenge)) == UNKNOWN
    assert api.sign_in(sign(page, for_second_factor)) == UNKNOWN
    refused = api.call("second-factor", ticket=ticket, credential=sign(page, api.challenge()))
    assert (refused.status_code, refused.json()["errors"][0]["code"]) == (422, "passkey.challenge")


@pytest.mark.usefixtures("keyed")
def test_an_answer_from_another_origin_is_refused(api: Api, page: Page) -> None:
    """The browser compares the name only, the server the whole address."""
    page.route("http://localhost:9/**", lambda route: route.fulfill(content_type="text/html", body="<title>x</title>"))
    page.goto("http://localhost:9/")
    assert api.sign_in(sign(page, api.challenge())) == UNKNOWN


def test_the_second_factor_is_the_own_passkey(
    keyed: tuple[CDPSession, str], api: Api, at_localhost: str, page: Page
) -> None:
    nurses = sign(page, api.challenge())["id"]
    leave(page, at_localhost)
    enter(page, at_localhost, "supervisor@consumo.test")
    expect(page.get_by_role("heading", name="Inicio")).to_be_visible()
    add_passkey(page, at_localhost)
    ticket, challenge = api.ask("supervisor@consumo.test")
    refused = api.call("second-factor", ticket=ticket, credential=sign(page, challenge, nurses))
    assert (refused.status_code, refused.json()["errors"][0]["code"]) == (422, "passkey.of_another")


def test_a_copied_passkey_is_refused_and_marked(
    keyed: tuple[CDPSession, str], api: Api, at_localhost: str, page: Page
) -> None:
    devtools, device = keyed
    [credential] = devtools.send("WebAuthn.getCredentials", {"authenticatorId": device})["credentials"]
    for _ in range(2):
        assert api.sign_in(sign(page, api.challenge())) == (201, None)
    of_device = {"authenticatorId": device}
    devtools.send("WebAuthn.removeCredential", of_device | {"credentialId": credential["credentialId"]})
    devtools.send("WebAuthn.addCredential", of_device | {"credential": credential})
    assert api.sign_in(sign(page, api.challenge())) == UNKNOWN
    page.goto(f"{at_localhost}/users/account")
    expect(page.get_by_role("region", name="Llaves de acceso").get_by_role("alert")).to_contain_text("copia")


def test_a_second_passkey_signs_in_without_the_first(
    keyed: tuple[CDPSession, str], at_localhost: str, page: Page
) -> None:
    devtools, device = keyed
    devtools.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": device})
    add_device(page)
    add_passkey(page, at_localhost, "La tableta")
    expect(page.get_by_role("region", name="Llaves de acceso").get_by_role("listitem")).to_have_count(2)
    leave(page, at_localhost)
    page.get_by_role("button", name="Ingresar con llave de acceso").click()
    expect(page.get_by_role("heading", name="Inicio")).to_be_visible()
