"""Signing in with the hospital's own account, as the browser does it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, expect

from tests.browser.screens import PASSWORD, forget_session, sign_in
from tests.oidc.forging_provider import CLIENT_ID, CLIENT_SECRET, Answer, Provider, serving_provider
from tests.pace import PATIENCE
from tests.servers import Server, serving

pytestmark = pytest.mark.browser

NAME = "San José"


@dataclass
class Hospital:
    """A server with its identity provider."""

    server: Server
    provider: Provider

    @property
    def address(self) -> str:
        return self.server.address


@pytest.fixture(scope="module")
def hospital_of_all(demo_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hospital]:
    folder = tmp_path_factory.mktemp("oidc")
    file = folder / "demo.db"
    file.write_bytes(demo_file.read_bytes())
    with serving_provider() as provider:
        settings = {
            "CONSUMO_OIDC_ISSUER": provider.issuer,
            "CONSUMO_OIDC_CLIENT_ID": CLIENT_ID,
            "CONSUMO_OIDC_CLIENT_SECRET": CLIENT_SECRET,
            "CONSUMO_OIDC_NAME": NAME,
        }
        with serving(f"sqlite:///{file}", folder, settings=settings) as server:
            yield Hospital(server, provider)


@pytest.fixture
def hospital(hospital_of_all: Hospital) -> Iterator[Hospital]:
    """The hospital, with a provider that answers."""
    yield hospital_of_all
    hospital_of_all.provider.answers.clear()


@dataclass
class Watched:
    """The addresses that a window asks for, and violations of the policy."""

    addresses: list[str] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)

    def watch(self, context: BrowserContext) -> None:
        def note(request: Request) -> None:
            self.addresses.append(request.url)
            self.addresses.append(request.headers.get("referer", ""))

        context.on("request", note)
        context.on("console", lambda message: self.violations.append(message.text))


def begin(page: Page, hospital: Hospital, at: str = "/") -> None:
    """Go to the provider's page."""
    page.goto(f"{hospital.address}{at}")
    page.get_by_role("button", name=f"Ingresar con {NAME}").click()
    expect(page.get_by_role("heading", name="Hospital", exact=True)).to_be_visible()


def answer(page: Page, subject: str) -> None:
    """Answer the provider's page."""
    page.get_by_label("Cuenta").fill(subject)
    page.get_by_role("button", name="Continuar").click()


def callback_of(page: Page, hospital: Hospital, subject: str) -> str:
    """Return where the provider would send the browser; it stays there."""
    back = hospital.provider.authorize(page.url, sub=subject, email=f"{subject}@hospital.test")
    return f"{hospital.address}/auth/oidc/callback?{urlencode(back)}"


def is_signed_in(page: Page) -> bool:
    return bool(page.evaluate("() => localStorage.getItem('token')"))


def test_a_person_signs_in_without_a_trace_in_addresses(hospital: Hospital, page: Page) -> None:
    watched = Watched()
    watched.watch(page.context)
    begin(page, hospital, "/patients?q=arriaga")
    transaction = page.context.storage_state()["origins"]
    assert transaction is not None
    answer(page, "noelia")
    # Without a profile, the person completes it first; the names of the provider are not known here.
    expect(page.get_by_role("heading", name="Perfil")).to_be_visible()
    token = page.evaluate("() => localStorage.getItem('token')")
    assert token
    callbacks = [url for url in watched.addresses if "code=" in url]
    assert len(set(callbacks)) == 1, "only the provider's redirect has the code"
    assert not [url for url in watched.addresses if token in url or "transaction" in url]
    assert watched.violations == []
    assert page.context.cookies(hospital.address) == []
    history = page.evaluate("() => [location.href, document.referrer, JSON.stringify({...sessionStorage})]")
    code = httpx.URL(callbacks[0]).params["code"]
    assert not [text for text in history if code in text]
    # Going back does not show the code either.
    page.go_back()
    assert "code=" not in page.url
    log = hospital.server.log.read_text()
    assert code not in log
    assert "noelia" not in log


def test_an_answer_counts_once(hospital: Hospital, page: Page) -> None:
    begin(page, hospital)
    callback = callback_of(page, hospital, "once")
    page.goto(callback)
    expect(page.get_by_role("heading", name="Perfil")).to_be_visible()
    forget_session(page)
    page.goto(callback)
    expect(page.get_by_role("alert")).to_contain_text("Vuelva a intentarlo")
    assert page.url == f"{hospital.address}/auth/login"
    assert not is_signed_in(page)
    page.get_by_role("button", name="Continuar").click()
    expect(page.get_by_role("button", name=f"Ingresar con {NAME}")).to_be_visible()


