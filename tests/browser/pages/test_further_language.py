"""A further language is three files.

The test makes a language that does not exist from the Spanish texts: accented, two fifths longer, each between ‹ and ›.
It adds its files to a copy of the project, and nothing else. A text on a screen that is not between the marks is
written in the code.
"""

import io
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from openpyxl import load_workbook
from playwright.sync_api import Browser, Request
from pypdf import PdfReader

from tests.browser.screens import (
    SCREENS,
    UI,
    WINDOWS,
    Caller,
    a_page,
    fill,
    look,
    sign_in,
    too_wide,
)
from tests.http.server.test_mail import Inbox, receiving
from tests.servers import Server, serving
from tests.walk import WALKS_ALL

pytestmark = pytest.mark.browser

ROOT = UI.parent
LANGUAGE = "qps"
SERVER_TEXTS = ROOT / "adapters" / "i18n" / "es.json"
CLIENT_TEXTS = tuple(UI / "src" / "i18n" / folder / "es.json" for folder in ("", "later"))
# Not texts: formats of numbers and dates.
NO_TEXTS = {"language.locale", "language.direction", "date.firstDay", "number.thousand"}
ACCENTS = str.maketrans("aeiouncsAEIOUNCS", "àèìòùñçšÀÈÌÒÙÑÇŠ")
# A page that loads for longer than this many pairs of frames, at least a minute, will not end.
FRAMES = 2_000
# What the browser writes for months, ages and amounts, and names that are the same in every language.
SAME_EVERYWHERE = """
    ene feb mar abr may jun jul ago sept oct nov dic enero febrero marzo abril mayo junio julio agosto septiembre
    octubre noviembre diciembre año años mes meses día días lun mar mié jue vie sáb dom mil de
    consumo español english qps ctrl gs ean datamatrix journalctl cns sqlite kb mb gb
"""


def lengthen(text: str) -> str:
    """Accent a text, and double its vowels; placeholders stay as they are."""
    depth, result = 0, []
    for letter in text:
        depth += (letter == "{") - (letter == "}")
        in_words = depth % 2 == 0 and letter not in "{}"
        result.append((letter * (1 + (letter in "aeiou"))).translate(ACCENTS) if in_words else letter)
    return f"‹{''.join(result)}›"


def write_language(source: Path, folder: Path) -> None:
    """Write the file of the language beside the Spanish one."""

    def translate(key: str, value: Any) -> Any:
        if isinstance(value, dict):
            return value if key == "formats" else {name: translate(name, text) for name, text in value.items()}
        return value if key in NO_TEXTS else lengthen(value)

    texts = translate("", json.loads(source.read_text("utf-8")))
    (folder / f"{LANGUAGE}.json").write_text(json.dumps(texts, ensure_ascii=False), "utf-8")


@pytest.fixture(scope="module")
def inbox() -> Iterator[Inbox]:
    with receiving() as inbox:
        yield inbox


def build_client(ui: Path, client: Path) -> None:
    """Build a copy of the client that has the language's texts."""
    ui.mkdir()
    for name in ("src", "public"):
        shutil.copytree(UI / name, ui / name)
    for name in ("index.html", "package.json", "tsconfig.json", "vite.config.ts", "libraryFiles.ts"):
        shutil.copy(UI / name, ui / name)
    (ui / "node_modules").symlink_to(UI / "node_modules")
    for source in CLIENT_TEXTS:
        write_language(source, ui / source.parent.relative_to(UI))
    vite = subprocess.run(
        [ui / "node_modules" / ".bin" / "vite", "build", "--logLevel=error", f"--outDir={client}"],
        cwd=ui, capture_output=True, text=True,
    )  # fmt: skip
    assert vite.returncode == 0, vite.stdout + vite.stderr


