"""The pictures of the manual: what each shows, and how to get there.

`make pictures` writes them into docs/manual/pictures. They show the demonstration data on a server on which it is
always the same moment, so that they can be compared with the screens on every day.
"""

import json
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image, ImageChops
from playwright.sync_api import Browser, FilePayload, Locator, Page, expect

from tests.browser.frozen_server import NOW
from tests.browser.screens import Caller, keep_toasts, said, settle, texts
from tests.pace import PATIENCE_ON_SCREEN
from tests.photos.heap import Setting, draw_heap
from tests.photos.packs import as_file, gtin_of
from tests.servers import ROOT, Server, environment, run_on_free_port

PICTURES = ROOT / "docs" / "manual" / "pictures"
# Device pixels for each CSS pixel.
SCALE = 2
# Space around what is shown, in CSS pixels.
MARGIN = 10
# Side of a compared square in device pixels, and the difference in brightness, of 255, from which it counts.
SQUARE = 8
DIFFERENT = 32
# The largest share of a picture that may differ.
MAX_DIFFERENCE = 0.001

Box = tuple[float, float, float, float]


@dataclass
class Scene:
    """A signed-in page, in the language of the picture."""

    page: Page
    server: Server
    language: str

    def say(self, key: str, **values: object) -> str:
        """A text of the client."""
        return re.sub(r"{(\w+)}", lambda found: str(values.get(found[1], found[0])), texts(self.language)[key])

    def said(self, key: str) -> re.Pattern[str]:
        return said(self.language, key)

    def open(self, path: str) -> None:
        """Open a page. Its toasts stay until the picture is taken."""
        keep_toasts(self.page)
        self.page.goto(self.server.address + path)
        settle(self.page)

    def sheet(self, patient: str) -> str:
        """The path for recording on the open sheet of that patient."""
        return f"/consumption-sheet-details/{self.id_of(f'consumption-sheets?q={patient}')}/consumption-details"

    def id_of(self, listed: str) -> int:
        """The id of the first item of a list of the API."""
        items: list[dict[str, Any]] = self.caller.call("GET", listed)["items"]
        return int(items[0]["id"])

    @property
    def caller(self) -> Caller:
        """The user of the page, as a caller of the API."""
        return Caller(self.server, self.page.evaluate("localStorage.token"))

    def button(self, key: str) -> Locator:
        return self.page.get_by_role("button", name=self.say(key), exact=True).first

    def fill(self, path: str) -> str:
        """Put ids of the demonstration data into a path."""
        lists = {
            "sheet": "consumption-sheets?q=Ramírez",
            "closed": "consumption-sheets?closed=true",
            "recall": "recalls",
            "patient": "patients?q=Arriaga",
        }
        return re.sub(r"{(\w+)}", lambda found: str(self.id_of(lists[found[1]])), path)

    def choose(self, text: str) -> None:
        """Choose the first product that the text finds."""
        self.product.fill(text)
        self.page.get_by_role("option").first.wait_for()
        self.page.keyboard.press("Enter")
        expect(self.page.get_by_role("textbox", name=self.say("details.quantity"), exact=True)).to_be_focused()

    def record(self, text: str) -> None:
        """Record the first product that the text finds."""
        self.choose(text)
        self.page.keyboard.press("Enter")
        expect(self.product).to_have_value("")
        expect(self.page.get_by_role("list", name=self.say("details.unrecorded"))).to_have_count(0)
        # The server has confirmed the line.
        self.page.get_by_role("button", name=self.said("details.undoOf")).first.wait_for()

    def recorded(self, patient: str) -> str:
        """The path of a sheet on which the user recorded two bandages."""
        path = self.sheet(patient)
        number = path.split("/")[2]
        line = {"product_id": self.id_of("products?q=venda elástica 10"), "quantity": 2}
        self.caller.post(f"consumption-sheets/{number}/consumption-details", **line)
        return path

    @property
    def dialog(self) -> Locator:
        dialog = self.page.get_by_role("dialog")
        dialog.get_by_role("button").last.wait_for()
        return dialog

    @property
    def product(self) -> Locator:
        return self.page.get_by_role("combobox", name=self.say("details.product"), exact=True)

    def row(self, text: str) -> Locator:
        return self.page.get_by_role("row").filter(has_text=text).first

    def row_action(self, text: str, key: str) -> None:
        """Choose an action of a line by its menu."""
        row = self.row(text)
        row.hover()
        row.get_by_role("button", name=self.said("details.moreOf")).click()
        self.page.get_by_role("menuitem", name=self.said(key)).click()


