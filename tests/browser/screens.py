"""All screens of the client, their checks, and data with very long names."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, Literal, Self
from urllib.parse import urljoin

import httpx
from playwright.sync_api import Browser, ConsoleMessage, Page
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from application.common.paging import ListQuery
from tests.hl7.messages import adt
from tests.pace import PATIENCE, PATIENCE_ON_SCREEN
from tests.permissions import PERMISSIONS, RECORDS
from tests.servers import Server, consumo
from tests.walk import WALKS_ALL

Scheme = Literal["light", "dark"]
UI = Path(__file__).parents[2] / "ui"
AXE = (UI / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# Targets of 24 px, and visible labels in accessible names: axe asks for them only on demand.
ON_DEMAND = {"target-size": {"enabled": True}, "label-content-name-mismatch": {"enabled": True}}
PASSWORD = "consumo-demo-2026"

LOOKS: tuple[tuple[str, Scheme], ...] = (("es", "light"), ("en", "dark"), ("es", "dark"), ("en", "light"))
# Widths of a phone, a tablet, a common laptop and a desktop screen, with their heights.
WINDOWS = {360: 740, 768: 1024, 1366: 768, 1920: 1080}
WIDTHS = tuple(WINDOWS)
# The width at which nearly all overflows appear.
NARROW = (360,)
# Number of variants in which each screen is shown: one, or all with `make walk`.
TURNS = range(len(LOOKS) * len(WIDTHS) if WALKS_ALL else 1)

NOTHING_THERE = "/there/is/nothing/here"
EVERYBODY = (
    "/",
    "/patients",
    "/patients/create",
    "/consumption-sheets/unidentified",
    "/patients/{patients}",
    "/patients/{patients}/edit",
    "/consumption-sheets",
    "/consumption-sheets/create",
    "/consumption-sheets/{open}",
    "/consumption-sheets/{open}/account",
    "/consumption-sheets/{open}/edit",
    "/consumption-sheets/areas",
    "/consumption-sheets/areas/{areas}",
    "/consumption-sheets/forms",
    "/consumption-sheets/forms/{form}",
    "/consumption-sheets/closed",
    "/consumption-sheets/closed/paper",
    "/consumption-sheets/closed/{closed}",
    "/consumption-sheet-details",
    "/consumption-sheet-details/create",
    "/consumption-sheet-details/{open}/consumption-details",
    "/consumption-sheet-details/{detail}",
    "/reports/consumption",
    "/reports/consumption?by=product",
    "/shift",
    "/practice",
    "/practice/codes",
    "/restock?area={areas}",
    "/restock/lists?area={areas}",
    "/restock/lists/{restock_lists}",
    "/users/account",
    "/users/account/reader",
    "/users/account/kits",
    "/users/account/kits/create",
    NOTHING_THERE,
)
WITH_A_PROFILE = ("/auth/profile",)
WHO_CORRECT = ("/consumption-sheet-details/{detail}/edit", "/consumption-sheets/{open}/history")
# Filtered variants of lists that are also shown unfiltered.
NARROWED = (
    "/patients?state=merged",
    "/consumption-sheets?area={areas}",
    "/consumption-sheets/closed?room={rooms}",
    "/messages?list=all",
    "/messages?list=refused",
    "/recalls?ended=1",
    "/messages/outbound?state=waiting",
)
# Each has a list, a form for a new one, a page of its own, and a form to edit it.
WITH_PAGES = (*(group for group, record in RECORDS.items() if record.has_pages), "products", "users")
WHO_MANAGE = (
    *NARROWED,
    "/patients/{patients}/readers",
    "/patients/{patients}/merge",
    "/patients/{merged}?merged=1",
    "/patients/{unidentified}/identify",
    *(f"/{noun}{page}" for noun in WITH_PAGES for page in ("", "/create", f"/{{{noun}}}", f"/{{{noun}}}/edit")),
    "/products/categories",
    "/products/unknown-codes",
    "/products/typed",
    "/products/kits",
    "/products/kits/create",
    "/products/kits/{kits}",
    "/products/kits/{kits}/edit",
    "/products/kits/{kits}/review",
    "/worklist",
    "/implants",
    "/recalls",
    "/restock/shelves?area={areas}",
    "/messages",
    "/recalls/create",
    "/recalls/{recalls}",
    "/recalls/{recalls}/edit",
    "/messages/outbound",
    "/imports",
    "/imports/create",
    "/reports/reconciliation",
    "/reports/months",
    "/reports/months?area={areas}",
    "/reports/months/{months}",
    "/rooms/several",
    "/users/cards?import=1",
)
# Shows ward staff and supervisors an explanation.
NOT_FOR_ALL = ("/audit",)
WHO_ADMINISTER = ("/hospital", "/service-accounts", "/service-accounts/{account}/keys/create", "/status")
# Screens on which administrators see something else than supervisors.
OTHERWISE = ("/", "/users", "/users/create", "/users/{users}", "/users/{users}/edit", "/users/account", *NOT_FOR_ALL)
# A screen is shown to those who may use its use case.
SHOWN_FOR = {
    "sheets.reader": EVERYBODY,
    "details.edit": WHO_CORRECT,
    "areas.update": WHO_MANAGE,
    "service_accounts.list": WHO_ADMINISTER,
}
SCREENS = {
    who: (
        *(screen for name, shown in SHOWN_FOR.items() if PERMISSIONS[name].to(role) is None for screen in shown),
        # Administrators have no link to a profile.
        *(WITH_A_PROFILE if who != "admin" else ()),
        *NOT_FOR_ALL,
    )
    for who, role in (("user", "nurse"), ("supervisor", "supervisor"), ("admin", "admin"))
}
if not WALKS_ALL:
    # Each kind of screen is shown once, and the common ones alternate between ward staff and supervisors; `make walk`
    # shows every screen to every role. Forms for creating and editing are the same, and so are the simple catalogues:
    # the areas' list, a room and a product's form represent them.
    ALIKE = (
        "/rooms",
        "/staff",
        "/areas/{areas}",
        "/staff/{staff}",
        *(f"/{n}/{{{n}}}/edit" for n in ("areas", "rooms")),
    )
    SHOWN = [
        screen
        for screen in WHO_MANAGE
        if screen not in (*OTHERWISE, *NARROWED, *ALIKE) and not screen.endswith("/create")
    ]
    SCREENS = {
        "user": (*EVERYBODY[::2], *WITH_A_PROFILE, *NOT_FOR_ALL),
        "supervisor": (*EVERYBODY[1::2], *WHO_CORRECT, *SHOWN, "/imports/create"),
        "admin": (*OTHERWISE, *WHO_ADMINISTER),
    }

# --- texts -----------------------------------------------------------------------------------------------------------


@cache
def texts(language: str) -> dict[str, str]:
    """The texts of the client."""
    catalogue: dict[str, str] = {}
    for folder in (UI / "src" / "i18n", UI / "src" / "i18n" / "later"):
        catalogue |= json.loads((folder / f"{language}.json").read_text("utf-8"))
    return catalogue


def said(language: str, text: str) -> re.Pattern[str]:
    """A pattern of the text, with any values for its placeholders."""
    parts = re.split(r"{\w+(?:, number)?}", texts(language)[text])
    return re.compile(".*".join(map(re.escape, parts)))


# --- very long names -------------------------------------------------------------------------------------------------


def long(start: str = "") -> str:
    """An unbroken word of the maximum length, sorted first in every list."""
    return (start + "aa" + "otorrinolaringologo" * 11)[:200]


# Shared, because each new client reads all certificates of the machine.
_CLIENT = httpx.Client(trust_env=False, timeout=PATIENCE)


@dataclass
class Caller:
    """A caller of the API."""

    server: Server
    token: str = ""

    def sign_in(self, who: str) -> Self:
        self.token = self.post("auth/login", email=f"{who}@consumo.test", password=PASSWORD)["access_token"]
        return self

    def call(self, method: str, path: str, **more: Any) -> Any:
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        headers |= more.pop("headers", {})
        address = f"{self.server.address}/api/{path}"
        answer = _CLIENT.request(method, address, headers=headers, **more)
        assert answer.is_success, f"{method} {path}: {answer.text}"
        return answer.json() if answer.headers.get("content-type", "").startswith("application/json") else None

    def post(self, path: str, **body: object) -> Any:
        return self.call("POST", path, json=body)


def fill(server: Server) -> dict[str, int]:
    """Create one of everything, with words of maximum length in all fields.

    Returns the ids by their names in URLs.
    """
    # With a second session, the button for ending all sessions is shown.
    Caller(server).sign_in("user")
    admin, nurse = Caller(server).sign_in("admin"), Caller(server).sign_in("user")
    person = {"name": long("Aa"), "first_surname": long("Aa"), "second_surname": long("Aa")}
    work = {"telephone_number": long("0"), "job_title": long()}
    for caller in (nurse, Caller(server).sign_in("supervisor")):
        caller.call("PUT", "staff/profile", json=person | work)
    things = {
        group: admin.post(group, **dict.fromkeys(record.fields, long()))["id"]
        for group, record in RECORDS.items()
        if record.query is ListQuery
    }
    area, category = things["areas"], things["categories"]
    room = admin.post("rooms", name=long(), status=1, type=1, area_id=area)["id"]
    product = admin.post("products", name=long(), code=long(), unit=long(), price=999_999.99, category_id=category)[
        "id"
    ]
    staff = admin.post("staff", **person, **work)["id"]
    email = f"{long()[:180]}@hospital.test"
    user = admin.post("auth/register-by-admin", email=email, role="2", staff_id=staff)["id"]
    things |= {"rooms": room, "products": product, "staff": staff, "users": user}
    line = {"product_id": product, "quantity": 0.125, "optional": True}
    things["kits"] = admin.post("kits", name=long(), area_id=area, lines=[line])["id"]
    for caller in (admin, nurse):
        caller.post("kits", name=long("a"), own=True, lines=[line])
    admin.post(f"products/{product}/codes", system="supplier", code=long(), units=9_999.999, label=long())
    nurse.call("GET", "products/lookup", params={"scan": long()[:50]})
    things["nurse"] = nurse.call("GET", "auth/profile")["id"]
    things["account"] = admin.post("service-accounts", name=long())["id"]
    key = {"scopes": ["sheets.read", "fhir.read"], "networks": ["2001:db8:1234:5678::/64"]}
    for expires_on in (None, (datetime.now(UTC) + timedelta(days=3)).date().isoformat()):
        admin.post(f"service-accounts/{things['account']}/keys", name=long(), expires_on=expires_on, **key)
    for state in ("closed", "open"):
        things["patients"] = admin.post("patients", **person, record_number=long(state), active=1)["id"]
        admission = {"admission_date": "2026-01-05", "doctor": long(), "diagnosis": long() * 10}
        sheet = nurse.post("consumption-sheets", patient_id=things["patients"], room_id=room, **admission)["id"]
        for recorder in (admin, nurse, nurse):
            used = {"product_id": product, "quantity": 0.125, "staff_id": staff, "area_id": area, "lot": long()[:50]}
            things["detail"] = recorder.post(f"consumption-sheets/{sheet}/consumption-details", **used)["id"]
        unlisted = {"description": long()[:200], "quantity": 9_999.999}
        nurse.post(f"consumption-sheets/{sheet}/unlisted-items", **unlisted)
        things[state] = sheet
    implant = {"product_id": admin.post("products", name=long(), price=1, category_id=category, implant=True)["id"]}
    for pack in (
        {"lot": "W" * 50, "serial": "W" * 50},
        {"acknowledged": ["implant.incomplete"], "implant_reason": long()},
    ):
        on_closed = f"consumption-sheets/{things['closed']}/consumption-details"
        admin.post(on_closed, **implant, quantity=1, **pack)
    form = {"sheet_ids": [things["open"]], "blank": 0}
    admin.call("POST", "contingency-forms", json=form)
    things["form"] = admin.call("GET", "contingency-forms")["items"][-1]["number"]
    acknowledged = {"acknowledged": "unlisted_items.open"}
    admin.call("DELETE", f"consumption-sheets/{things['closed']}/close", params=acknowledged)
    late = {"items": [{"product_id": product, "quantity": 0.125}], "occurred_at": "2026-01-05T10:00:00Z"}
    nurse.call(
        "POST", f"consumption-sheets/{things['closed']}/late-entries", json=late, headers={"Idempotency-Key": "late"}
    )
    messages = [
        adt("A01", location=f"UCI^{long()[:90]}", control_id=long()[:190]),
        adt("A01", visit="V-8", number=None, location="Urgencias^Cubículo 1", control_id="2"),
    ]
    file = server.log.parent / "messages.hl7"
    file.write_text("".join(messages))
    consumo("receive", str(file), database_url=server.database_url)
    admitted = admin.post("consumption-sheets/unidentified", room_id=things["rooms"], sex="male", age=40)
    things["unidentified"] = admitted["patient_id"]
    things["merged"] = admin.post("patients", **person, record_number=long("merged"), active=1)["id"]
    admin.post(f"patients/{things['merged']}/merge", into_id=things["patients"], reason=long())
    used = {"product_id": product, "quantity": 3, "area_id": things["areas"]}
    shelf = {"shelf": long()[:40], "fixed_amount": 100}
    admin.call("PUT", f"areas/{things['areas']}/shelves/{product}", json=shelf)
    nurse.post(f"consumption-sheets/{things['open']}/consumption-details", **used)
    closed = nurse.post(f"areas/{things['areas']}/restock/close", number=1, settle_rest=True)
    things["restock_lists"] = closed["id"]
    nurse.post(f"consumption-sheets/{things['open']}/consumption-details", **used, acknowledged=["detail.repeated"])
    # Created after the first uses: later lines are asked about, and users who manage recalls are notified.
    things["recalls"] = admin.post("recalls", product_id=product, lot=long()[:50], reason=long() * 2)["id"]
    past = {
        "product_id": product,
        "quantity": 0.125,
        "lot": long()[:50],
        "acknowledged": ["lot.recalled"],
        "recall_reason": long(),
    }
    nurse.post(f"consumption-sheets/{things['open']}/consumption-details", **past)
    things["months"] = admin.post("months", month="2026-01", turn=1)["id"]
    # A change of the closed month.
    late = past | {"occurred_at": "2026-01-06T10:00:00Z", "acknowledged": ["lot.recalled", "quantity.far_out"]}
    admin.post(f"consumption-sheets/{things['open']}/consumption-details", **late)
    admin.call(
        "POST",
        "imports",
        params={"noun": "areas", "file_name": f"{long()[:196]}.csv"},
        content=f"name\n{long('b')}\n".encode(),
    )
    return things


# --- a screen --------------------------------------------------------------------------------------------------------


@contextmanager
def a_page(browser: Browser, **how: Any) -> Iterator[tuple[Page, list[str]]]:
    """A page, and the errors in its console."""
    context = browser.new_context(reduced_motion="reduce", **how)
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if is_complaint(message) else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    # Leaving a page with a draft opens the browser's own confirmation.
    page.on("dialog", lambda dialog: dialog.accept())
    try:
        yield page, complaints
    finally:
        context.close()


# An unknown code is compared with the badges of this device, and a number in the search with those of sheets.
MAY_BE_NOTHING = re.compile(r"/api/(auth/badge|consumption-sheets/\d+/version)\??$")


def is_complaint(message: ConsoleMessage) -> bool:
    """Whether it is an error, other than that a search found nothing."""
    nothing = "404" in message.text and MAY_BE_NOTHING.search(message.location["url"])
    return message.type == "error" and not nothing


POINT_AT_TOASTS = """
    const pointed = new WeakSet();
    new MutationObserver(() => {
        for (const toast of document.getElementsByClassName("mantine-Notification-root")) {
            if (pointed.has(toast)) continue;
            pointed.add(toast);
            toast.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
        }
    }).observe(document, { childList: true, subtree: true });
