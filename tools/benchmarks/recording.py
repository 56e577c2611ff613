"""Recording in a browser: ``python -m tools.benchmarks.recording``.

There are 43,089 products. A headless Chromium uses the real server, whose database is a SQLite file. Keys arrive at the
pace of a person (every 120 ms) or of a scanner (every 25 ms). Times are measured in the page: from the key's time stamp
to the frame in which its effect is painted.
"""

import itertools
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from adapters.sql.store import SqlStore
from domain.catalogue.product import Product
from tests.browser.recording.test_long_sheet import show_all
from tests.browser.recording.test_scanning import Scanner
from tests.browser.screens import Caller, settle, sign_in
from tests.builders import ZONE
from tests.servers import Server, consumo, serving
from tools.benchmarks.browsers import chromium

PRODUCTS = 43_089
PERSON, SCANNER = 120, 25
# Products that are scanned at once, and those that are scanned one by one.
SCANNED_IN_A_ROW, SCANS = 10, 20
SIZES = ((1366, 768), (1280, 800), (1920, 1080), (360, 780))
SEARCHES = (
    "gasa est",
    "jeringa 10",
    "guante m",
    "sonda fol",
    "venda 10",
    "aguja 21",
    "cateter 18",
    "mascarilla",
    "aposito",
)

_THINGS = (
    "Aguja", "Apósito", "Bata", "Bolsa", "Cánula", "Catéter", "Cinta", "Clavo", "Compresa", "Drenaje", "Electrodo",
    "Equipo", "Esponja", "Férula", "Filtro", "Frasco", "Gasa", "Grapa", "Guante", "Hoja", "Injerto", "Jeringa", "Llave",
    "Malla", "Mascarilla", "Pinza", "Placa", "Prótesis", "Sonda", "Stent", "Sutura", "Tornillo", "Trocar", "Tubo",
    "Venda",
)  # fmt: skip
_KINDS = (
    "abdominal", "absorbible", "adhesiva", "arterial", "bilateral", "cervical", "coronaria", "cortical", "de titanio",
    "de silicona", "dental", "descartable", "elástica", "endotraqueal", "epidural", "estéril", "femoral", "flexible",
    "hidrocoloide", "intravenosa", "laparoscópica", "nasal", "neonatal", "nasogástrica", "no absorbible", "ósea",
    "pediátrica", "quirúrgica", "torácica", "transparente", "umbilical", "urinaria", "vascular", "venosa",
)  # fmt: skip

# Records when each key went down, and when the frame with a new row, entry or option was painted.
WATCH = """() => {
    window.seen = { keys: [], rows: [], entries: [], found: [], tasks: [] };
    addEventListener('keydown', event => window.seen.keys.push(event.timeStamp), true);
    const painted = to => requestAnimationFrame(() => { const c = new MessageChannel();
        c.port1.onmessage = () => to.push(performance.now()); c.port2.postMessage(0); });
    new MutationObserver(changes => {
        const has = what => changes.some(change => [...change.addedNodes].some(node =>
            node.nodeType === 1 && (node.matches(what) || node.querySelector(what))));
        if (has('tr')) painted(window.seen.rows);
        if (has('li[data-row]')) painted(window.seen.entries);
        const listed = ({ target }) => (target.closest ? target : target.parentElement)?.closest('[role=listbox]');
        if (has('[role=option]') || changes.some(listed)) painted(window.seen.found);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
    addEventListener('focusin', ({ target }) => {
        if (target.dataset.path === 'quantity') painted(window.seen.found);
    });
    new PerformanceObserver(list => window.seen.tasks.push(...list.getEntries().map(task => task.duration)))
        .observe({ type: 'longtask' });
}"""
FRAMES = """() => new Promise(done => {
    const frames = []; let before = performance.now();
    const each = now => { frames.push(now - before); before = now; scrollBy(0, 60);
        frames.length < 180 ? requestAnimationFrame(each) : done(frames.slice(5)); };
    requestAnimationFrame(each);
})"""
IN_VIEW = """rows => rows.filter(row => {
    const { left, right, top, bottom } = row.getBoundingClientRect();
    return [[left + 8, top + 2], [right - 8, top + 2], [left + 8, bottom - 2], [right - 8, bottom - 2]].every(
        ([x, y]) => row.contains(document.elementFromPoint(x, y)));
}).length"""