# A picture prepares its scene, and returns what is to be seen.
Shown = Locator | tuple[Locator, Locator] | Box


@dataclass(frozen=True, slots=True)
class Picture:
    name: str
    who: str | None
    width: int
    height: int
    prepare: Callable[[Scene], Shown]

    def file(self, language: str) -> Path:
        return PICTURES / language / f"{self.name}.webp"


PICTURED: list[Picture] = []


def picture(
    who: str | None = "user", width: int = 1180, height: int = 760
) -> Callable[[Callable[[Scene], Shown]], Callable[[Scene], Shown]]:
    """Add a picture, named after its function."""

    def add(prepare: Callable[[Scene], Shown]) -> Callable[[Scene], Shown]:
        name = prepare.__name__.replace("_", "-")
        PICTURED.append(Picture(name, who, width, height, prepare))
        return prepare

    return add


def part(page: Page, left: float, top: float, width: float, height: float) -> Box:
    """A part of the window; a negative position is from its right edge."""
    shown = page.viewport_size
    assert shown
    return (left if left >= 0 else shown["width"] + left, top, width, height)


# --- the ward --------------------------------------------------------------------------------------------------------

# The content of a page without the menu.
PAGE = 256
GAUZE = "09520000001483"


@picture(who=None, width=480, height=720)
def login(scene: Scene) -> Shown:
    scene.open("/auth/login")
    return scene.page.get_by_role("main")


@picture(height=640)
def home(scene: Scene) -> Shown:
    scene.open("/")
    scene.button("ward.chooseArea").click()
    scene.page.get_by_role("menuitemradio", name="Medicina Interna").click()
    scene.page.get_by_role("button", name="Medicina Interna").wait_for()
    scene.page.get_by_role("combobox").first.focus()
    scene.page.mouse.move(0, 0)
    settle(scene.page)
    return part(scene.page, PAGE, 0, 924, 320)


@picture(height=560)
def find(scene: Scene) -> Shown:
    scene.open("/")
    scene.page.get_by_role("combobox").first.fill("ram")
    scene.page.get_by_role("option").first.wait_for()
    return (scene.page.get_by_role("listbox"), scene.page.get_by_role("combobox").first)


@picture()
def open_sheet(scene: Scene) -> Shown:
    scene.open("/consumption-sheets/create")
    return scene.page.locator("form").first


@picture(height=640)
def unidentified(scene: Scene) -> Shown:
    scene.open("/consumption-sheets/unidentified")
    return scene.page.locator("form").first


@picture()
def sheet(scene: Scene) -> Shown:
    scene.open(scene.sheet("Ramírez"))
    return part(scene.page, PAGE, 0, 924, 480)


@picture(height=640)
def typing(scene: Scene) -> Shown:
    scene.open(scene.sheet("Ramírez"))
    scene.product.fill("3 gasa")
    scene.page.get_by_role("option").first.wait_for()
    return part(scene.page, PAGE, 62, 924, 300)


@picture(height=640)
def typed(scene: Scene) -> Shown:
    scene.open(scene.sheet("Ramírez"))
    scene.record("2 venda elástica 10")
    return part(scene.page, PAGE, 0, 924, 260)


@picture(height=640)
def usual(scene: Scene) -> Shown:
    scene.open(scene.sheet("Íñiguez"))
    scene.product.press("ArrowDown")
    scene.page.get_by_role("option").first.wait_for()
    return part(scene.page, PAGE, 62, 924, 400)


@picture(height=640)
def scan(scene: Scene) -> Shown:
    scene.open(scene.sheet("Íñiguez"))
    expect(scene.product).to_be_focused()
    scene.page.keyboard.type(f"01{GAUZE}1727083110L4471")
    scene.page.keyboard.press("Enter")
    scene.row("L4471").wait_for()
    expect(scene.page.get_by_role("list", name=scene.say("details.unrecorded"))).to_have_count(0)
    scene.page.get_by_text(scene.say("details.created")).wait_for()
    return part(scene.page, PAGE, 0, 924, 260)


