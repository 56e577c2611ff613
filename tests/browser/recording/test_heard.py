"""What a screen reader reads while a nurse records, corrects and closes.

The accessibility tree of each step is in ``heard.txt``, which is there to be read. After a change of a screen,
``WRITE_HEARD=1`` writes it again.
"""

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.recording.test_main_job import record
from tests.browser.screens import Caller, a_new_sheet, settle, sign_in
from tests.servers import Server

pytestmark = pytest.mark.browser

HEARD = Path(__file__).with_name("heard.txt")
# What differs from one day to the next, and from one sheet to another.
CHANGING = (
    (re.compile(r"\b\d{1,2}:\d{2}\b"), "HH:MM"),
    (re.compile(r"\b\d{1,2} \w{3}( \d{4})?\b"), "DAY"),
    (re.compile(r"(?<=/)\d+\b"), "N"),
    (re.compile(r"\b\d+ (años|meses)\b"), "AGE"),
)


def read(part: Locator) -> str:
    """The accessibility tree, with every control's role, name and state."""
    told = part.aria_snapshot()
    for pattern, instead in CHANGING:
        told = pattern.sub(instead, told)
    return told


def test_recording_correcting_and_closing_are_heard(page: Page, demo_server: Server) -> None:
    address = a_new_sheet(demo_server)[1]
    nurse = Caller(demo_server).sign_in("user")
    page.set_viewport_size({"width": 1366, "height": 768})
    sign_in(page, demo_server, "user")
    steps: dict[str, str] = {}

    def hear(step: str, part: Locator) -> None:
        settle(page)
        steps[step] = read(part)

    page.goto(demo_server.address)
    page.get_by_role("button", name="Elija su área").click()
    page.get_by_role("menuitemradio").first.wait_for()
    hear("Where the nurse works is asked once: the menu", page.get_by_role("menu"))
    page.keyboard.press("Escape")
    page.goto(address)
    hear("An empty sheet", page.locator("main"))
    record(page, "venda elástica 10", "2")
    expect(page.get_by_role("table").get_by_role("row")).to_have_count(2)
    expect(page.get_by_role("list", name="Sin registrar")).to_have_count(0)
    page.get_by_role("table", name="1 línea").wait_for()
    hear("A line is recorded", page.get_by_role("table").first)
    page.get_by_role("table").get_by_role("button", name=re.compile("^Editar")).click()
    page.get_by_role("table").get_by_label(re.compile("^Cantidad")).wait_for()
    hear("Its quantity is corrected", page.get_by_role("table").first)
    page.get_by_role("table").get_by_label(re.compile("^Cantidad")).fill("3")
    page.keyboard.press("Enter")
    page.get_by_text("Detalle de la hoja de consumo actualizado").first.wait_for()
    page.get_by_role("button", name="Cerrar hoja").click()
    page.get_by_role("dialog").get_by_role("button", name="Finalizar", exact=True).wait_for()
    hear("The sheet is closed: the question", page.get_by_role("dialog"))
    page.get_by_role("dialog").get_by_role("button", name="Finalizar", exact=True).click()
    page.get_by_text("Hoja de consumo finalizada").first.wait_for()
    assert nurse.call("GET", f"consumption-sheets/{address.split('/')[-2]}")["closed"]

    told = "\n\n".join(f"{step}\n{'-' * len(step)}\n{tree}" for step, tree in steps.items()) + "\n"
    if os.environ.get("WRITE_HEARD"):
        HEARD.write_text(told, encoding="utf-8")
    assert told == HEARD.read_text(encoding="utf-8"), "read what changed; WRITE_HEARD=1 writes it again"
