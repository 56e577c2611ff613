"""Tablets that are switched off while sending over an unreliable Wi-Fi.

A third of the answers is lost.
"""

import re
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from playwright.sync_api import BrowserContext, Page, Route, sync_playwright
from sqlalchemy import create_engine, select

from adapters.sql.engine.connections import to_url
from adapters.sql.sheets.tables import NOT_VOIDED, details
from tools.faults.databases import a_database
from tools.faults.load import Caller, Ledger, open_sheet
from tools.faults.proxy import FaultyProxy
from tools.faults.scenario import CannotRun, Outcome, ScenarioRun
from tools.faults.servers import furnish, servers

KEY_REMADE = "key-remade"
SHEETS = 10
# Number of entries in the lifetime of a page.
AT_ONCE = 50
ROOM = 200
CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")

# Stores entries like the client (ui/src/outbox/entries.ts) and returns their sequence numbers.
_STORE = """([user_id, product_id, given]) => new Promise((resolve, reject) => {
    const opening = indexedDB.open("consumo");
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
        const change = opening.result.transaction("outbox", "readwrite", { durability: "strict" });
        const seqs = [];
        for (const [key, sheet_id, quantity] of given) {
            const product = {
                id: product_id, name: "x", code: null, gtin: null, unit: null, active: true, decimals: 3,
                asks_lot: false, asks_serial: false,
            };
            // Each quantity is larger than all before it, which the server would ask about.
            const acknowledged = ["quantity.far_out"];
            const item = { product, quantity, gtin: null, lot: null, expiry: null, serial: null, acknowledged };
            const put = change.objectStore("outbox").put({
                key, user_id, user_name: "Ana P.", sheet_id, items: [item], staff_id: null, area_id: null, kit_id: null,
                occurred_at: new Date().toISOString(), state: "waiting", tries: 0, problem: null,
            });
            put.onsuccess = () => seqs.push(put.result);
        }
        change.onabort = () => reject(change.error);
        change.oncomplete = () => { opening.result.close(); resolve(seqs); };
    };
})"""
# Returns the number of entries on the device, and why the server refused some of them.
_READ_LEFT = """() => new Promise((resolve, reject) => {
    const opening = indexedDB.open("consumo");
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
        const asked = opening.result.transaction("outbox").objectStore("outbox").getAll();
        asked.onsuccess = () => {
            opening.result.close();
            const refused = asked.result.filter(entry => entry.state === "refused");
            const told = ({ key, problem }) => `${key}: ${problem.map(({ text }) => text).join(" ")}`;
            resolve([asked.result.length, refused.map(told)]);
        };
    };
})"""
# As when the network comes back: the next try starts immediately.
_RETRY = "dispatchEvent(new Event('online'))"

_SENT = re.compile(r"/consumption-details$")


class Entered(NamedTuple):
    """An entry on the device, by its sequence number there."""

    seq: int
    sheet: int
    quantity: int


def lose_the_network(run: ScenarioRun) -> Outcome:
    """Kill pages that send entries while a third of the answers is lost.

    Each round is the lifetime of two pages of one browser, with fifty entries.
    """
    outcome = Outcome()
    chance = run.chance("pages")
    entered: list[Entered] = []
    with a_database(run) as url, servers(url) as [server]:
        ward, token = furnish(url)
        with Caller([server.address], token, Ledger(), run.chance("caller")) as caller:
            sheets = [open_sheet(caller, ward, f"sheet-{number}") for number in range(SHEETS)]
        proxy = FaultyProxy(server.port, run.chance("line"), cut_answers=0.33, only=b"POST ")
        with _browser(token, run.mutant) as context:
            for number in run.each_round():
                pages = [_page(context, proxy.address) for _ in range(2)]
                given = [
                    (f"{number}-{place}", chance.choice(sheets), number * AT_ONCE + place + 1)
                    for place in range(AT_ONCE)
                ]
                for page, some in zip(pages, (given[::2], given[1::2]), strict=True):
                    kept = [(key, sheet, str(quantity)) for key, sheet, quantity in some]
                    seqs = page.evaluate(_STORE, [ward.supervisor.user_id, ward.product_id, kept])
                    entered += [Entered(seq, *rest) for seq, (_, *rest) in zip(seqs, some, strict=True)]
                    page.evaluate(_RETRY)
                # A device stores at most five hundred entries.
                while pages[0].evaluate(_READ_LEFT)[0] > ROOM and time.monotonic() < run.until:
                    pages[0].evaluate(_RETRY)
                    pages[0].wait_for_timeout(100)
                for page in chance.sample(pages, 2):
                    page.wait_for_timeout(chance.random() * 400)
                    page.close()
                    outcome.injected += 1
            outcome.figures["left when the last page was killed"] = _drain(_page(context, proxy.address), run, outcome)
        proxy.close()
        outcome.injected += proxy.answers_cut
        outcome.figures["answers cut off"] = proxy.answers_cut
        _compare(url, entered, outcome)
    return outcome


def _send_with_another_key(route: Route) -> None:
    route.continue_(headers=route.request.headers | {"idempotency-key": secrets.token_hex(16)})


@contextmanager
def _browser(token: str, mutant: str | None) -> Iterator[BrowserContext]:
    """Yield a browser with a signed-in user."""
    path = next(filter(None, map(shutil.which, CHROMIUMS)), None)
    if path is None:
        raise CannotRun("no Chromium on this machine (`.ci/need chromium` installs it)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        context = browser.new_context()
        if mutant == KEY_REMADE:
            context.route(_SENT, _send_with_another_key)
        context.add_init_script(f"localStorage.setItem('token', '{token}')")
        yield context
        browser.close()


def _page(context: BrowserContext, address: str) -> Page:
    """Open a page that runs the outbox."""
    page = context.new_page()
    page.goto(f"{address}/users/account/reader")
    page.locator("aside").wait_for(timeout=60_000)
    return page


def _drain(page: Page, run: ScenarioRun, outcome: Outcome) -> int:
    """Drain the outbox; return how many entries there were at first."""
    first, refused = page.evaluate(_READ_LEFT)
    left = first
    for _ in range(round(run.seconds * 10)):
        if left == len(refused):
            break
        page.evaluate(_RETRY)
        page.wait_for_timeout(100)
        left, refused = page.evaluate(_READ_LEFT)
    if left:
        outcome.findings.append(f"{left} stay on the device, {len(refused)} of them refused {refused[:3]}")
    return int(first)


def _compare(url: str, entered: list[Entered], outcome: Outcome) -> None:
    """Check that each entry is on its sheet once, in the order of entering.

    Entries are identified by their unique quantities.
    """
    engine = create_engine(to_url(url))
    with engine.connect() as connection:
        rows = connection.execute(
            select(details.c.sheet_id, details.c.quantity).where(NOT_VOIDED).order_by(details.c.id)
        ).all()
    engine.dispose()
    outcome.acknowledged = len(rows)
    for sheet in sorted({one.sheet for one in entered}):
        expected = [one.quantity for one in sorted(entered) if one.sheet == sheet]
        found = [int(quantity) for sheet_id, quantity in rows if sheet_id == sheet]
        missing, doubled = len(set(expected) - set(found)), len(found) - len(set(found))
        if missing or doubled:
            outcome.findings.append(f"sheet {sheet}: {missing} missing, {doubled} doubled")
        elif found != expected:
            outcome.findings.append(f"sheet {sheet}: in another order than they were entered")
