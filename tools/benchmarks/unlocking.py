"""Unlocking by PIN: ``python -m tools.benchmarks.unlocking``.

A Chromium locks a recording page of a real server and unlocks it by PIN, again and again. Times begin with the last
digit. The screen is unlocked when the lock is gone, and one can record when the first letter typed is painted in the
record bar.
"""

import statistics
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from playwright.sync_api import Page

from tests.browser.accounts.test_quick_unlock import NURSE, PACE, PINS, set_pin, sign_in, until_server_knows
from tests.browser.screens import a_new_sheet, leave_alone
from tests.servers import consumo, serving
from tools.benchmarks.browsers import chromium

RUNS = 30
BAR = "main [role=combobox]"

# Notes the digits, which only the lock screen hears as keys; when the lock is gone; and when the letter is painted.
WATCH = """bar => {
    const seen = window.seen = { keys: 0, last: 0, unlocked: 0, written: 0 };
    const note = ({ target }) => {
        if (!target.closest('[aria-labelledby=lock-screen-title]')) return;
        seen.keys += 1;
        seen.last = performance.now();
    };
    addEventListener('input', note, true);
    const look = () => {
        if (!seen.unlocked && !document.querySelector('[aria-labelledby=lock-screen-title]'))
            seen.unlocked = performance.now();
        if (seen.unlocked && document.querySelector(bar)?.value) {
            removeEventListener('input', note, true);
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => { seen.written = performance.now(); };
            port2.postMessage(0);
        } else requestAnimationFrame(look);
    };
    look();
}"""
READY = """bar => window.seen.unlocked && document.activeElement?.matches(bar)"""


def main() -> None:
    """Print keys and times as a table."""
    with tempfile.TemporaryDirectory(prefix="consumo-unlocking-") as folder, chromium() as browser:
        url = f"sqlite:///{folder}/consumo.db"
        consumo("migrate", database_url=url)
        consumo("demo", database_url=url)
        with serving(url, Path(folder)) as server:
            page = browser.new_page(viewport={"width": 1366, "height": 768})
            # Browsers make keys on https and on localhost.
            server = replace(server, address=server.address.replace("127.0.0.1", "localhost"))
            page.goto(server.address)
            page.evaluate("() => localStorage.setItem('language', 'es')")
            page.reload()
            sign_in(page, NURSE)
            set_pin(page, server.address, NURSE)
            page.goto(a_new_sheet(server)[1])
            page.locator(BAR).first.click()
            runs = [unlock(page) for _ in range(RUNS)]
    keys, unlocked, written = zip(*runs, strict=True)
    sys.stdout.write("| by PIN | median | 95 % within | most |\n|---|--:|--:|--:|\n")
    for name, figures, unit in (
        ("keys", keys, ""),
        ("unlocked after the last digit", unlocked, " ms"),
        ("first letter in the record bar", written, " ms"),
    ):
        cells = (statistics.median(figures), statistics.quantiles(figures, n=20)[-1], max(figures))
        sys.stdout.write(f"| {name} | {' | '.join(f'{cell:,.0f}{unit}' for cell in cells)} |\n")


def unlock(page: Page) -> Sequence[float]:
    """Lock and unlock; return the keys, and the milliseconds of both goals."""
    leave_alone(page)
    until_server_knows(page)
    page.get_by_label("PIN de").wait_for()
    page.evaluate(WATCH, BAR)
    page.keyboard.type(PINS[NURSE], delay=PACE)
    page.wait_for_function(READY, arg=BAR)
    page.keyboard.press("g")
    page.wait_for_function("() => window.seen.written")
    keys, last, unlocked, written = (
        page.evaluate("() => window.seen")[name] for name in ("keys", "last", "unlocked", "written")
    )
    page.keyboard.press("Backspace")
    return keys, unlocked - last, written - last


if __name__ == "__main__":
    main()