@dataclass(frozen=True, slots=True)
class Ward:
    """The server, and sheets by number of lines."""

    server: Server
    sheets: dict[int, int]
    scanned: list[dict[str, Any]]

    def address(self, lines: int) -> str:
        return f"{self.server.address}/consumption-sheet-details/{self.sheets[lines]}/consumption-details"


def main() -> None:
    """Print the figures as a table."""
    with a_ward() as ward, chromium() as browser:
        page = browser.new_page(viewport={"width": 1366, "height": 768})
        sign_in(page, ward.server, "supervisor")
        sys.stdout.write("| measured | figure |\n|---|--:|\n")
        lines_in_view(page, ward)
        of_matches(page, ward)
        for lines in (100, 1_000):
            of_enter(page, ward, lines)
        of_scans(page, ward)
        ten_by_scanner(page, ward)
        of_wristbands(page, ward)
        ten_by_keyboard(page, ward)
        keys_by_name(ward)
        of_scrolling(page, ward)
        phone = browser.new_context(viewport={"width": 360, "height": 780}, has_touch=True, is_mobile=True)
        of_taps(phone.new_page(), ward)


@contextmanager
def a_ward() -> Iterator[Ward]:
    """Run a demonstration hospital with many products.

    It has sheets with a hundred and with a thousand lines.
    """
    with tempfile.TemporaryDirectory(prefix="consumo-recording-") as folder:
        file = Path(folder) / "consumo.db"
        url = f"sqlite:///{file}"
        consumo("migrate", database_url=url)
        consumo("demo", database_url=url)
        with closing(SqlStore(url, ZONE)) as store, store.begin() as work:
            known = len([number for number in range(1, 1_000) if work.products.get(number)])
            category = work.products.get(1)
            assert category is not None
            names = (
                f"{thing} {kind} {size} {unit}"
                for size, unit, thing, kind in itertools.product(range(1, 30), ("mm", "ml"), _THINGS, _KINDS)
            )
            for number, name in enumerate(itertools.islice(names, PRODUCTS - known)):
                work.products.add(
                    Product(name=name, code=f"X-{number:05}", price=category.price, category_id=category.category_id)
                )
        sheets = {}
        with closing(sqlite3.connect(file)) as database, database:
            found = database.execute(
                "SELECT sheet_id FROM consumption_details JOIN consumption_sheets s ON s.id = sheet_id "
                "WHERE s.closed_at IS NULL GROUP BY sheet_id ORDER BY count(*) DESC LIMIT 2"
            ).fetchall()
            for (sheet,), wanted in zip(found, (1_000, 100), strict=True):
                fill(database, sheet, wanted)
                sheets[wanted] = sheet
            # One piece of a product that is used by fractions would rightly be asked about.
            by_fractions = {
                product
                for (product,) in database.execute("SELECT product_id FROM consumption_details WHERE quantity < 1000")
            }
        with serving(url, Path(folder)) as server:
            products = (
                Caller(server).sign_in("supervisor").call("GET", "products?limit=100&active=true&sort=id")["items"]
            )
            scanned = [product for product in products if product["gtin"] and product["id"] not in by_fractions]
            yield Ward(server, sheets, scanned[: SCANNED_IN_A_ROW + SCANS])


def fill(database: sqlite3.Connection, sheet: int, lines: int) -> None:
    """Repeat the sheet's own lines up to that number."""
    columns = ", ".join(
        name for _, name, *_ in database.execute("PRAGMA table_info(consumption_details)") if name != "id"
    )
    count = database.execute("SELECT count(*) FROM consumption_details WHERE sheet_id = ?", (sheet,)).fetchone()[0]
    while count < lines:
        more = min(count, lines - count)
        database.execute(
            f"INSERT INTO consumption_details ({columns}) SELECT {columns} FROM consumption_details "
            "WHERE sheet_id = ? ORDER BY id LIMIT ?",
            (sheet, more),
        )
        count += more


def open_sheet(page: Page, ward: Ward, lines: int) -> None:
    page.goto(ward.address(lines))
    settle(page)
    page.evaluate(WATCH)


def rows(page: Page) -> Any:
    return page.locator("tr[id^=detail-]")


def tell(what: str, figure: str) -> None:
    sys.stdout.write(f"| {what} | {figure} |\n")
    sys.stdout.flush()


def of(times: list[float], unit: str = "ms") -> str:
    median, late = statistics.median(times), statistics.quantiles(times, n=20, method="inclusive")[-1]
    return f"median {median:.0f} {unit}, 95 %: {late:.0f}, most {max(times):.0f}"