def test_an_answer_of_another_browser_is_refused(hospital: Hospital, browser: Browser, page: Page) -> None:
    begin(page, hospital)
    attackers = callback_of(page, hospital, "attacker")
    with window(browser) as victim:
        # The victim has begun a sign-in too.
        begin(victim, hospital)
        victim.goto(attackers)
        expect(victim.get_by_role("alert")).to_contain_text("Vuelva a intentarlo")
        assert not is_signed_in(victim)
    with window(browser) as other:
        other.goto(attackers)
        expect(other.get_by_role("alert")).to_contain_text("Vuelva a intentarlo")
        assert not is_signed_in(other)


@contextmanager
def window(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(locale="es")
    try:
        yield context.new_page()
    finally:
        context.close()


def test_a_person_who_says_no_can_try_again(hospital: Hospital, page: Page) -> None:
    begin(page, hospital)
    answer(page, "")
    expect(page.get_by_role("alert")).to_contain_text("Vuelva a intentarlo")
    page.get_by_role("button", name="Continuar").click()
    begin(page, hospital)


def test_with_a_silent_provider_the_form_unfolds(
    hospital_of_all: Hospital, demo_file: Path, tmp_path: Path, page: Page
) -> None:
    file = tmp_path / "demo.db"
    file.write_bytes(demo_file.read_bytes())
    with serving_provider() as provider:
        provider.answers["/.well-known/openid-configuration"] = Answer(b"silent", pause=PATIENCE)
        settings = {
            "CONSUMO_OIDC_ISSUER": provider.issuer,
            "CONSUMO_OIDC_CLIENT_ID": CLIENT_ID,
            "CONSUMO_OIDC_NAME": NAME,
        }
        with serving(f"sqlite:///{file}", tmp_path, settings=settings) as server:
            page.goto(server.address)
            page.get_by_role("button", name=f"Ingresar con {NAME}").click()
            # The provider is silent until the test ends.
            expect(page.get_by_role("alert")).to_contain_text("El hospital no responde")
            page.get_by_label("Correo electrónico").fill("user@consumo.test")
            page.get_by_label("Contraseña", exact=True).fill(PASSWORD)
            page.get_by_role("button", name="Ingresar", exact=True).click()
            expect(page.get_by_role("heading", name="Inicio")).to_be_visible()


def test_an_administrator_links_the_own_account(hospital: Hospital, page: Page) -> None:
    sign_in(page, hospital.server, "admin")
    page.goto(f"{hospital.address}/users/account")
    section = page.get_by_role("region", name=f"Cuenta de {NAME}")
    section.get_by_label("Contraseña actual").fill("wrong password")
    section.get_by_role("button", name=f"Vincular con {NAME}").click()
    expect(section.get_by_role("alert")).to_be_visible()
    section.get_by_label("Contraseña actual").fill(PASSWORD)
    section.get_by_role("button", name=f"Vincular con {NAME}").click()
    expect(page.get_by_role("heading", name="Hospital", exact=True)).to_be_visible()
    answer(page, "chief")
    expect(section).to_contain_text("Está vinculada")
    assert page.url == f"{hospital.address}/users/account"


def test_a_locked_screen_is_unlocked_by_the_provider(hospital: Hospital, page: Page) -> None:
    begin(page, hospital)
    answer(page, "ward2")
    expect(page.get_by_role("heading", name="Perfil")).to_be_visible()
    page.get_by_role("textbox", name="Nombre", exact=True).fill("Noelia")
    page.get_by_label("Primer apellido").fill("Vidal")
    page.get_by_role("button", name="Guardar").click()
    expect(page.get_by_role("heading", name="Inicio")).to_be_visible()
    page.goto(f"{hospital.address}/patients")
    expect(page.get_by_role("heading", name="Pacientes")).to_be_visible()
    page.evaluate(
        """() => {
          localStorage.setItem('active', String(Date.now() - 20 * 60000));
          document.dispatchEvent(new Event('visibilitychange'));
        }"""
    )
    lock = page.get_by_role("dialog", name="Pantalla bloqueada")
    expect(lock.get_by_label("Contraseña")).to_have_count(0)
    lock.get_by_role("button", name=f"Volver a ingresar con {NAME}").click()
    expect(page.get_by_role("heading", name="Hospital", exact=True)).to_be_visible()
    answer(page, "ward2")
    expect(page.get_by_role("heading", name="Pacientes")).to_be_visible()
    expect(lock).to_have_count(0)