@pytest.fixture(scope="module")
def server(demo_file: Path, inbox: Inbox, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A copy of the project with the files of the language.

    Only `make walk` builds its client.
    """
    folder = tmp_path_factory.mktemp("language")
    for package in ("domain", "application", "adapters"):
        shutil.copytree(ROOT / package, folder / package)
    write_language(SERVER_TEXTS, folder / "adapters" / "i18n")
    client = folder / "adapters" / "http" / "client"
    if WALKS_ALL:
        build_client(folder / "ui", client)
    else:
        shutil.copytree(UI / "dist", client)
    database = folder / "demo.db"
    shutil.copy(demo_file, database)
    settings = {"PYTHONPATH": str(folder), "CONSUMO_SMTP_URL": f"smtp://127.0.0.1:{inbox.port}?tls=none"}
    with serving(f"sqlite:///{database}", folder, settings) as running:
        yield running


@pytest.fixture(scope="module")
def things(server: Server) -> dict[str, int]:
    return fill(server)


def test_the_server_answers_and_prints_in_a_further_language(server: Server) -> None:
    supervisor = Caller(server).sign_in("supervisor")
    sheet = supervisor.call("GET", "consumption-sheets?limit=1")["items"][0]["id"]
    headers = {"Authorization": f"Bearer {supervisor.token}", "Accept-Language": f"{LANGUAGE}, es;q=0.5"}

    def ask(path: str, **more: Any) -> httpx.Response:
        return httpx.request(
            more.pop("method", "GET"), f"{server.address}/api/{path}", headers=headers, trust_env=False, **more
        )

    refused = ask("areas", method="POST", json={"name": ""})
    assert refused.status_code == 422
    assert all(error["message"].startswith("‹") for error in refused.json()["errors"])
    assert ask("areas/987654").json()["detail"].startswith("‹")
    headings = ask("rooms?format=csv").content.decode("utf-8-sig").splitlines()[0]
    assert all(re.fullmatch('"?‹.*›"?', heading) for heading in headings.split(",")), headings
    book = load_workbook(io.BytesIO(ask("rooms?format=xlsx").content))
    assert book.sheetnames[0].startswith("‹")
    assert all(str(cell.value).startswith("‹") for cell in book.worksheets[0][1])
    for path in (f"consumption-sheets/{sheet}/pdf", "reports/consumption?format=pdf"):
        printed = "".join(page.extract_text() for page in PdfReader(io.BytesIO(ask(path).content)).pages)
        assert printed.count("‹") > 10
    report = load_workbook(io.BytesIO(ask("reports/consumption?format=xlsx").content))
    assert all("‹" in name for name in report.sheetnames)


def test_emails_are_in_the_further_language(server: Server, inbox: Inbox) -> None:
    answer = httpx.post(
        f"{server.address}/api/auth/password-reset",
        json={"email": "user@consumo.test"},
        headers={"Accept-Language": LANGUAGE},
        trust_env=False,
    )
    assert answer.is_success, answer.text
    _, letter = inbox.next()
    assert re.fullmatch("‹[^‹›]+›", letter["Subject"])
    text = letter.get_content()
    assert re.fullmatch("‹[^‹›]+›", text.strip()), text
    assert "/auth/reset-password?token=" in text


# Texts that a person can see or hear, except those in another language.
SHOWN = """() => {
    const shown = [document.title];
    for (const element of document.body.querySelectorAll("*")) {
        if (element.closest("[lang]") !== document.documentElement || element.closest("script, style")) continue;
        if (!element.checkVisibility({ visibilityProperty: true })) continue;
        for (const name of ["aria-label", "alt", "placeholder", "title"])
            if (element.hasAttribute(name)) shown.push(element.getAttribute(name));
        for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) shown.push(node.data);
    }
    return shown;
}"""


def words_in(text: str) -> set[str]:
    return set(re.findall(r"[^\W\d_]{2,}", text.lower()))


def untranslated(text: str, known: set[str]) -> set[str]:
    """The words outside of the marks that are neither data nor a date."""
    while (rest := re.sub("‹[^‹›]*›", " ", text)) != text:
        text = rest
    return words_in(text) - known


@pytest.mark.walk
def test_every_screen_follows_a_further_language(browser: Browser, server: Server, things: dict[str, int]) -> None:
    wrong: list[str] = []
    # The list of patients may have been loaded by the page before, whose answers are not read.
    patients = Caller(server).sign_in("supervisor").call("GET", "patients?limit=100")
    known = words_in(SAME_EVERYWHERE) | words_in(json.dumps(patients, ensure_ascii=False))
    with a_page(browser, viewport={"width": 360, "height": WINDOWS[360]}) as (page, complaints):
        loading: set[Request] = set()

        def end(request: Request) -> None:
            """Note the words of the data, which stay as they are."""
            answer = request.response() if "/api/" in request.url else None
            if answer and "json" in answer.headers.get("content-type", ""):
                known.update(words_in(answer.text()))
            loading.discard(request)

        page.on("request", lambda request: loading.add(request))
        page.on("requestfinished", end)
        page.on("requestfailed", lambda request: loading.discard(request))

        def settle() -> None:
            """Wait until three frames in a row have loaded nothing."""
            calm = 0
            for _ in range(FRAMES):
                page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
                calm = 0 if loading else calm + 1
                if calm == 3:
                    return
            raise AssertionError(f"{page.url} is still loading {[request.url for request in loading]}")

        def show(screen: str) -> None:
            # Navigation within the page does not load the application again.
            page.evaluate(
                "path => { history.pushState(null, '', path); dispatchEvent(new PopStateEvent('popstate')); }",
                screen.format_map(things),
            )
            settle()
            assert page.evaluate("document.documentElement.lang") == LANGUAGE
            page.locator("h1, h2").first.wait_for()
            wrong.extend(
                f"{screen}: {text!r} is written in the code ({', '.join(sorted(left))})"
                for text in page.evaluate(SHOWN)
                if (left := untranslated(text, known))
            )
            wrong.extend(too_wide(page, screen))
            wrong.extend(f"{screen}: {complaint}" for complaint in complaints)
            complaints.clear()

        page.goto(f"{server.address}/auth/login")
        page.get_by_role("button", name=re.compile(LANGUAGE, re.IGNORECASE)).click()
        page.get_by_role("button", name="Español").wait_for()
        for screen in ("/auth/login", "/auth/reset-password", "/auth/first-administrator"):
            page.goto(server.address + screen)
            show(screen)
        for who, screens in SCREENS.items():
            sign_in(page, server, who)
            look(page, LANGUAGE, "light")
            page.goto(server.address)
            for screen in screens:
                show(screen)
    assert wrong == [], "\n".join(dict.fromkeys(wrong))