@picture(height=900)
def photo(scene: Scene) -> Shown:
    # Without noise, which would make the file large.
    drawn = draw_heap(7, Setting(packs=6, table=34, turn=5, noise=0, shadow=0))
    admin = Caller(scene.server).sign_in("admin")
    products = admin.call("GET", "products?limit=100&active=true&q=gasa")["items"]
    for symbol, product in zip(drawn.symbols[:-1], products, strict=False):
        admin.post(f"products/{product['id']}/codes", system="gtin", code=gtin_of(symbol), units=1)
    scene.open(scene.sheet("Íñiguez"))
    scene.button("details.moreActions").click()
    scene.page.get_by_role("menuitem", name=scene.say("photo.title")).click()
    panel = scene.page.get_by_role("form", name=scene.say("photo.title"))
    chosen: FilePayload = {"name": "1.png", "mimeType": "image/png", "buffer": as_file(drawn.image, "PNG")}
    panel.get_by_label(scene.say("photo.choose")).first.set_input_files([chosen])
    expect(panel.get_by_role("button", name=re.compile(r"\d$"))).to_be_enabled()
    return part(scene.page, PAGE, 0, 924, 700)


@picture(height=640)
def unknown_code(scene: Scene) -> Shown:
    scene.open(scene.sheet("Íñiguez"))
    expect(scene.product).to_be_focused()
    scene.page.keyboard.type("7501234567893")
    scene.page.keyboard.press("Enter")
    scene.page.get_by_text(scene.said("scan.unknown")).first.wait_for()
    return part(scene.page, PAGE, 0, 924, 330)


@picture()
def sheet_menu(scene: Scene) -> Shown:
    scene.open(scene.sheet("Ramírez"))
    scene.button("details.moreActions").click()
    scene.page.get_by_role("menu").wait_for()
    return part(scene.page, -560, 0, 560, 420)


@picture(height=640)
def repeat(scene: Scene) -> Shown:
    scene.open(scene.sheet("Ramírez"))
    scene.button("details.moreActions").click()
    scene.page.get_by_role("menuitem", name=scene.say("batch.repeat")).click()
    scene.page.get_by_role("dialog").get_by_role("checkbox").first.wait_for()
    return scene.page.get_by_role("dialog")


@picture(height=480)
def kit(scene: Scene) -> Shown:
    scene.open(scene.sheet("Íñiguez"))
    scene.product.fill("oxígeno")
    scene.page.get_by_role("option", name="Oxígeno").last.click()
    scene.page.get_by_role("dialog").get_by_role("checkbox").first.wait_for()
    return scene.page.get_by_role("dialog")


@picture(height=640)
def edit(scene: Scene) -> Shown:
    scene.open(scene.sheet("Ramírez"))
    scene.record("2 venda elástica 10")
    row = scene.row("Venda")
    row.hover()
    row.get_by_role("button", name=scene.said("details.editOf")).click()
    scene.page.get_by_role("row", name=scene.say("details.edit")).wait_for()
    return part(scene.page, PAGE, 130, 924, 200)


@picture(height=640)
def void(scene: Scene) -> Shown:
    scene.open(scene.sheet("Ramírez"))
    row = scene.row("Gasa")
    row.hover()
    row.get_by_role("button", name=scene.said("details.deleteOf")).click()
    return scene.dialog


@picture(height=940)
def move(scene: Scene) -> Shown:
    scene.open(scene.recorded("Ramírez"))
    scene.row_action("Venda", "details.moveOf")
    return scene.dialog


@picture(height=720)
def giving_back(scene: Scene) -> Shown:
    scene.open(scene.recorded("Ramírez"))
    scene.row_action("Venda", "details.returnOf")
    return scene.dialog


@picture(height=640)
def marked(scene: Scene) -> Shown:
    scene.open(scene.recorded("Ramírez"))
    scene.row_action("Venda", "details.marked.mark")
    scene.page.get_by_text(scene.say("details.move"), exact=True).first.wait_for()
    return part(scene.page, PAGE, 0, 924, 640)


@picture(height=640)
def offline(scene: Scene) -> Shown:
    scene.open(scene.sheet("Ramírez"))
    scene.choose("2 venda elástica 10")
    scene.page.context.set_offline(True)
    scene.page.keyboard.press("Enter")
    scene.row("Venda").wait_for()
    scene.page.get_by_text(scene.said("outbox.offlineSince")).first.wait_for()
    return part(scene.page, PAGE, 0, 924, 340)


@picture(height=800)
def close(scene: Scene) -> Shown:
    scene.open(scene.sheet("Ramírez"))
    scene.button("sheets.close.action").click()
    scene.dialog.get_by_role("table").first.wait_for()
    return scene.dialog