def lines_in_view(page: Page, ward: Ward) -> None:
    for width, height in SIZES[::-1]:
        page.set_viewport_size({"width": width, "height": height})
        open_sheet(page, ward, 100)
        tell(f"lines in view at {width} × {height}", str(rows(page).evaluate_all(IN_VIEW)))


def choose(page: Page, search: str) -> None:
    page.keyboard.type(search, delay=PERSON)
    page.locator("[role=option]").first.wait_for()


def of_enter(page: Page, ward: Ward, lines: int) -> None:
    """Measure from Enter to the frame with the new row, and the longest task."""
    open_sheet(page, ward, lines)
    took, longest = [], 0.0
    for number in range(12):
        choose(page, SEARCHES[number % len(SEARCHES)])
        page.keyboard.press("Enter")
        page.keyboard.type("2", delay=PERSON)
        page.evaluate("window.seen = { ...window.seen, keys: [], rows: [], tasks: [] }")
        page.keyboard.press("Enter")
        page.wait_for_function("() => window.seen.rows.length")
        took.append(page.evaluate("window.seen.rows[0] - window.seen.keys[0]"))
        page.wait_for_load_state("networkidle")
        longest = max(longest, *page.evaluate("[0, ...window.seen.tasks]"))
    tell(f"Enter to the row painted, {lines} lines", of(took))
    tell(f"longest task while recording, {lines} lines", f"{longest:.0f} ms")


def of_matches(page: Page, ward: Ward) -> None:
    """Measure from Enter after a search text to the frame with its results.

    If the product is unambiguous, to the frame with its quantity field.
    """
    open_sheet(page, ward, 100)
    took = []
    for search in SEARCHES:
        page.keyboard.type(search, delay=PERSON)
        page.evaluate("window.seen = { ...window.seen, keys: [], found: [] }")
        page.keyboard.press("Enter")
        page.wait_for_function("() => window.seen.found.length")
        took.append(page.evaluate("window.seen.found[0] - window.seen.keys[0]"))
        page.wait_for_load_state("networkidle")
        open_sheet(page, ward, 100)
    tell(f"Enter to matches painted ({len(took)} searches)", of(took))


def of_scans(page: Page, ward: Ward) -> None:
    """Measure from a scan's last key to the frame with its entry.

    Keys are sent when a scanner sends them, with their real time stamps.
    """
    open_sheet(page, ward, 100)
    took = []
    for product in ward.scanned[SCANNED_IN_A_ROW:]:
        page.evaluate("window.seen = { ...window.seen, keys: [], entries: [] }")
        at = time.perf_counter()
        for key in (*product["gtin"], "Enter"):
            at += SCANNER / 1000
            time.sleep(max(0, at - time.perf_counter()))
            page.keyboard.press(key)
        page.wait_for_function("() => window.seen.entries.length")
        took.append(page.evaluate("window.seen.entries[0] - window.seen.keys.at(-1)"))
        expect(waiting(page)).to_have_count(0)
        page.wait_for_load_state("networkidle")
    tell(f"last key of a scan to its entry painted ({len(took)} scans)", of(took))


def waiting(page: Page) -> Any:
    """Return the entries that are not recorded yet."""
    return page.get_by_role("list", name="Sin registrar").get_by_role("listitem")


def ten_by_scanner(page: Page, ward: Ward) -> None:
    """Measure ten scans, from the first key to the last painted row."""
    open_sheet(page, ward, 100)
    page.evaluate("window.seen = { ...window.seen, keys: [], rows: [] }")
    scanner = Scanner(page, every=SCANNER)
    for product in ward.scanned[:SCANNED_IN_A_ROW]:
        scanner.scan(product["gtin"])
    expect(waiting(page)).to_have_count(0)
    seconds = page.evaluate("(window.seen.rows.at(-1) - window.seen.keys[0]) / 1000")
    tell(
        f"{SCANNED_IN_A_ROW} lines by scanner (no key by hand, the last line waits 3 s for another scan)",
        f"{seconds:.1f} s",
    )


