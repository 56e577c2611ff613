"""The outbox of unsent lines when the network fails."""

import re
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.browser.device_storage import until_kept
from tests.browser.recording.test_main_job import record
from tests.browser.screens import Caller, a_new_sheet, sign_in
from tests.servers import Server

pytestmark = pytest.mark.browser

NURSE, SUPERVISOR = "user", "supervisor"
SENT = re.compile(r"/consumption-sheets/\d+/consumption-details$")

# Triggers the next attempt at once.
NETWORK_IS_BACK = "dispatchEvent(new Event('online'))"


def cut_off(context: BrowserContext) -> None:
    """Abort the requests that record lines."""

    def cut(route: Route) -> None:
        if route.request.method == "POST":
            route.abort()
        else:
            route.continue_()

    context.route(SENT, cut)


def let_through(context: BrowserContext) -> None:
    context.unroute(SENT)


def lines_of(server: Server, sheet: int) -> list[dict[str, Any]]:
    """The lines of a sheet, oldest first."""
    admin = Caller(server).sign_in("admin")
    items: list[dict[str, Any]] = admin.call("GET", f"consumption-sheets/{sheet}/consumption-details?limit=100")[
        "items"
    ]
    return items[::-1]


def unsent(page: Page, count: int) -> None:
    expect(page.get_by_role("button", name=re.compile(rf"^{count} sin enviar"))).to_be_visible()


def nothing_unsent(page: Page) -> None:
    # The text is also missing before the page has read the outbox, so the outbox itself is checked.
    until_kept(page, "outbox", 0)
    expect(page.get_by_text(re.compile("sin enviar"))).to_have_count(0)


def test_a_later_page_sends_the_unsent_lines_once(context: BrowserContext, page: Page, demo_server: Server) -> None:
    sign_in(page, demo_server, NURSE)
    sheet, address = a_new_sheet(demo_server)
    page.goto(address)
    cut_off(context)
    moments = [datetime.now(UTC)]
    for quantity in range(1, 6):
        record(page, "gasa esteril", str(quantity))
        moments.append(datetime.now(UTC))
    expect(page.get_by_text("En espera")).to_have_count(5)
    unsent(page, 5)
    context.set_offline(True)
    expect(page.get_by_text(re.compile("^Sin conexión desde las"))).to_be_visible()
    page.close()

    context.set_offline(False)
    let_through(context)
    later = context.new_page()
    later.goto(demo_server.address)
    expect(later.get_by_role("button", name="Cerrar sesión")).to_be_visible()
    nothing_unsent(later)
    later.goto(address)
    expect(later.get_by_label("Paciente").get_by_text("5 líneas")).to_be_visible()
    lines = lines_of(demo_server, sheet)
    assert [line["quantity"] for line in lines] == [1, 2, 3, 4, 5]
    for line, (before, after) in zip(lines, pairwise(moments), strict=True):
        # JavaScript times have a resolution of a millisecond.
        assert before - timedelta(milliseconds=1) < datetime.fromisoformat(line["occurred_at"]) <= after
    # The outbox is empty: another page sends nothing.
    later.reload()
    expect(later.get_by_label("Paciente").get_by_text("5 líneas")).to_be_visible()
    assert len(lines_of(demo_server, sheet)) == 5


@pytest.mark.walk
def test_each_user_of_a_shared_tablet_sends_only_own_lines(
    context: BrowserContext, page: Page, demo_server: Server
) -> None:
    sign_in(page, demo_server, NURSE)
    sheet, address = a_new_sheet(demo_server)
    page.goto(address)
    cut_off(context)
    record(page, "gasa esteril", "3")
    record(page, "gasa esteril", "4")
    unsent(page, 2)
    page.get_by_role("button", name="Cerrar sesión").click()
    dialog = page.get_by_role("dialog", name="¿Cerrar sesión con 2 sin enviar?")
    dialog.get_by_role("button", name="Dejarlas en este equipo").click()
    expect(page.get_by_text(re.compile(r"inicie sesión para enviar 2\."))).to_be_visible()

    let_through(context)
    sign_in(page, demo_server, SUPERVISOR)
    page.goto(demo_server.address)
    page.get_by_role("button", name=re.compile("tiene 2 líneas sin enviar en este equipo")).click()
    expect(page.get_by_role("dialog").get_by_text("No tiene nada sin enviar en este equipo.")).to_be_visible()
    expect(page.get_by_role("dialog").get_by_text("Gasa")).to_have_count(0)
    page.keyboard.press("Escape")
    assert lines_of(demo_server, sheet) == []
    page.get_by_role("button", name="Cerrar sesión").click()

    sign_in(page, demo_server, NURSE)
    page.goto(demo_server.address)
    nothing_unsent(page)
    lines = lines_of(demo_server, sheet)
    assert [line["quantity"] for line in lines] == [3, 4]
    nurse = Caller(demo_server).sign_in("user").call("GET", "auth/profile")
    assert {line["user_id"] for line in lines} == {nurse["id"]}


def test_two_tabs_send_the_lines_of_both_once(context: BrowserContext, page: Page, demo_server: Server) -> None:
    sign_in(page, demo_server, NURSE)
    sheet, address = a_new_sheet(demo_server)
    page.goto(address)
    other = context.new_page()
    other.goto(page.url)
    cut_off(context)
    for quantity, tab in enumerate((page, other, page, other), 1):
        tab.bring_to_front()
        record(tab, "gasa esteril", str(quantity))
    unsent(page, 4)
    unsent(other, 4)
    let_through(context)
    page.evaluate(NETWORK_IS_BACK)
    for tab in (page, other):
        nothing_unsent(tab)
        expect(tab.get_by_label("Paciente").get_by_text("4 líneas")).to_be_visible()
    assert [line["quantity"] for line in lines_of(demo_server, sheet)] == [1, 2, 3, 4]


def test_a_line_for_a_closed_sheet_becomes_a_late_entry(
    context: BrowserContext, page: Page, demo_server: Server
) -> None:
    sign_in(page, demo_server, NURSE)
    sheet, address = a_new_sheet(demo_server)
    page.goto(address)
    cut_off(context)
    record(page, "gasa esteril", "6")
    expect(page.get_by_role("button", name="Enviar y cerrar")).to_be_visible()
    admin = Caller(demo_server).sign_in("admin")
    admin.call("DELETE", f"consumption-sheets/{sheet}/close")
    let_through(context)
    page.evaluate(NETWORK_IS_BACK)
    row = page.get_by_role("row").filter(has_text="Llegó tarde; en espera de un supervisor")
    expect(row).to_contain_text("Gasa")
    nothing_unsent(page)
    late = admin.call("GET", f"consumption-sheets/{sheet}/late-entries")["items"]
    assert [[item["quantity"] for item in entry["items"]] for entry in late] == [[6]]
    assert lines_of(demo_server, sheet) == []
