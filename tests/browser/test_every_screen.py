"""Every address of the specification's section 2, for every role, at three widths, in both themes and languages.

Nobody meets an accessibility violation, something to scroll sideways for, an error in the console or a text in the
other language's catalogue.
"""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page

from tests.servers import Server

pytestmark = pytest.mark.browser

Scheme = Literal["light", "dark"]
UI = Path(__file__).parents[2] / "ui"
AXE = (UI / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
PASSWORD = "consumo-demo-2026"

EVERYBODY = (
    "/",
    "/patients",
    "/patients/create",
    "/patients/{patient}",
    "/patients/{patient}/edit",
    "/consumption-sheets",
    "/consumption-sheets/create",
    "/consumption-sheets/{open}",
    "/consumption-sheets/{open}/edit",
    "/consumption-sheets/closed",
    "/consumption-sheets/closed/{closed}",
    "/consumption-sheet-details",
    "/consumption-sheet-details/create",
    "/consumption-sheet-details/{open}/consumption-details",
    "/consumption-sheet-details/{detail}",
    "/reports/consumption",
    "/users/account",
    "/there/is/nothing/here",
)
WITH_A_PROFILE = ("/auth/profile",)
WHO_CORRECT = ("/consumption-sheet-details/{detail}/edit", "/consumption-sheets/{open}/history")
WHO_MANAGE = (
    *(f"/{noun}" for noun in ("areas", "rooms", "products", "staff", "users")),
    *(f"/{noun}/create" for noun in ("areas", "rooms", "products", "staff", "users")),
    *(f"/{noun}/{{{noun}}}" for noun in ("areas", "rooms", "products", "staff", "users")),
    *(f"/{noun}/{{{noun}}}/edit" for noun in ("areas", "rooms", "products", "staff", "users")),
    "/products/categories",
    "/imports",
    "/imports/create",
)
SCREENS = {
    "user": (*EVERYBODY, *WITH_A_PROFILE),
    "supervisor": (*EVERYBODY, *WITH_A_PROFILE, *WHO_CORRECT, *WHO_MANAGE),
    "admin": (*EVERYBODY, *WHO_CORRECT, *WHO_MANAGE, "/audit"),
}


@contextmanager
def a_page(browser: Browser, width: int, scheme: Scheme) -> Iterator[tuple[Page, list[str]]]:
    """A page, and what its console complains of."""
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce"
    )
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page, complaints
    context.close()


def choose(page: Page, server: Server, language: str, scheme: Scheme) -> None:
    page.goto(f"{server.address}/auth/login")
    page.evaluate(
        """([language, scheme]) => {
            localStorage.language = language;
            localStorage["mantine-color-scheme-value"] = scheme;
        }""",
        [language, scheme],
    )
    page.reload()


def settle(page: Page) -> None:
    """Nothing is loading any more."""
    page.wait_for_load_state("networkidle")
    page.locator("h1, h2").first.wait_for()
    for loading in page.get_by_role("status", name=re.compile("^(cargando|loading)")).all():
        loading.wait_for(state="hidden")


def faults(page: Page, where: str) -> list[str]:
    """What is wrong with the screen that is shown."""
    page.evaluate(AXE + "; null")
    found: list[dict[str, Any]] = page.evaluate(
        "rules => axe.run(document, { runOnly: rules, resultTypes: ['violations'] }).then(result => result.violations)",
        RULES,
    )
    wrong = [
        f"{where}: {violation['id']}: {node['html'][:160]} ({' '.join(node['failureSummary'].split())[:200]})"
        for violation in found
        for node in violation["nodes"][:2]
    ]
    if page.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
        wrong.append(f"{where}: wider than the window")
    return wrong


def ids(server: Server, page: Page) -> dict[str, int]:
    """One of each of what the addresses name."""
    token = page.evaluate("localStorage.token")

    def first(path: str) -> int:
        answer = page.request.get(f"{server.address}/api/{path}", headers={"Authorization": f"Bearer {token}"})
        return int(json.loads(answer.text())["items"][0]["id"]) if answer.ok else 0

    nouns = ("areas", "rooms", "products", "staff", "users")
    return {
        **{noun: first(f"{noun}?limit=1") for noun in nouns},
        "patient": first("patients?limit=1"),
        "open": first("consumption-sheets?limit=1"),
        "closed": first("consumption-sheets?closed=true&limit=1"),
        "detail": first("consumption-details?limit=1"),
    }


@pytest.mark.parametrize(
    ("who", "language", "scheme", "width"),
    [
        ("admin", "es", "light", 1280),
        ("admin", "en", "dark", 360),
        ("supervisor", "en", "light", 768),
        ("supervisor", "es", "dark", 1280),
        ("user", "es", "dark", 768),
        ("user", "en", "light", 360),
    ],
)
def test_every_screen_is_accessible_fits_and_has_nothing_to_complain_of(
    browser: Browser, demo_server: Server, who: str, language: str, scheme: Scheme, width: int
) -> None:
    wrong: list[str] = []
    with a_page(browser, width, scheme) as (page, complaints):
        choose(page, demo_server, language, scheme)
        settle(page)
        wrong += faults(page, "login")
        page.goto(f"{demo_server.address}/auth/reset-password")
        settle(page)
        wrong += faults(page, "reset-password")
        page.goto(f"{demo_server.address}/auth/login")
        page.locator("input[type=email]").fill(f"{who}@consumo.test")
        page.locator("input[autocomplete=current-password]").fill(PASSWORD)
        page.keyboard.press("Enter")
        page.locator("main#content").wait_for()
        things = ids(demo_server, page)
        for screen in SCREENS[who]:
            page.goto(demo_server.address + screen.format_map(things))
            settle(page)
            wrong += faults(page, screen)
            assert page.evaluate("localStorage.token"), f"{screen} signed {who} out"
            assert page.evaluate("document.documentElement.lang") == language
            if ("no encontrada" in page.title() or "not found" in page.title()) != (screen == "/there/is/nothing/here"):
                wrong.append(f"{screen}: {page.title()}")
            wrong += [f"{screen}: {complaint}" for complaint in complaints]
            complaints.clear()
    assert wrong == [], "\n".join(wrong)