"""


def keep_toasts(page: Page) -> None:
    """Keep toasts open from the next page on, as a pointer on them does.

    They close after seconds, perhaps before a slow machine has pressed their button. Not for every test: toasts that
    stay cover the buttons below them.
    """
    page.add_init_script(POINT_AT_TOASTS)


def resize(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": WINDOWS[width]})


def forget_session(page: Page) -> None:
    """Remove the session from the device's storage.

    Meanwhile no page runs that would store it again.
    """
    page.goto(urljoin(page.url, "/health/live"))
    page.evaluate("() => { for (const name of ['token', 'user']) localStorage.removeItem(name); }")


def look(page: Page, language: str, scheme: Scheme) -> None:
    """Set language and color scheme of the next page."""
    page.evaluate(
        """([language, scheme]) => {
            localStorage.language = language;
            localStorage["mantine-color-scheme-value"] = scheme;
        }""",
        [language, scheme],
    )


def sign_in(page: Page, server: Server, who: str) -> None:
    """Store a session in the browser: the next page is signed in.

    The sign-in form is tested in test_main_job.py and test_each_role_s_day.py.
    """
    caller = Caller(server).sign_in(who)
    page.goto(f"{server.address}/api/settings")
    page.evaluate(
        """([token, user]) => {
            localStorage.token = token;
            localStorage.user = JSON.stringify(user);
        }""",
        [caller.token, caller.call("GET", "auth/profile")],
    )


def leave_alone(page: Page) -> None:
    """Simulate twenty minutes of inactivity, which lock the screen."""
    page.evaluate("""() => {
      localStorage.setItem('active', String(Date.now() - 20 * 60000));
      document.dispatchEvent(new Event('visibilitychange'));
    }""")
    # The lock screen removes the page.
    page.locator("#root").wait_for(state="detached")
    page.get_by_role("dialog").wait_for()


def a_new_sheet(server: Server) -> tuple[int, str]:
    """A new sheet of a nurse; returns its id and the URL for recording on it."""
    nurse = Caller(server).sign_in("user")
    patient = nurse.call("GET", "patients?q=Arriaga")["items"][0]["id"]
    room = nurse.call("GET", "rooms?q=Habitación 5")["items"][0]["id"]
    day = (datetime.now(UTC) - timedelta(days=1)).date().isoformat()
    admission = {"admission_date": day, "doctor": "Dra. Lucía Quiroga", "diagnosis": "Neumonía"}
    sheet: int = nurse.post("consumption-sheets", patient_id=patient, room_id=room, **admission)["id"]
    return sheet, f"{server.address}/consumption-sheet-details/{sheet}/consumption-details"


def settle(page: Page) -> None:
    """Wait until nothing is loading."""
    page.wait_for_load_state("networkidle")
    page.locator("h1, h2").first.wait_for()
    for loading in page.get_by_role("status", name=re.compile("^(cargando|loading)")).all():
        loading.wait_for(state="hidden")


# The preview of a file and the usual products are meant to scroll sideways.
TOO_WIDE = r"""() => {
    const edge = document.documentElement.clientWidth;
    const wrong = [];
    const tell = (what, element, width) => wrong.push(`${what}: ${element.outerHTML.slice(0, 150)} (${width})`);
    const page = document.documentElement.scrollWidth;
    if (page > edge) wrong.push(`the page is ${page} wide`);
    for (const element of document.body.querySelectorAll("*")) {
        const { left, right, width, height } = element.getBoundingClientRect();
        if (width <= 1 || height <= 1) continue;
        const scrolls = /auto|scroll/.test(getComputedStyle(element).overflowX);
        const meant = element.closest("[role=toolbar], [aria-labelledby=preview]");
        if (scrolls && !meant && element.scrollWidth > element.clientWidth + 1)
            tell("it scrolls sideways", element, element.scrollWidth);
        if (right <= edge + 1 && left >= -1) continue;
        let around = element.parentElement;
        while (around !== document.body && getComputedStyle(around).overflowX === "visible")
            around = around.parentElement;
        if (around === document.body) tell("it reaches out", element, right);
    }
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const text = texts.currentNode;
        if (text.parentElement.closest("pre")) continue;
        // Amounts and times, not codes.
        for (const { 0: figure, index } of text.data.matchAll(/(?<![\w-])\d[\d.,:]*\d(?![\w-])/g)) {
            const range = document.createRange();
            range.setStart(text, index);
            range.setEnd(text, index + figure.length);
            const lines = new Set([...range.getClientRects()].filter(({ width }) => width > 1).map(({ top }) => top));
            if (lines.size > 1) tell("it is broken over two lines", text.parentElement, figure);
        }
    }
    return wrong.slice(0, 3);
}"""


def too_wide(page: Page, where: str) -> list[str]:
    """Overflows and broken figures at the current width and at a narrow one.

    With `make walk` at all widths.
    """
    shown = page.viewport_size
    assert shown
    wrong = []
    for width in dict.fromkeys((shown["width"], *(WIDTHS if WALKS_ALL else NARROW))):
        if width != shown["width"]:
            resize(page, width)
        # Charts are resized in the next frame.
        page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        try:
            # Elements that slide in or out reach their place soon.
            page.wait_for_function(f"() => ({TOO_WIDE})().length === 0", timeout=PATIENCE_ON_SCREEN)
        except PlaywrightTimeout:
            wrong += [f"{where} at {width}: {reported}" for reported in page.evaluate(TOO_WIDE)]
    page.set_viewport_size(shown)
    return wrong


def faults(page: Page, where: str, within: str = "html") -> list[str]:
    """Accessibility violations and overflows."""
    page.evaluate(f"window.axe ?? (() => {{ {AXE} }})(); null")
    found: list[dict[str, Any]] = page.evaluate(
        """([within, tags, rules]) => axe.run(within, { runOnly: tags, rules, resultTypes: ['violations'] })
            .then(result => result.violations)""",
        [within, RULES, ON_DEMAND],
    )
    wrong = [
        f"{where}: {violation['id']}: {node['html'][:160]} ({' '.join(node['failureSummary'].split())[:200]})"
        for violation in found
        for node in violation["nodes"][:2]
    ]
    return wrong + too_wide(page, where)