@picture(height=640)
def closed(scene: Scene) -> Shown:
    scene.open("/consumption-sheets/closed")
    return part(scene.page, PAGE, 0, 924, 460)


@picture()
def shift(scene: Scene) -> Shown:
    scene.open("/shift")
    return part(scene.page, PAGE, 0, 924, 620)


@picture(height=700)
def account_menu(scene: Scene) -> Shown:
    scene.open("/shift")
    scene.page.get_by_role("button", name=scene.said("nav.account")).first.click()
    menu = scene.page.get_by_role("menu")
    menu.wait_for()
    return part(scene.page, 0, 200, 330, 500)


@picture()
def contingency_form(scene: Scene) -> Shown:
    number = scene.caller.call("GET", "contingency-forms")["items"][0]["number"]
    scene.open(f"/consumption-sheets/forms/{number}")
    return part(scene.page, PAGE, 0, 924, 640)


@picture()
def restock(scene: Scene) -> Shown:
    scene.open(f"/restock?area={scene.id_of('areas?q=Medicina')}")
    return part(scene.page, PAGE, 0, 924, 640)


@picture()
def area(scene: Scene) -> Shown:
    scene.open(f"/consumption-sheets/areas/{scene.id_of('areas?q=Terapia')}")
    scene.page.keyboard.press("Alt+1")
    return part(scene.page, PAGE, 0, 924, 390)


@picture()
def practice(scene: Scene) -> Shown:
    scene.open("/practice")
    return part(scene.page, PAGE, 0, 924, 600)


@picture(width=390, height=780)
def phone(scene: Scene) -> Shown:
    scene.open(scene.sheet("Ramírez"))
    return part(scene.page, 0, 0, 390, 780)


# --- supervisors -----------------------------------------------------------------------------------------------------


def listed(name: str, path: str, who: str = "supervisor", height: int = 520) -> None:
    """Add the picture of a page that needs nothing but its address."""

    def prepare(scene: Scene) -> Shown:
        scene.open(scene.fill(path))
        return part(scene.page, PAGE, 0, 924, height)

    PICTURED.append(Picture(name, who, 1180, max(height, 640), prepare))


listed("worklist", "/worklist", height=640)
listed("history", "/consumption-sheets/{sheet}/history", height=560)
listed("closed-sheet", "/consumption-sheets/closed/{closed}", height=560)
listed("patients", "/patients", height=420)
listed("products", "/products", height=440)
listed("product-form", "/products/create", height=640)
listed("kits", "/products/kits", height=420)
listed("rooms", "/rooms", height=440)
listed("recalls", "/recalls", height=300)
listed("recall", "/recalls/{recall}", height=520)
listed("implants", "/implants", height=360)
listed("report", "/reports/consumption", height=640)
listed("months", "/reports/months", height=360)
listed("user-form", "/users/create", height=560)
listed("messages", "/messages", height=360)


@picture(who="supervisor", height=640)
def month(scene: Scene) -> Shown:
    closed = next(one["id"] for one in scene.caller.call("GET", "months")["items"] if one["id"])
    scene.open(f"/reports/months/{closed}")
    return part(scene.page, PAGE, 0, 924, 560)


@picture(who="supervisor")
def merge(scene: Scene) -> Shown:
    scene.open(scene.fill("/patients/{patient}/merge"))
    return part(scene.page, PAGE, 0, 924, 480)


@picture(who="supervisor", height=860)
def importing(scene: Scene) -> Shown:
    scene.open("/imports/create")
    return part(scene.page, PAGE, 0, 924, 560)


# --- system administrators -------------------------------------------------------------------------------------------

listed("hospital", "/hospital", "admin", height=640)
listed("audit", "/audit", "admin", height=480)
listed("connected", "/service-accounts", "admin", height=420)


# --- taking and comparing them ---------------------------------------------------------------------------------------


def box_of(shown: Shown) -> Box:
    """The smallest box around what is to be seen."""
    if isinstance(shown, Locator):
        shown = (shown, shown)
    elif len(shown) == 4:
        return shown
    boxes: list[Box] = []
    for one in shown:
        found = one.bounding_box()
        assert found, one
        boxes.append((found["x"], found["y"], found["x"] + found["width"], found["y"] + found["height"]))
    left, top = (min(box[at] for box in boxes) for at in (0, 1))
    right, bottom = (max(box[at] for box in boxes) for at in (2, 3))
    return (left - MARGIN, top - MARGIN, right - left + 2 * MARGIN, bottom - top + 2 * MARGIN)


