"""The screens on which people prove who they are, with every way that they have."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.conftest import begin_anew
from tests.browser.screens import (
    LOOKS,
    TURNS,
    WIDTHS,
    a_page,
    faults,
    forget_session,
    long,
    look,
    resize,
    said,
    settle,
    sign_in,
)
from tests.servers import Server
from tests.walk import WALKS_ALL

pytestmark = pytest.mark.browser

# Shown where the server has an identity provider, and where browsers allow passkeys.
CONNECTED = {"oidc": {"name": long()[:80], "logout": False, "only": False}, "passkey_host": "127.0.0.1"}
KEY = {
    "id": 1, "name": "Teléfono " + "otorrinolaringologo" * 2, "made_at": "2026-11-20T10:00:00Z", "used_at": None,
    "backed_up": True, "suspected": True,
}  # fmt: skip
UNCONFIRMED = {"errors": [{"field": None, "code": "session.unconfirmed", "message": "x"}], "message": "x"}


@pytest.fixture(scope="module")
def server(server_of_all: Server, demo_file: Path) -> Server:
    return begin_anew(server_of_all, demo_file)


def with_settings(page: Page, **settings: object) -> None:
    """Answer the settings of the client with these."""

    def change(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | settings)

    page.route("**/api/settings", change)


def with_account(page: Page, **changes: object) -> None:
    """Change the user's account, as the server tells it and as it is stored."""

    def change(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | changes if answer.ok else answer.json())

    page.route("**/api/auth/profile", change)
    page.evaluate(
        "changes => { localStorage.user = JSON.stringify({...JSON.parse(localStorage.user), ...changes}); }", changes
    )


def lock(page: Page, *ways: str, others: int = 0) -> None:
    """Lock the screen of a person who has these ways, beside others."""
    with_account(page, unlock_by=[*ways], has_password="password" in ways)
    people = [
        {
            "userId": 900 + number, "name": f"Otra {long()[:90]}", "email": "otra@hospital.test",
            "token": f"x.y.{number}", "unlockBy": ["password", "pin", "badge"], "isBound": True,
        }
        for number in range(others)
    ]  # fmt: skip
    page.evaluate("people => { localStorage.covered = 'yes'; localStorage.people = JSON.stringify(people); }", people)
    page.goto(page.url)
    page.get_by_role("dialog").wait_for()


def only_password(page: Page, _: str) -> None:
    lock(page, "password")


def keypad(page: Page, _: str) -> None:
    with_settings(page, **CONNECTED)
    lock(page, "pin", "password", "passkey")
    page.locator("[role=dialog] input").wait_for()


def people(page: Page, _: str) -> None:
    lock(page, "pin", "password", "badge", others=3)
    page.locator("[role=dialog] input").wait_for()


def hospital_account(page: Page, _: str) -> None:
    with_settings(page, **CONNECTED)
    lock(page, "passkey")


def wrong_pin(page: Page, language: str) -> None:
    message = "PIN incorrecto. Le quedan 4 intentos." if language == "es" else "Wrong PIN. 4 tries left."
    refusal = {"message": message, "errors": [{"field": "pin", "code": "pin.wrong", "message": message}]}
    page.route("**/api/auth/nonce", lambda route: route.fulfill(status=201, json={"nonce": "x"}))
    page.route("**/api/auth/unlock", lambda route: route.fulfill(status=422, json=refusal))
    keypad(page, language)
    page.keyboard.type("483921", delay=60)
    expect(page.get_by_text(message)).to_be_visible()


def removing(page: Page, language: str) -> None:
    people(page, language)
    page.get_by_role("button", name=said(language, "unlock.remove")).click()


def owed_passkey(page: Page, _: str) -> None:
    with_settings(page, **CONNECTED)
    with_account(page, second_factor_required=True)
    page.goto(page.url)


def last_days(page: Page, _: str) -> None:
    with_settings(page, **CONNECTED)
    with_account(page, passkey_due_on="2999-01-01")
    page.goto(page.url)


def signed_out(page: Page, _: str) -> None:
    with_settings(page, **CONNECTED)
    address = page.url
    forget_session(page)
    page.goto(address)


def hospital_down(page: Page, language: str) -> None:
    page.route("**/api/auth/oidc/start", lambda route: route.abort())
    signed_out(page, language)
    page.get_by_role("button", name=said(language, "session.hospital")).click()
    page.get_by_role("alert").wait_for()


def asked_for_passkey(page: Page, language: str) -> None:
    with_settings(page, **CONNECTED | {"oidc": None})
    address = page.url
    forget_session(page)
    page.goto(address)
    page.get_by_role("button", name=said(language, "passkeys.signIn")).click()
    # Without any device the browser gives up.
    page.get_by_role("alert").wait_for()


def link_of_a_passkey(page: Page, language: str) -> None:
    invited = {"email": f"{long()[:60]}@hospital.test", "name": long()[:90], "options": {}}
    page.route("**/api/auth/passkey-link/options", lambda route: route.fulfill(status=201, json=invited))
    with_settings(page, **CONNECTED)
    page.goto(page.url.rstrip("/") + "/auth/passkey?token=x")
    expect(page.get_by_label(said(language, "passkeys.name"))).to_be_visible()


def own_account(page: Page, _: str) -> None:
    with_settings(page, **CONNECTED)
    page.route(re.compile(r"/api/users/\d+/passkeys$"), lambda route: route.fulfill(json={"items": [KEY]}))
    with_account(page, unlock_by=["password", "pin", "passkey"])
    page.goto(page.url.rstrip("/") + "/users/account")


def confirming(page: Page, language: str) -> None:
    page.route("**/api/auth/pin", lambda route: route.fulfill(status=422, json=UNCONFIRMED))
    own_account(page, language)
    for label in ("pin.new", "pin.again"):
        page.get_by_label(said(language, label)).fill("483920")
    page.get_by_role("button", name=said(language, "pin.change")).click()
    expect(page.get_by_role("dialog")).to_have_accessible_name(said(language, "confirmSession.title"))


WAYS: dict[str, Callable[[Page, str], None]] = {
    function.__name__: function
    for function in (
        only_password,
        keypad,
        people,
        hospital_account,
        wrong_pin,
        removing,
        owed_passkey,
        last_days,
        signed_out,
        hospital_down,
        asked_for_passkey,
        link_of_a_passkey,
        own_account,
        confirming,
    )
}
# Variants of another one: `make walk` shows all of them.
ALIKE = {"only_password", "hospital_account", "last_days", "hospital_down", "asked_for_passkey", "own_account"}
SHOWN = {name: show for name, show in WAYS.items() if WALKS_ALL or name not in ALIKE}


@pytest.mark.parametrize("turn", TURNS)
def test_every_way_in_is_accessible_and_fits(browser: Browser, server: Server, turn: int) -> None:
    wrong: list[str] = []
    for place, (name, show) in enumerate(SHOWN.items()):
        language, scheme = LOOKS[(place + turn) % len(LOOKS)]
        with a_page(browser) as (page, complaints):
            resize(page, WIDTHS[(place + place // len(WIDTHS) + turn // len(LOOKS)) % len(WIDTHS)])
            sign_in(page, server, "user")
            look(page, language, scheme)
            page.goto(server.address)
            settle(page)
            complaints.clear()
            show(page, language)
            settle(page)
            expect(page.locator("[data-demonstration]")).to_be_visible()
            wrong += faults(page, f"{name} ({language}, {scheme})")
            # Refusals are errors to the browser.
            wrong += [f"{name}: {said}" for said in complaints if "Failed to load resource" not in said]
    assert wrong == [], "\n".join(wrong)
