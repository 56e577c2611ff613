"""What arrived after its sheet was closed, from the overview to the sheet that is open again."""

import re

import httpx
import pytest
from playwright.sync_api import Browser, expect

from tests.browser.screens import Caller, a_page, settle, sign_in
from tests.servers import Server

pytestmark = pytest.mark.browser


def arrive_late(server: Server) -> int:
    """Two entries of ward staff for a sheet that was closed; its id."""
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
            timeout=30,
        )
        assert answer.status_code == 201, answer.text
    return sheet


@pytest.mark.parametrize(("width", "height"), [(1366, 768), pytest.param(360, 780, marks=pytest.mark.walk)])
def test_what_arrived_late_is_dismissed_or_recorded_once_the_sheet_is_open_again(
    browser: Browser, demo_server: Server, width: int, height: int
) -> None:
    sheet = arrive_late(demo_server)
    with a_page(browser, viewport={"width": width, "height": height}) as (page, _):
        sign_in(page, demo_server, "admin")
        page.goto(demo_server.address)
        card = page.get_by_role("region", name="Entradas que llegaron tarde")
        expect(card.get_by_text("2 entradas")).to_be_visible()
        card.get_by_role("link").click()
        expect(page).to_have_url(re.compile(f"/consumption-sheets/closed/{sheet}$"))
        panel = page.get_by_role("region", name=re.compile("llegaron? tarde|llegó tarde"))
        expect(panel.get_by_text("un administrador la reabre primero")).to_be_visible()
        settle(page)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        panel.get_by_role("button", name="Descartar…").first.click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_role("textbox").fill("Ya está en otra hoja")
        dialog.get_by_role("button", name="Descartar", exact=True).click()
        expect(page.get_by_role("heading", name="1 entrada llegó tarde")).to_be_visible()

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