@dataclass
class Studio:
    """A browser, and a server on which it is always the same moment."""

    browser: Browser
    server: Server
    # The demonstration data, with a session of each account.
    template: Path
    sessions: dict[str, tuple[str, object]]

    @contextmanager
    def scene(self, wanted: Picture, language: str) -> Iterator[Scene]:
        """A new window in that language, on fresh data."""
        file = self.server.database_url.removeprefix("sqlite:///")
        with closing(sqlite3.connect(self.template)) as template, closing(sqlite3.connect(file)) as database:
            template.backup(database)
        context = self.browser.new_context(
            viewport={"width": wanted.width, "height": wanted.height},
            device_scale_factor=SCALE,
            reduced_motion="reduce",
            color_scheme="light",
            timezone_id="UTC",
            service_workers="block",
        )
        page = context.new_page()
        page.clock.install(time=NOW)
        page.goto(f"{self.server.address}/api/settings")
        stored = {"language": language}
        if wanted.who:
            token, user = self.sessions[wanted.who]
            stored |= {"token": token, "user": json.dumps(user)}
        page.evaluate("stored => Object.assign(localStorage, stored)", stored)
        try:
            yield Scene(page, self.server, language)
        finally:
            context.close()

    def take(self, wanted: Picture, language: str, until: Callable[[Image.Image], bool]) -> Image.Image:
        """Take the picture of the screen, again until it is right or time is up."""
        with self.scene(wanted, language) as scene:
            shown = wanted.prepare(scene)
            scene.page.wait_for_load_state("networkidle")
            scene.page.evaluate("document.fonts.ready")
            deadline = time.monotonic() + PATIENCE_ON_SCREEN / 1_000
            while True:
                drawn = screenshot(scene.page, shown)
                if until(drawn) or time.monotonic() > deadline:
                    return drawn
                scene.page.wait_for_function("new Promise(done => requestAnimationFrame(() => done(true)))")


def screenshot(page: Page, shown: Shown) -> Image.Image:
    left, top, width, height = box_of(shown)
    window = page.viewport_size
    assert window
    x, y = round(max(left, 0)), round(max(top, 0))
    right, bottom = round(min(left + width, window["width"])), round(min(top + height, window["height"]))
    drawn = page.screenshot(
        clip={"x": x, "y": y, "width": right - x, "height": bottom - y}, animations="disabled", caret="hide"
    )
    return Image.open(BytesIO(drawn)).convert("RGB")


def difference(drawn: Image.Image, kept: Image.Image) -> float:
    """The share of two pictures that differs, from 0 to 1.

    Compares squares of 4 CSS pixels by their mean brightness, so that the edges of letters may be drawn otherwise.
    """
    if any(abs(one - other) > 2 * SQUARE for one, other in zip(drawn.size, kept.size, strict=True)):
        return 1.0
    width, height = (min(sides) // SQUARE * SQUARE for sides in zip(drawn.size, kept.size, strict=True))
    one, other = (image.crop((0, 0, width, height)).convert("L").reduce(SQUARE) for image in (drawn, kept))
    spread = ImageChops.difference(one, other).histogram()
    return sum(spread[DIFFERENT:]) / sum(spread)


@contextmanager
def a_studio(browser: Browser, migrated_file: Path, folder: Path) -> Iterator[Studio]:
    """Run the server, and sign in each account once."""
    template, file = folder / "template.db", folder / "pictures.db"
    shutil.copy(migrated_file, file)
    database_url = f"sqlite:///{file}"
    command = [sys.executable, "-m", "tests.browser.frozen_server"]
    subprocess.run([*command, "demo"], env=environment(database_url), cwd=ROOT, check=True)
    with run_on_free_port(lambda port: [*command, "serve"], database_url, folder, ready="/health/ready") as server:
        sessions: dict[str, tuple[str, object]] = {}
        for who in ("user", "supervisor", "admin"):
            caller = Caller(server).sign_in(who)
            sessions[who] = (caller.token, caller.call("GET", "auth/profile"))
        with closing(sqlite3.connect(template)) as kept, closing(sqlite3.connect(file)) as database:
            database.backup(kept)
        yield Studio(browser, server, template, sessions)
