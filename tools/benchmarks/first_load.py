"""First load on a phone: ``python -m tools.benchmarks.first_load``.

A Chromium with an empty cache opens the login page, and by its URL the recording page, of a real server. The network
has 1.6 Mbit/s and 150 ms of latency; the processor is throttled to a quarter of this machine's. A page is usable in the
frame in which the first typed key is visible in its field.
"""

import sqlite3
import statistics
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, StorageState

from tests.browser.screens import sign_in
from tests.servers import Server, consumo, serving
from tools.benchmarks.browsers import chromium

RUNS = 3
BYTES_PER_SECOND = 1_600_000 / 8
ROUND_TRIP = 150
SLOWER = 4
# In milliseconds. By then all requests after the first key are complete.
SETTLES = 3_000
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 780}, "has_touch": True, "is_mobile": True}
LOGIN, RECORDING = "input[type=email]", "[role=combobox]"

# Records when the field could receive input, and when the frame with the typed text was painted.
WATCH = """field => {
    const painted = () => requestAnimationFrame(() => { const c = new MessageChannel();
        c.port1.onmessage = () => { window.usableAt = performance.now(); }; c.port2.postMessage(0); });
    addEventListener('input', ({ target }) => { if (target.matches(field) && target.value) painted(); }, true);
    const look = () => document.querySelector(field)
        ? window.fieldAt ??= performance.now() : requestAnimationFrame(look);
    look();
}"""

# Where to tap to focus the field, if that is needed.
NOT_FOCUSED = """field => {
    const found = document.querySelector(field), { x, y, width, height } = found.getBoundingClientRect();
    return found === document.activeElement ? null : [x + width / 2, y + height / 2];
}"""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request with its times and size.

    Times are in milliseconds since navigation; the size includes all headers.
    """

    at: float
    answered: float
    size: float


@dataclass(frozen=True, slots=True)
class Load:
    """A page load.

    It has the milliseconds until the field was there and until a key was visible, and the requests before and after.
    """

    there: float
    usable: float
    asked: list[Asked]

    @property
    def needed(self) -> list[Asked]:
        """List the requests answered by then, since nothing else was awaited."""
        return [one for one in self.asked if one.answered < self.there]


def main() -> None:
    """Print the figures as a table."""
    with tempfile.TemporaryDirectory(prefix="consumo-first-load-") as folder, chromium() as browser:
        file = Path(folder) / "consumo.db"
        url = f"sqlite:///{file}"
        consumo("migrate", database_url=url)
        consumo("demo", database_url=url)
        with serving(url, Path(folder)) as server:
            session = session_of(browser, server)
            recording = f"/consumption-sheet-details/{longest_sheet(file)}/consumption-details"
            pages = {"login": ("/", LOGIN, None), "recording": (recording, RECORDING, session)}
            loads: dict[str, list[Load]] = {name: [] for name in pages}
            for _ in range(RUNS):
                for name, (path, field, state) in pages.items():
                    loads[name].append(load(browser, server.address + path, field, state))
    tell(loads)


def tell(loads: dict[str, list[Load]]) -> None:
    sys.stdout.write(
        "| page | usable, ms | requests until then | kB until then | longest chain | requests in all | kB in all |\n"
        "|---|--:|--:|--:|--:|--:|--:|\n"
    )
    for name, runs in loads.items():
        middle = sorted(runs, key=lambda one: one.usable)[len(runs) // 2]
        each = ", ".join(f"{one.usable:,.0f}" for one in runs)
        sys.stdout.write(
            f"| {name} | **{statistics.median(one.usable for one in runs):,.0f}** ({each}) | {len(middle.needed)} | "
            f"{kilobytes(middle.needed)} | {longest_chain(middle.needed)} | {len(middle.asked)} | "
            f"{kilobytes(middle.asked)} |\n"
        )


def kilobytes(asked: list[Asked]) -> str:
    return f"{sum(one.size for one in asked) / 1000:.0f}"


def longest_chain(asked: list[Asked]) -> int:
    """Return the longest chain of requests that depend on each other.

    A request depends on another one if it starts after that one was answered.
    """
    chain: list[tuple[float, int]] = []
    for one in sorted(asked, key=lambda one: one.at):
        before = max((length for answered, length in chain if answered <= one.at), default=0)
        chain.append((one.answered, before + 1))
    return max(length for _, length in chain)


def session_of(browser: Browser, server: Server) -> StorageState:
    """Return the browser storage of a signed-in ward user."""
    with closing(browser.new_context()) as context:
        sign_in(context.new_page(), server, "user")
        return context.storage_state()


def longest_sheet(file: Path) -> int:
    with closing(sqlite3.connect(file)) as database:
        (sheet,) = database.execute(
            "SELECT sheet_id FROM consumption_details JOIN consumption_sheets s ON s.id = sheet_id "
            "WHERE s.closed_at IS NULL GROUP BY sheet_id ORDER BY count(*) DESC LIMIT 1"
        ).fetchone()
        return int(sheet)


def load(browser: Browser, address: str, field: str, session: StorageState | None) -> Load:
    """Open the page with an empty cache, and type once the field is there."""
    with closing(browser.new_context(storage_state=session, **PHONE)) as context:
        page = context.new_page()
        asked = watch_network(page)
        page.add_init_script(f"({WATCH})({field!r})")
        page.goto(address, wait_until="commit")
        page.wait_for_function("() => window.fieldAt")
        if at := page.evaluate(NOT_FOCUSED, field):  # a touch screen's keyboard does not open by itself there
            page.touchscreen.tap(*at)
        page.keyboard.press("a")
        page.wait_for_function("() => window.usableAt")
        there, usable = page.evaluate("[window.fieldAt, window.usableAt]")
        page.wait_for_timeout(SETTLES)
        return Load(there, usable, asked())


def watch_network(page: Page) -> Callable[[], list[Asked]]:
    """Throttle the page; return a function that lists its requests."""
    devtools = page.context.new_cdp_session(page)
    sent: dict[str, float] = {}
    answered: dict[str, Asked] = {}

    def on_begin(event: dict[str, Any]) -> None:
        sent.setdefault(event["requestId"], event["timestamp"])

    def on_end(event: dict[str, Any]) -> None:
        at, first = sent[event["requestId"]], min(sent.values())
        size = event.get("encodedDataLength", 0)
        answered[event["requestId"]] = Asked((at - first) * 1000, (event["timestamp"] - first) * 1000, size)

    devtools.on("Network.requestWillBeSent", on_begin)
    devtools.on("Network.loadingFinished", on_end)
    devtools.on("Network.loadingFailed", on_end)
    devtools.send("Network.enable")
    devtools.send(
        "Network.emulateNetworkConditions",
        {
            "offline": False,
            "latency": ROUND_TRIP,
            "downloadThroughput": BYTES_PER_SECOND,
            "uploadThroughput": BYTES_PER_SECOND,
        },
    )
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    return lambda: list(answered.values())


if __name__ == "__main__":
    main()
