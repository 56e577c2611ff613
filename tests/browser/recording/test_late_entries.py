"""Late entries on the screen, from the worklist to the reopened sheet."""

import re
from typing import Literal

import httpx
import pytest
from playwright.sync_api import Browser, expect

from tests.browser.screens import Caller, a_page, look, settle, sign_in
from tests.pace import PATIENCE
from tests.servers import Server

pytestmark = pytest.mark.browser


def arrive_late(server: Server) -> int:
    """Send two late entries of a nurse for a closed sheet; returns its id."""
    admin, nurse = Caller(server).sign_in("admin"), Caller(server).sign_in("user")
    sheet: int = admin.call("GET", "consumption-sheets?limit=1")["items"][0]["id"]
    first, second = (one["id"] for one in admin.call("GET", "products?limit=2&active=1")["items"])
    admin.call("DELETE", f"consumption-sheets/{sheet}/close")
    moment = admin.call("GET", f"consumption-sheets/{sheet}")["deleted_at"]
    for number, items in enumerate(([(first, 3)], [(first, 1), (second, 2)])):
        answer = httpx.post(
            f"{server.address}/api/consumption-sheets/{sheet}/late-entries",
            headers={"Authorization": f"Bearer {nurse.token}", "Idempotency-Key": f"late-{number}"},
            json={"items": [{"product_id": p, "quantity": q} for p, q in items], "occurred_at": moment},
            trust_env=False,
            timeout=PATIENCE,
        )
        assert answer.status_code == 201, answer.text
    return sheet


@pytest.mark.parametrize(("width", "height"), [(1366, 768), pytest.param(360, 780, marks=pytest.mark.walk)])
def test_late_entries_are_dismissed_or_recorded_after_reopening(
    browser: Browser, demo_server: Server, width: int, height: int
) -> None:
    sheet = arrive_late(demo_server)
    with a_page(browser, viewport={"width": width, "height": height}) as (page, _):
        sign_in(page, demo_server, "admin")
        page.goto(f"{demo_server.address}/worklist")
        card = page.get_by_role("region", name="Líneas que llegaron tarde")
        expect(card.get_by_text("2 líneas")).to_be_visible()
        card.get_by_role("link").click()
        expect(page).to_have_url(re.compile(f"/consumption-sheets/closed/{sheet}$"))
        panel = page.get_by_role("region", name=re.compile("llegaron? tarde|llegó tarde"))
        expect(panel.get_by_text("primero un administrador debe reabrirla")).to_be_visible()
        settle(page)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        panel.get_by_role("button", name="Descartar…").first.click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_role("textbox").fill("Ya está en otra hoja")
        dialog.get_by_role("button", name="Descartar", exact=True).click()
        expect(page.get_by_role("heading", name="1 línea llegó tarde")).to_be_visible()

        page.get_by_role("button", name="Reabrir hoja").click()
        dialog.get_by_role("textbox").fill("Llegó tarde")
        dialog.get_by_role("button", name="Reabrir hoja").click()
        expect(page).to_have_url(re.compile(f"/{sheet}/consumption-details$"))
        settle(page)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        panel.get_by_role("button", name="Registrar").click()
        expect(panel).to_be_hidden()
    lines = Caller(demo_server).sign_in("admin").call("GET", f"consumption-sheets/{sheet}/consumption-details?limit=2")
    assert sorted(line["quantity"] for line in lines["items"]) == [1, 2]
    assert len({line["user_id"] for line in lines["items"]}) == 1


QUESTIONS = {
    "es": (r"Lote R-1 retirado el .*: Empaque dañado", "El lote venció el", "Registrar", "Registrar de todos modos"),
    "en": (r"Lot R-1 recalled on .*: Empaque dañado", "The lot expired on", "Record", "Record anyway"),
}


@pytest.mark.parametrize(
    ("width", "height", "scheme", "language"),
    [
        (1366, 768, "light", "es"),
        (360, 780, "dark", "en"),
        pytest.param(1366, 768, "dark", "en", marks=pytest.mark.walk),
        pytest.param(360, 780, "light", "es", marks=pytest.mark.walk),
    ],
)
def test_a_supervisor_answers_the_questions_of_a_late_entry(
    browser: Browser,
    demo_server: Server,
    width: int,
    height: int,
    scheme: Literal["light", "dark"],
    language: str,
) -> None:
    recalled, expired, action, anyway = QUESTIONS[language]
    admin, nurse = Caller(demo_server).sign_in("admin"), Caller(demo_server).sign_in("user")
    sheet: int = admin.call("GET", "consumption-sheets?limit=1")["items"][0]["id"]
    product: int = admin.call("GET", "products?limit=1&active=1")["items"][0]["id"]
    admin.post("recalls", product_id=product, lot="R-1", reason="Empaque dañado")
    admin.call("DELETE", f"consumption-sheets/{sheet}/close")
    moment = admin.call("GET", f"consumption-sheets/{sheet}")["deleted_at"]
    acknowledged = ["lot.recalled", "lot.expired"]
    item = {"product_id": product, "quantity": 1, "lot": "R-1", "expiry": "2020-01-31", "acknowledged": acknowledged}
    answer = httpx.post(
        f"{demo_server.address}/api/consumption-sheets/{sheet}/late-entries",
        headers={"Authorization": f"Bearer {nurse.token}", "Idempotency-Key": f"doubt-{width}-{scheme}"},
        json={"items": [item], "occurred_at": moment},
        trust_env=False,
        timeout=PATIENCE,
    )
    assert answer.status_code == 201, answer.text
    admin.post(f"consumption-sheets/{sheet}/reopen", reason="Llegó tarde")
    with a_page(browser, viewport={"width": width, "height": height}) as (page, _):
        sign_in(page, demo_server, "supervisor")
        look(page, language, scheme)
        page.goto(f"{demo_server.address}/consumption-sheet-details/{sheet}/consumption-details")
        panel = page.get_by_role("region").filter(has=page.get_by_role("button", name=action, exact=True))
        expect(panel.get_by_role("alert").filter(has_text=re.compile(recalled))).to_be_visible()
        expect(panel.get_by_role("alert").filter(has_text=expired)).to_be_visible()
        settle(page)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        panel.get_by_role("button", name=action, exact=True).click()
        dialog = page.get_by_role("dialog")
        expect(dialog.get_by_text(re.compile(recalled))).to_be_visible()
        dialog.get_by_role("textbox").fill("Era el último")
        dialog.get_by_role("button", name=anyway, exact=True).click()
        expect(panel).to_be_hidden()
    lines = admin.call("GET", f"consumption-sheets/{sheet}/consumption-details?limit=1")
    assert sorted(lines["items"][0]["acknowledged"]) == sorted(acknowledged)