def of_wristbands(page: Page, ward: Ward) -> None:
    """Measure from a wristband's last key to its patient's page."""
    sheets = {ward.sheets[lines]: lines for lines in (100, 1_000)}
    caller = Caller(ward.server).sign_in("supervisor")
    bands = {
        lines: caller.call("GET", f"consumption-sheets/{sheet}")["patient"]["record_number"]
        for sheet, lines in sheets.items()
    }
    open_sheet(page, ward, 100)
    scanner = Scanner(page, every=SCANNER)
    took = []
    for number in range(12):
        lines = (1_000, 100)[number % 2]
        page.evaluate("window.seen.keys = []")
        scanner.scan(bands[lines])
        arrived = page.wait_for_function(
            """path => location.pathname === path && document.activeElement?.getAttribute('role') === 'combobox'
                && document.querySelector('tr[id^=detail-]') && performance.now()""",
            arg=ward.address(lines).removeprefix(ward.server.address),
        ).json_value()
        took.append(arrived - page.evaluate("window.seen.keys.at(-1)"))
        page.wait_for_load_state("networkidle")
    tell("wristband to its patient's sheet", of(took))


def ten_by_keyboard(page: Page, ward: Ward) -> None:
    """Record ten lines by name: first match, one-digit quantity."""
    open_sheet(page, ward, 100)
    page.evaluate("window.seen.keys = []")
    for number in range(10):
        before = page.evaluate("window.seen.rows.length")
        choose(page, SEARCHES[number % len(SEARCHES)])
        page.keyboard.press("Enter", delay=PERSON)
        page.keyboard.type("2", delay=PERSON)
        page.keyboard.press("Enter")
        page.wait_for_function("before => window.seen.rows.length > before", arg=before)
    seconds = page.evaluate("(performance.now() - window.seen.keys[0]) / 1000")
    keys = page.evaluate("window.seen.keys.length") / 10
    tell(f"10 lines by keyboard, {keys:.1f} keys each", f"{seconds:.1f} s")
    page.evaluate("window.seen.keys = []")
    for number in range(1, 6):
        before = page.evaluate("window.seen.rows.length")
        page.keyboard.type(str(number), delay=PERSON)
        page.locator("[role=option]").first.wait_for()
        page.keyboard.press("Enter", delay=PERSON)
        page.keyboard.press("Enter")
        page.wait_for_function("before => window.seen.rows.length > before", arg=before)
    tell(
        "keys for one of a usual product by its number (another quantity: one more)",
        f"{page.evaluate('window.seen.keys.length') / 5:.1f}",
    )


def keys_by_name(ward: Ward) -> None:
    """For twenty products, find the shortest text that ranks each first.

    The count includes Enter twice, to choose and to record one unit.
    """
    caller = Caller(ward.server).sign_in("supervisor")
    products = caller.call("GET", "products?limit=20&active=true&sort=id")["items"]
    keys: list[float] = []
    for product in products:
        words = product["name"].split()
        starts = {" ".join(words)[:length] for length in range(3, 14)}
        starts |= {
            f"{one[:a]} {other[:b]}" for one in words[:1] for other in words[1:] for a in (3, 4) for b in (2, 3, 4)
        }
        for text in sorted(starts, key=len):
            found = caller.call("GET", "products", params={"q": text, "limit": 1, "active": True})["items"]
            if found and found[0]["id"] == product["id"]:
                keys.append(len(text) + 2)
                break
    tell(f"keys by name at best ({len(keys)} of {len(products)} products)", of(keys, "keys"))


def of_taps(page: Page, ward: Ward) -> None:
    """Count the taps on a phone: bar, usual product, done.

    Another quantity needs a tap per digit as well.
    """
    sign_in(page, ward.server, "supervisor")
    open_sheet(page, ward, 100)
    bar = page.get_by_role("combobox", name="Producto")
    page.evaluate("addEventListener('pointerdown', () => window.seen.taps = (window.seen.taps ?? 0) + 1, true)")
    for number in range(3):
        before = page.evaluate("window.seen.rows.length")
        bar.tap()
        page.locator("[role=option]").nth(number).tap()
        page.get_by_role("button", name="Registrar", exact=True).tap()
        page.wait_for_function("before => window.seen.rows.length > before", arg=before)
        page.wait_for_load_state("networkidle")
    taps = page.evaluate("window.seen.taps")
    tell("taps for one of a usual product on a phone", f"{taps / 3:.1f}")


def of_scrolling(page: Page, ward: Ward) -> None:
    """Scroll a thousand lines by 60 px per frame."""
    open_sheet(page, ward, 1_000)
    show_all(page)
    page.evaluate("scrollTo(0, 0)")
    frames = page.evaluate(FRAMES)
    late = sum(frame > 34 for frame in frames) / len(frames)
    tell("frames a second while scrolling 1,000 lines", f"{1000 / statistics.mean(frames):.0f}, {late:.0%} late")


if __name__ == "__main__":
    main()
