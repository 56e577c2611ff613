"""Every screen for every role, and every dialog.

Each must have no accessibility violation, no horizontal scrolling even with the longest names, no error in the console
(a missing text is one), and the right language.
"""

import re
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from tests.browser.conftest import begin_anew
from tests.browser.recording.test_scanning import Scanner
from tests.browser.screens import (
    LOOKS,
    NOTHING_THERE,
    SCREENS,
    TURNS,
    UI,
    WIDTHS,
    Caller,
    a_page,
    faults,
    fill,
    look,
    resize,
    said,
    settle,
    sign_in,
    texts,
)
from tests.servers import Server
from tests.walk import WALKS_ALL

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def server(server_of_all: Server, demo_file: Path) -> Server:
    """A server with demonstration data; ``things`` adds very long names."""
    return begin_anew(server_of_all, demo_file)


@pytest.fixture(scope="module")
def things(server: Server) -> dict[str, int]:
    return fill(server)


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("who", SCREENS)
def test_every_screen_is_accessible_and_fits(
    browser: Browser, server: Server, things: dict[str, int], who: str, turn: int
) -> None:
    wrong: list[str] = []
    with a_page(browser) as (page, complaints):
        # Each role and each screen starts with a different language, color scheme and width.
        ways = [*SCREENS].index(who) + turn % len(LOOKS), turn // len(LOOKS)

        def show(place: int, screen: str) -> None:
            language, scheme = LOOKS[(place + ways[0]) % len(LOOKS)]
            look(page, language, scheme)
            resize(page, WIDTHS[(place + place // len(WIDTHS) + sum(ways)) % len(WIDTHS)])
            page.goto(server.address + screen.format_map(things))
            settle(page)
            wrong.extend(faults(page, f"{screen} ({language}, {scheme})"))
            assert page.evaluate("document.documentElement.lang") == language
            if not page.locator("[data-demonstration]").is_visible():
                wrong.append(f"{screen}: does not say that this is a demonstration")
            wrong.extend(f"{screen}: {complaint}" for complaint in complaints)
            complaints.clear()

        page.goto(f"{server.address}/auth/login")
        for place, screen in enumerate(
            ("/auth/login", "/auth/reset-password", "/auth/first-administrator", "/auth/passkey")
        ):
            show(place, screen)
        sign_in(page, server, who)
        for place, screen in enumerate(SCREENS[who]):
            show(place, screen)
            assert page.evaluate("localStorage.token"), f"{screen} signed {who} out"
            if ("no encontrada" in page.title() or "not found" in page.title()) != (screen == NOTHING_THERE):
                wrong.append(f"{screen}: {page.title()}")
    assert wrong == [], "\n".join(wrong)


# The lists with the most columns; other screens are shown at these widths only with `make walk`.
WIDE_LISTS = (
    "/consumption-sheets",
    "/consumption-sheets/closed",
    "/consumption-sheet-details",
    "/recalls/{recalls}",
    "/recalls/{of_all_lots}",
    "/imports",
    "/reports/consumption?by=product",
)
SCROLLS = """() => [...document.querySelectorAll("main *")]
    .filter(each => /auto|scroll/.test(getComputedStyle(each).overflowX) && each.scrollWidth > each.clientWidth + 1)
    .map(each => [each.clientWidth, each.scrollWidth])"""


def test_lists_never_scroll_sideways(browser: Browser, server: Server, things: dict[str, int]) -> None:
    recall = {"product_id": things["products"], "reason": "x"}
    of_all_lots = Caller(server).sign_in("admin").post("recalls", **recall)["id"]
    wrong = []
    with a_page(browser) as (page, _):
        sign_in(page, server, "admin")
        for screen in WIDE_LISTS:
            page.goto(server.address + screen.format(**things, of_all_lots=of_all_lots))
            settle(page)
            # At 1024 there is a menu beside the list, which is as wide as at 768.
            for width in (768, 1024, 1279, 1366):
                page.set_viewport_size({"width": width, "height": 768})
                wrong += [f"{screen} at {width}: {widths}" for widths in page.evaluate(SCROLLS)]
    assert wrong == []


# --- dialogs ---------------------------------------------------------------------------------------------------------


class Dialog(NamedTuple):
    """A screen and the steps that open a dialog; a text is a button's name."""

    screen: str
    steps: tuple[str | Callable[[Page], None], ...]
    shows_list: bool = False


def typed(page: Page) -> None:
    page.locator("main input").first.fill("x")


def file_chosen(page: Page) -> None:
    page.locator("input[type=file]").set_input_files({"name": "x.csv", "mimeType": "text/csv", "buffer": b"name\nx\n"})
    page.locator("#preview").wait_for()


def product_chosen(page: Page) -> None:
    page.locator("main input[role=combobox]").first.click()
    page.get_by_role("option").first.click()


def code_chosen(page: Page) -> None:
    page.locator("main tbody").get_by_role("button").first.click()


def left(page: Page) -> None:
    page.locator("aside a[href='/consumption-sheets']").click()


def finder(page: Page) -> None:
    page.keyboard.press("Control+k")
    page.get_by_role("dialog").get_by_role("combobox").fill("a")
    page.wait_for_load_state("networkidle")


def shortcuts_listed(page: Page) -> None:
    # On the start page the key would be typed into the focused search field.
    page.get_by_role("region", name=re.compile("^(Hoy|Today)$")).click(position={"x": 1, "y": 1})
    page.locator("body").press("?")


def other_wristband_scanned(page: Page) -> None:
    Scanner(page, every=10).scan("EXP-2025-0943")


def from_menu(words: str) -> Callable[[Page], None]:
    """An action in the sheet's menu."""

    def step(page: Page) -> None:
        page.get_by_role("button", name=re.compile("^(Más acciones|More actions)")).first.click()
        page.get_by_role("menuitem", name=re.compile(words)).click()
        page.wait_for_load_state("networkidle")

    return step


def from_row_menu(words: str) -> Callable[[Page], None]:
    """An action in the menu of the first row."""

    def step(page: Page) -> None:
        page.locator("main tbody").get_by_role("button", name=re.compile("^(Más acciones|More actions)")).first.click()
        page.get_by_role("menuitem", name=re.compile(words)).click()

    return step


def at_a_line(words: str) -> Callable[[Page], None]:
    """An action in a line's menu."""

    def step(page: Page) -> None:
        line = page.locator("tr[id^=detail-]").first
        line.hover()
        line.get_by_role("button", name=re.compile("^(Más acciones|More actions)")).click()
        page.get_by_role("menuitem", name=re.compile(words)).click()
        page.wait_for_load_state("networkidle")

    return step


def of_program(words: str) -> Callable[[Page], None]:
    def step(page: Page) -> None:
        page.locator("main").get_by_role("button", name=re.compile("^(Más acciones|More actions)")).first.click()
        page.get_by_role("menuitem", name=re.compile(words)).click()

    return step


def key_made(page: Page) -> None:
    page.locator("main input[name=name], main input").first.fill("x")
    page.locator("main input[type=checkbox]").first.check()
    page.locator("main button[type=submit]").click()
    page.locator("#shown-once").wait_for()


# A refused entry of an unknown sheet: it is not sent, and blocks no closing.
UNSENT = """user_id => new Promise((resolve, reject) => {
    const opening = indexedDB.open("consumo");
    opening.onerror = reject;
    opening.onsuccess = () => {
        const change = opening.result.transaction("outbox", "readwrite");
        change.objectStore("outbox").clear();
        change.objectStore("outbox").put({
            key: "unsent", user_id, user_name: "Ana P.", sheet_id: 999999, staff_id: null, area_id: null, kit_id: null,
            occurred_at: new Date(Date.now() - 720000).toISOString(), state: "refused", tries: 1,
            problem: [{ field: null, code: null, text: "No." }],
            items: [{
                product: {
                    id: 1, name: "otorrinolaringologo".repeat(9), code: null, gtin: null, unit: null, active: true,
                    decimals: 3, asks_lot: false, asks_serial: false,
                },
                quantity: "2", gtin: null, lot: null, expiry: null, serial: null, acknowledged: [],
            }],
        });
        change.oncomplete = () => { opening.result.close(); resolve(); };
    };
})"""


def something_unsent(page: Page) -> None:
    page.evaluate(UNSENT, page.evaluate("JSON.parse(localStorage.user).id"))
    page.reload()
    page.get_by_role("button", name=re.compile("sin enviar|unsent")).wait_for()
    page.wait_for_load_state("networkidle")


def messages_marked(page: Page) -> None:
    page.locator("#mark-all-messages").check()


def user_linked(page: Page) -> None:
    """Show the user as linked; the server has no identity provider."""

    def link(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | {"oidc_linked": True})

    page.route(re.compile(r"/api/users/\d+$"), link)
    page.reload()


def with_passkey(page: Page) -> None:
    """Show a passkey of the user, who has none."""
    key = {"id": 1, "name": "Teléfono", "made_at": "2026-11-20T10:00:00Z", "used_at": None}
    page.route(
        re.compile(r"/api/users/\d+/passkeys$"),
        lambda route: route.fulfill(json={"items": [key | {"backed_up": True, "suspected": False}]}),
    )
    page.reload()


def by_name(page: Page) -> None:
    """Let the address of the test be a name at which passkeys are allowed."""

    def allow(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | {"passkey_host": "127.0.0.1"})

    page.route("**/api/settings", allow)


def on_a_device(page: Page) -> None:
    """Show a session of the user that is bound to a device."""
    session = {
        "id": "s",
        "address": "192.0.2.7",
        "client": "",
        "browser": "Firefox",
        "system": "Windows",
        "began_at": "2026-11-20T10:00:00Z",
        "used_at": "2026-11-20T10:00:00Z",
        "current": False,
        "device": "k" * 43,
        "locked": True,
        "how": "password",
    }
    page.route(re.compile(r"/api/users/\d+/sessions$"), lambda route: route.fulfill(json={"items": [session]}))
    page.reload()


def signing_out(page: Page) -> None:
    page.locator("aside").get_by_role("button", name=re.compile("Cerrar sesión|Sign out")).click()


def unsent_listed(page: Page) -> None:
    page.get_by_role("button", name=re.compile("sin enviar|unsent")).click()


LONG = "otorrinolaringologo" * 9
NOTICE = {
    "kind": "voided", "at": "2026-11-26T06:00:00Z", "by": LONG, "seen_at": None, "moved_from": None, "detail_id": 1,
    "sheet": {
        "id": 1, "closed": False, "room": LONG,
        "patient": {"id": 1, "name": LONG, "first_surname": LONG, "second_surname": None},
    },
    "product": {"id": 1, "name": LONG, "unit": None}, "quantity": 2, "new_product": None, "new_quantity": None,
}  # fmt: skip


def notices_listed(page: Page) -> None:
    notices = [NOTICE | {"id": 1}, NOTICE | {"id": 2, "at": "2026-11-26T05:00:00Z"}]
    page.route("**/api/notices", lambda route: route.fulfill(json={"items": notices, "more": False}))
    page.reload()
    bar = page.get_by_role("region", name=re.compile("^(Cambios en sus|Changes to your)"))
    bar.get_by_role("button", name=re.compile("^(Ver|View)$")).click()
    page.unroute("**/api/notices")


DETAILS = "/consumption-sheet-details/{open}/consumption-details"
# By the key of the dialog's title.
DIALOGS = {
    "areas.delete.question": Dialog("/areas/{areas}/edit", ("areas.delete",)),
    "categories.create": Dialog("/products/categories", ("categories.create",)),
    "categories.delete.question": Dialog("/products/categories", (from_row_menu("Eliminar|Delete"),)),
    "categories.edit": Dialog("/products/categories", (from_row_menu("Editar|Edit"),)),
    "codes.add": Dialog("/products/{products}", ("codes.add",)),
    "codes.ignore.question": Dialog("/products/unknown-codes", (from_row_menu("Quitar|Remove"),)),
    "codes.link": Dialog("/products/unknown-codes", (code_chosen,)),
    "codes.remove.question": Dialog("/products/{products}", (from_row_menu("Quitar|Remove"),)),
    "details.delete.question": Dialog(DETAILS, ("details.deleteOf",)),
    "details.move.question": Dialog(DETAILS, (at_a_line("Mover|Move"),)),
    "details.return.question": Dialog(DETAILS, (at_a_line("Devolver|Return"),)),
    "details.voided.title": Dialog(DETAILS, (from_menu("anuladas|Void"),)),
    "details.leave.question": Dialog(DETAILS, (product_chosen, left)),
    "globalSearch.title": Dialog(DETAILS, (finder,), shows_list=True),
    "scan.leave.question": Dialog(DETAILS, (product_chosen, other_wristband_scanned)),
    "form.leave.question": Dialog("/areas/create", (typed, left)),
    "imports.leave.question": Dialog("/imports/create", (file_chosen, left)),
    "imports.undo.question": Dialog("/imports", ("imports.undo.of",)),
    "kits.delete.question": Dialog("/products/kits/{kits}/edit", ("kits.delete",)),
    "unlisted.discard.question": Dialog(DETAILS, ("unlisted.discard",)),
    "unlisted.resolve.question": Dialog(DETAILS, ("unlisted.resolve",)),
    "labels.print": Dialog("/products/{products}", ("labels.print",)),
    "late.dismiss.question": Dialog("/consumption-sheets/closed/{closed}", ("late.dismiss",)),
    "outbound.message": Dialog("/messages/outbound?state=waiting", ("outbound.read",)),
    "outbound.settle.question": Dialog("/messages/outbound?state=waiting", ("outbound.settle",)),
    "list.filters": Dialog("/consumption-sheet-details", ("list.filters",)),
    "messages.dismiss.question": Dialog("/messages", ("messages.dismiss",)),
    "reconciliation.leave.question": Dialog("/reports/reconciliation", (file_chosen, left)),
    "messages.dismissMany.question": Dialog("/messages", (messages_marked, "messages.dismissMany")),
    "messages.isSheet.question": Dialog("/messages", ("messages.isSheet",)),
    "messages.open.question": Dialog("/messages", ("messages.open",)),
    "messages.patient.question": Dialog("/messages", ("messages.patient",)),
    "messages.room.question": Dialog("/messages", ("messages.room",)),
    "months.close.question": Dialog("/reports/months", ("months.closeOf",)),
    "months.closeAgain.question": Dialog("/reports/months/{months}", ("months.closeAgain",)),
    "merge.undo.question": Dialog("/patients/{merged}?merged=1", ("merge.undo",)),
    "notices.title": Dialog("/", (notices_listed,)),
    "outbox.discardAll.question": Dialog("/", (something_unsent, signing_out, "outbox.discardAll")),
    "outbox.signOut.question": Dialog("/", (something_unsent, signing_out)),
    "outbox.title": Dialog("/", (something_unsent, unsent_listed)),
    "patients.create": Dialog("/consumption-sheets/create", ("patients.create",)),
    "patients.deactivate.question": Dialog("/patients/{patients}/edit", ("patients.delete", "patients.delete")),
    "patients.delete.question": Dialog("/patients/{patients}/edit", ("patients.delete",)),
    "products.deactivate.question": Dialog("/products/{products}/edit", ("products.delete", "products.delete")),
    "products.delete.question": Dialog("/products/{products}/edit", ("products.delete",)),
    "programs.create": Dialog("/service-accounts", ("programs.create",)),
    "programs.delete.question": Dialog("/service-accounts", (of_program("Eliminar|Delete"),)),
    "programs.rename": Dialog("/service-accounts", (of_program("Cambiar|Rename"),)),
    "keys.leave.question": Dialog("/service-accounts/{account}/keys/create", (key_made, left)),
    "keys.revoke.question": Dialog("/service-accounts", ("keys.revokeNamed",)),
    "recalls.end.question": Dialog("/recalls/{recalls}", ("recalls.end",)),
    "rooms.delete.question": Dialog("/rooms/{rooms}/edit", ("rooms.delete",)),
    "sessions.endAll.question": Dialog("/users/{nurse}", ("sessions.endAll",)),
    "sessions.endOthers.question": Dialog("/users/account", ("sessions.endOthers",)),
    "products.category": Dialog("/products", ("products.category",), shows_list=True),
    "batch.asKit": Dialog(DETAILS, (from_menu("kit"),)),
    "batch.repeat": Dialog(DETAILS, (from_menu("otro día|another day"),)),
    "sheets.close.question": Dialog(DETAILS, ("sheets.close.action",)),
    "sheets.delete.question": Dialog("/consumption-sheets/{open}/edit", ("sheets.delete",)),
    "sheets.reopen.question": Dialog("/consumption-sheets/closed/{closed}", ("sheets.reopen",)),
    "sheets.transfer.title": Dialog(DETAILS, (from_menu("^(Trasladar|Transfer)"),)),
    "shortcuts.title": Dialog("/", (shortcuts_listed,)),
    "staff.delete.question": Dialog("/staff/{staff}/edit", ("staff.delete",)),
    "users.delete.question": Dialog("/users/{users}/edit", ("users.delete",)),
    "passkeys.lost": Dialog("/users/{users}", (by_name, with_passkey, "passkeys.lost")),
    "passkeys.remove.question": Dialog("/users/account", (with_passkey, "passkeys.remove")),
    "sessions.lost.question": Dialog("/users/{users}", (on_a_device, "sessions.lost")),
    "waste.question": Dialog(DETAILS, (at_a_line("Desechar|Throw away"),)),
    "users.unlink.question": Dialog("/users/{users}", (user_linked, "users.unlink")),
    "users.link.leave.question": Dialog("/users/{users}", ("users.link.handOut", left)),
}


# Dialogs that differ only in their texts: `make walk` opens all of them, otherwise one represents the others.
ALIKE = {f"{noun}.delete.question" for noun in ("categories", "kits", "rooms", "sheets", "staff", "users")} | {
    "categories.edit", "codes.ignore.question", "codes.remove.question", "details.leave.question",
    "imports.leave.question", "imports.undo.question", "keys.leave.question", "keys.revoke.question",
    "late.dismiss.question", "messages.dismiss.question", "messages.dismissMany.question", "outbox.discardAll.question",
    "patients.delete.question",
    "products.deactivate.question", "products.delete.question", "programs.delete.question", "programs.rename",
    "recalls.end.question", "reconciliation.leave.question", "sessions.endAll.question", "users.unlink.question",
    "passkeys.remove.question", "sessions.lost.question",
    "unlisted.discard.question", "unlisted.resolve.question", "sessions.endOthers.question", "merge.undo.question",
    "months.closeAgain.question", "messages.isSheet.question", "messages.room.question", "outbound.settle.question",
    "patients.deactivate.question", "users.link.leave.question",
}  # fmt: skip
OPENED = {title: dialog for title, dialog in DIALOGS.items() if WALKS_ALL or title not in ALIKE}


def test_every_dialog_is_listed() -> None:
    """The test below opens each listed dialog."""
    assert {text for text in texts("es") if text.endswith(".question")} <= set(DIALOGS)
    assert set(DIALOGS) > ALIKE
    drawn = {
        file.name
        for file in (UI / "src").rglob("*.tsx")
        if not file.name.endswith(".test.tsx") and re.search(r"<(Modal|Drawer|Popover)\b", file.read_text())
    }
    # The camera dialog needs a camera: see test_camera.py.
    assert drawn == {
        "CameraDialog.tsx", "Dialog.tsx", "FilterChips.tsx", "GlobalSearchDialog.tsx", "MenuDrawer.tsx",
        "NoticesDrawer.tsx", "RecordBatchDrawer.tsx", "ShortcutsDialog.tsx", "UnsentDrawer.tsx", "VoidedLines.tsx",
    }  # fmt: skip


# A part that fails is repeated alone.
PARTS = 4


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("part", range(PARTS))
def test_every_dialog_is_accessible_and_fits(
    browser: Browser, server: Server, things: dict[str, int], part: int, turn: int
) -> None:
    wrong: list[str] = []
    with a_page(browser) as (page, complaints):
        sign_in(page, server, "admin")
        for place, (title, (screen, steps, shows_list)) in islice(enumerate(OPENED.items()), part, None, PARTS):
            language, scheme = LOOKS[(place + turn) % len(LOOKS)]
            look(page, language, scheme)
            resize(page, 1366)
            page.goto(server.address + screen.format_map(things))
            settle(page)
            for count, step in enumerate(steps):
                if isinstance(step, str):
                    opened = page.get_by_role("dialog")
                    follows = any(isinstance(former, str) for former in steps[:count])
                    shown = opened if follows or opened.count() else page.locator("body")
                    shown.get_by_role("button", name=said(language, step)).first.click()
                    page.wait_for_load_state("networkidle")
                else:
                    step(page)
            dialog = page.get_by_role("dialog")
            expect(dialog).to_be_visible()
            expect(dialog).to_have_accessible_name(said(language, title))
            expect(page.locator("[role=listbox]:visible"), title).to_have_count(int(shows_list))
            wrong += faults(page, f"{title} ({language}, {scheme})", "[role=dialog]")
            # Deleting a thing in use is answered with 422, which the browser logs as an error.
            wrong += [f"{title}: {complaint}" for complaint in complaints if "status of 422" not in complaint]
            complaints.clear()
            # The focus returns to where it was. A list in the dialog closes first.
            if shows_list:
                page.keyboard.press("Escape")
                expect(page.locator("[role=listbox]:visible")).to_have_count(0)
            page.keyboard.press("Escape")
            expect(dialog).to_have_count(0)
            page.wait_for_function("document.activeElement !== document.body")
    assert wrong == [], "\n".join(wrong)


def test_the_menu_of_a_phone_is_accessible_and_fits(browser: Browser, server: Server) -> None:
    with a_page(browser) as (page, _):
        sign_in(page, server, "admin")
        resize(page, 360)
        page.goto(server.address)
        settle(page)
        page.get_by_role("button", name="Abrir menú").click()
        expect(page.get_by_role("dialog")).to_be_visible()
        assert faults(page, "the menu", "[role=dialog]") == []


# --- tooltips, errors and focus --------------------------------------------------------------------------------------


def test_a_name_is_never_cut_and_other_texts_have_a_tooltip(
    browser: Browser, server: Server, things: dict[str, int]
) -> None:
    with a_page(browser, viewport={"width": 1366, "height": 768}) as (page, _):
        sign_in(page, server, "admin")
        page.goto(f"{server.address}/consumption-sheets?sort=patient")
        row = page.get_by_role("row").nth(1)
        sheet = page.request.get(
            f"{server.address}/api/consumption-sheets/{things['open']}",
            headers={"Authorization": f"Bearer {page.evaluate('localStorage.token')}"},
        ).json()
        expect(row).to_contain_text(sheet["doctor"])
        row.hover()

        def line_of(text: str) -> Locator:
            return row.locator("[data-clamped]").filter(has_text=re.compile(f"^{text}$"))

        assert line_of(sheet["diagnosis"]).evaluate("text => text.clientHeight") < 40
        expect(row).to_have_attribute("title", re.compile(sheet["diagnosis"]))
        # Two names may differ only at their end.
        assert line_of(sheet["doctor"]).evaluate("text => text.scrollHeight < text.clientHeight + 8")
        name = row.get_by_role("link")
        expect(name).to_contain_text(sheet["patient"]["second_surname"])
        assert name.evaluate("name => name.closest('[data-clamped]') ?? name.querySelector('[data-clamped]')") is None


def test_the_sign_out_button_is_in_view(browser: Browser, server: Server) -> None:
    with a_page(browser) as (page, _):
        sign_in(page, server, "supervisor")
        page.goto(server.address)
        for width, height in ((1366, 768), (1366, 560), (1024, 600)):
            page.set_viewport_size({"width": width, "height": height})
            expect(page.get_by_role("button", name="Cerrar sesión")).to_be_in_viewport(ratio=1)
        for width, height in ((360, 640), (640, 360)):
            page.set_viewport_size({"width": width, "height": height})
            page.get_by_role("button", name="Abrir menú").click()
            expect(page.get_by_role("dialog").get_by_role("button", name="Cerrar sesión")).to_be_in_viewport(ratio=1)
            page.keyboard.press("Escape")


def test_forbidden_and_missing_pages_explain_themselves(browser: Browser, server: Server) -> None:
    with a_page(browser) as (page, _):
        sign_in(page, server, "supervisor")
        page.goto(f"{server.address}/audit")
        expect(page.get_by_text("Su rol no permite abrir esta página")).to_be_visible()
        expect(page.get_by_text(re.compile("Supervisor"))).to_be_visible()
        things = {
            "areas": "el área",
            "rooms": "la habitación",
            "products": "el producto",
            "patients": "el paciente",
            "staff": "el miembro del personal",
            "users": "el usuario",
            "consumption-sheets": "la hoja de consumo",
            "consumption-sheets/closed": "la hoja de consumo",
            "consumption-sheet-details": "la línea de consumo",
        }
        records = [(f"{path}/987654{more}", name) for path, name in things.items() for more in ("", "/edit")]
        records.remove(("consumption-sheets/closed/987654/edit", "la hoja de consumo"))
        records += [
            ("consumption-sheets/987654/history", "la hoja de consumo"),
            ("consumption-sheet-details/987654/consumption-details", "la hoja de consumo"),
        ]
        for number, (path, name) in enumerate(records, 987_001):
            # Client-side navigation avoids reloading the application.
            page.evaluate(
                "path => { history.pushState(null, '', path); dispatchEvent(new PopStateEvent('popstate')); }",
                "/" + path.replace("987654", str(number)),
            )
            expect(page.locator("main")).to_contain_text(f"No existe {name} {number}")
        page.goto(f"{server.address}/patients/x1")
        expect(page.locator("main")).to_contain_text("No encontramos esta página")


def drawn(page: Page, thing: Locator) -> bytes:
    """A screenshot of an element and its surroundings."""
    thing.scroll_into_view_if_needed()
    box = thing.bounding_box()
    assert box
    return page.screenshot(
        clip={"x": box["x"] - 6, "y": box["y"] - 6, "width": box["width"] + 12, "height": box["height"] + 12},
        animations="disabled",
    )


def test_focus_is_visible_with_forced_colors(browser: Browser, server: Server, things: dict[str, int]) -> None:
    with a_page(browser, forced_colors="active", viewport={"width": 1366, "height": 768}) as (page, _):
        page.goto(f"{server.address}/auth/login")
        settle(page)
        focusable = {
            "a field": page.locator("input[type=email]"),
            "a field with a button": page.locator(".mantine-PasswordInput-input"),
            "a button": page.locator("button[type=submit]"),
        }
        for what, thing in focusable.items():
            page.locator("header button").first.focus()
            without = drawn(page, thing)
            (thing.locator("input") if "with" in what else thing).focus()
            assert drawn(page, thing) != without, what

        sign_in(page, server, "user")
        page.goto(server.address + DETAILS.format_map(things))
        page.get_by_role("combobox", name="Producto").fill("gasa")
        option = page.get_by_role("option").first
        option.wait_for()
        expect(option).to_have_attribute("data-combobox-selected", "true")
        chosen = drawn(page, option)
        page.keyboard.press("ArrowDown")
        expect(option).not_to_have_attribute("data-combobox-selected", "true")
        assert drawn(page, option) != chosen
