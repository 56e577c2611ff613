"""The service worker: offline pages, new versions, and its removal."""

import json
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

import httpx
import pytest
from playwright.sync_api import BrowserContext, Page, expect

from adapters.http.app import CLIENT_FOLDER
from tests.browser.recording.test_together_on_one_sheet import no_complaints
from tests.browser.screens import PASSWORD, a_new_sheet, sign_in
from tests.pace import PATIENCE
from tests.servers import Server, serving

pytestmark = pytest.mark.browser

NURSE = "user"
# Delays of the registration, and of the checks for whether the user is working.
REGISTERS_AFTER, LOOKS_AFTER = 6_000, 3_000
NEWS = "Hay una versión nueva."
IS_CONTROLLED = "async () => navigator.serviceWorker.controller !== null"
HAS_WORKER = "async () => (await navigator.serviceWorker.getRegistration()) !== undefined"
VIOLATIONS = """
  window.violations = [];
  document.addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective));
"""
CACHED = """async (without) => {
  const urls = [];
  for (const name of (await caches.keys()).filter((one) => !without || !one.startsWith(without)))
    for (const { url } of await (await caches.open(name)).keys()) urls.push(new URL(url).pathname);
  return urls;
}"""


def until(page: Page, question: str) -> None:
    """Wait until that JavaScript function returns true."""
    page.evaluate(
        f"""async () => {{
          for (let tries = 0; tries < 300; tries += 1) {{
            if (await ({question})()) return;
            await new Promise((goOn) => setTimeout(goOn, 50));
          }}
          throw new Error('never');
        }}"""
    )


# The manual's book is stored while the user works, at no certain time.
MANUAL = "manual "
# The final state of a new worker: installed, or redundant.
UPDATED = """async () => {
  const { installing } = await (await navigator.serviceWorker.getRegistration()).update();
  if (installing?.state === 'installing')
    await new Promise((changed) => installing.addEventListener('statechange', changed, { once: true }));
  return installing?.state;
}"""


def sign_in_with_worker(page: Page, server: Server) -> None:
    """Sign in and wait until the worker has cached everything."""
    page.clock.install()
    sign_in(page, server, NURSE)
    page.goto(server.address)
    wait_for_worker(page)


def wait_for_worker(page: Page) -> None:
    page.wait_for_load_state("networkidle")
    page.clock.fast_forward(REGISTERS_AFTER)
    until(page, IS_CONTROLLED)


def user_kept(page: Page) -> bool:
    return bool(page.evaluate("() => localStorage.getItem('token') !== null && localStorage.getItem('user') !== null"))


def test_opening_a_sheet_offline_keeps_the_session(demo_server: Server, page: Page, context: BrowserContext) -> None:
    sign_in(page, demo_server, NURSE)
    _, sheet = a_new_sheet(demo_server)
    page.clock.install()
    page.goto(sheet)
    wait_for_worker(page)
    context.set_offline(True)
    page.reload()
    expect(page.get_by_role("button", name="Cerrar sesión")).to_be_visible()
    # The sheet's page depends on what is stored on the device; other pages are never available offline.
    page.goto(f"{demo_server.address}/patients")
    expect(page.get_by_role("heading", name="Sin conexión")).to_be_visible()
    expect(page.get_by_role("link", name="Hojas de consumo").first).to_be_visible()
    assert user_kept(page)

    context.set_offline(False)
    expect(page.get_by_role("heading", name="Pacientes")).to_be_visible()
    page.goto(sheet)
    expect(page.get_by_role("combobox", name="Producto")).to_be_visible()
    assert user_kept(page)


def test_signing_in_offline_explains_the_missing_network(
    demo_server: Server, page: Page, context: BrowserContext
) -> None:
    sign_in_with_worker(page, demo_server)
    page.get_by_role("button", name="Cerrar sesión").click()
    expect(page.get_by_role("heading", name="Iniciar sesión")).to_be_visible()
    context.set_offline(True)
    page.reload()
    page.get_by_label("Correo electrónico").fill(f"{NURSE}@consumo.test")
    page.get_by_label("Contraseña", exact=True).fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile("^No hay conexión"))).to_be_visible()


def test_the_worker_keeps_the_content_security_policy(demo_server: Server, page: Page) -> None:
    page.add_init_script(VIOLATIONS)
    with no_complaints(page):
        sign_in_with_worker(page, demo_server)
        for path in ("/", "/consumption-sheets"):
            page.goto(demo_server.address + path)
            expect(page.get_by_role("button", name="Cerrar sesión")).to_be_visible()
            assert page.evaluate("() => window.violations") == []
    for program in ("/assets/other.js", "/sw.js?x", "https://elsewhere.test/sw.js", "blob:x"):
        refused = page.evaluate(
            "(program) => { try { new Worker(program); return null; } catch (error) { return error.name; } }", program
        )
        assert refused == "TypeError", program


def test_no_api_answer_is_cached_or_served_offline(demo_server: Server, page: Page, context: BrowserContext) -> None:
    sign_in_with_worker(page, demo_server)
    for path in ("/", "/consumption-sheets", "/patients"):
        page.goto(demo_server.address + path)
        expect(page.get_by_role("button", name="Cerrar sesión")).to_be_visible()
        page.wait_for_load_state("networkidle")
    kept = page.evaluate(CACHED)
    assert "/" in kept
    # The manual is kept as well, which is the same for everyone.
    assert [path for path in kept if not re.match("/$|/assets/|/icons/|/ayuda", path)] == []
    context.set_offline(True)
    for path in ("/api/settings", "/api/consumption-sheets", "/health/live", "/schema/openapi.json", "/metrics"):
        answered = page.evaluate("(path) => fetch(path).then(() => true, () => false)", path)
        assert not answered, path
    # An address of the server, rather than of the client, does not get the page either.
    with pytest.raises(Exception, match="ERR_INTERNET_DISCONNECTED"):
        page.goto(f"{demo_server.address}/schema/openapi.json")


def test_the_client_is_installable(demo_server: Server, page: Page, context: BrowserContext) -> None:
    sign_in(page, demo_server, NURSE)
    page.goto(demo_server.address)
    devtools = context.new_cdp_session(page)
    manifest = devtools.send("Page.getAppManifest")
    assert manifest["errors"] == []
    description = json.loads(manifest["data"])
    assert (description["lang"], description["start_url"], description["display"]) == ("es", "/", "standalone")
    for icon in description["icons"]:
        size = page.evaluate(
            """async (src) => {
              const icon = new Image();
              icon.src = src;
              await icon.decode();
              return `${icon.naturalWidth}x${icon.naturalHeight}`;
            }""",
            icon["src"],
        )
        assert size == icon["sizes"]
    errors = devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # Each test has a private window. Some versions of Chromium say that nothing is installed from one, others do not.
    assert [error for error in errors if error["errorId"] != "in-incognito"] == []


# --- a new version ---------------------------------------------------------------------------------------------------


@dataclass
class Deployment:
    """A proxy that can serve an upgraded client for the API of a server."""

    address: str
    client: Path
    api: Server
    # While cleared, page requests hang; with `away` they get 502 instead.
    lets_through: Event = field(default_factory=Event)
    away: bool = False


def upgraded(folder: Path) -> Path:
    """Another build of the client: other file names, and a marker in the page."""
    shutil.copytree(CLIENT_FOLDER, folder, ignore=shutil.ignore_patterns("*.br", "*.gz", ".vite"))
    page = folder / "index.html"
    for file in [page, folder / "sw.js", *(folder / "assets").glob("*.js")]:
        file.write_text(re.sub(r"([\w.]+-[\w-]{8})\.js", r"\1_.js", file.read_text("utf-8")), "utf-8")
    for file in (folder / "assets").glob("*.js"):
        file.rename(file.with_name(f"{file.stem}_.js"))
    page.write_text(page.read_text().replace("<title>", '<meta name="upgraded" /><title>'))
    worker = folder / "sw.js"
    worker.write_text(re.sub(r'VERSION="\w+"', 'VERSION="upgraded"', worker.read_text("utf-8")), "utf-8")
    return folder


@pytest.fixture
def deployment(demo_server: Server) -> Iterator[Deployment]:
    deployed = Deployment("", CLIENT_FOLDER, demo_server)
    deployed.lets_through.set()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            if self.path.startswith("/api/"):
                self.pass_on(body)
                return
            if self.headers.get("Sec-Fetch-Mode") == "navigate":
                deployed.lets_through.wait()
                if deployed.away:
                    self.send(502, {"Content-Type": "text/html"}, b"Bad gateway")
                    return
            file = deployed.client / self.path.lstrip("/")
            if not file.is_file():
                file = deployed.client / "index.html"
            kinds = {".js": "text/javascript", ".css": "text/css", ".html": "text/html; charset=utf-8"}
            lasts = "max-age=31536000" if file.parent.name == "assets" else "no-cache"
            headers = {"Content-Type": kinds.get(file.suffix, "application/octet-stream"), "Cache-Control": lasts}
            self.send(200, headers, file.read_bytes())

        do_GET = do_POST = do_PUT = do_DELETE = answer  # noqa: N815

        def pass_on(self, body: bytes) -> None:
            headers = {
                name: value for name, value in self.headers.items() if name.lower() not in ("host", "connection")
            }
            headers["Accept-Encoding"] = "identity"
            with httpx.Client(trust_env=False) as client:
                answer = client.request(
                    self.command, deployed.api.address + self.path, content=body, headers=headers, timeout=PATIENCE
                )
            headers = {name: answer.headers[name] for name in ("content-type", "etag") if name in answer.headers}
            self.send(answer.status_code, headers, answer.content)

        def send(self, status: int, headers: dict[str, str], body: bytes) -> None:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            if status not in (204, 304):
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Don't log requests."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    deployed.address = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield deployed
    deployed.lets_through.set()
    server.shutdown()
    server.server_close()


@contextmanager
def at(deployment: Deployment) -> Iterator[Server]:
    """The deployment as a `Server` for the shared helpers."""
    yield Server(deployment.address, deployment.api.database_url, deployment.api.log, deployment.api.process)


def come_back_to(page: Page) -> None:
    """Simulate returning to the page, which checks for a new version."""
    page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")


def is_upgraded(page: Page) -> bool:
    return page.locator("meta[name=upgraded]").count() == 1


def test_a_new_version_is_offered_while_idle_and_loses_nothing(
    deployment: Deployment, page: Page, tmp_path: Path
) -> None:
    with at(deployment) as server:
        sign_in(page, server, NURSE)
        _, address = a_new_sheet(server)
        page.clock.install()
        page.goto(address)
        wait_for_worker(page)
        other = page.context.new_page()
        other.goto(f"{server.address}/consumption-sheets")
        expect(other.get_by_role("heading", name="Hojas de consumo").first).to_be_visible()

        product = page.get_by_role("combobox", name="Producto")
        product.fill("gasa")
        page.get_by_role("option").first.click()
        deployment.client = upgraded(tmp_path / "upgraded")
        come_back_to(page)
        until(page, "async () => (await navigator.serviceWorker.getRegistration()).waiting !== null")
        page.clock.fast_forward(LOOKS_AFTER)
        expect(page.get_by_text(NEWS)).to_have_count(0)
        assert not is_upgraded(page)

        page.get_by_label("Cantidad", exact=True).fill("2")
        page.keyboard.press("Enter")
        expect(page.get_by_role("table").get_by_role("row").nth(1)).to_contain_text("Gasa")
        page.wait_for_load_state("networkidle")
        page.clock.fast_forward(LOOKS_AFTER)
        expect(page.get_by_text(NEWS)).to_be_visible()
        product.fill("guante")
        page.get_by_role("option").first.click()
        page.clock.fast_forward(LOOKS_AFTER)
        expect(page.get_by_text(NEWS)).to_have_count(0)
        product.focus()
        page.keyboard.press("Escape")
        product.fill("")
        page.clock.fast_forward(LOOKS_AFTER)
        page.get_by_role("button", name="Actualizar").click()

        page.locator("meta[name=upgraded]").wait_for(state="attached")
        expect(page.get_by_role("table").get_by_role("row").nth(1)).to_contain_text("Gasa")
        # The other tab still runs the previous version, with all its files.
        assert not is_upgraded(other)
        other.keyboard.press("Control+k")
        expect(other.get_by_role("dialog")).to_be_visible()


def test_a_page_of_the_new_version_is_offered_nothing(deployment: Deployment, page: Page, tmp_path: Path) -> None:
    with at(deployment) as server:
        sign_in_with_worker(page, server)
        deployment.client = upgraded(tmp_path / "upgraded")
        page.reload()
        page.locator("meta[name=upgraded]").wait_for(state="attached")
        expect(page.get_by_role("button", name="Cerrar sesión")).to_be_visible()
        wait_for_worker(page)
        until(page, "async () => (await caches.keys()).at(-1) === 'upgraded'")
        until(
            page,
            """async () => {
              const { installing, waiting } = await navigator.serviceWorker.getRegistration();
              return !installing && !waiting;
            }""",
        )
        page.clock.fast_forward(LOOKS_AFTER)
        expect(page.get_by_text(NEWS)).to_have_count(0)


@pytest.mark.parametrize("how", ["says nothing", pytest.param("is away", marks=pytest.mark.walk)])
def test_a_page_opens_from_the_cache_if_the_server(deployment: Deployment, page: Page, how: str) -> None:
    with at(deployment) as server:
        sign_in_with_worker(page, server)
        if how == "is away":
            deployment.away = True
        else:
            deployment.lets_through.clear()
        page.goto(f"{server.address}/consumption-sheets")
        expect(page.get_by_role("heading", name="Hojas de consumo").first).to_be_visible()
        assert user_kept(page)


@pytest.mark.parametrize("missing", ["programs", pytest.param("page", marks=pytest.mark.walk)])
def test_a_partial_deployment_is_not_cached(deployment: Deployment, page: Page, tmp_path: Path, missing: str) -> None:
    whole = upgraded(tmp_path / "upgraded")
    half = tmp_path / "half"
    if missing == "programs":
        shutil.copytree(CLIENT_FOLDER, half)
        for name in ("sw.js", "index.html"):
            shutil.copy(whole / name, half / name)
    else:
        shutil.copytree(whole, half)
        shutil.copy(CLIENT_FOLDER / "index.html", half / "index.html")
    with at(deployment) as server:
        sign_in_with_worker(page, server)
        before = page.evaluate(CACHED, MANUAL)
        deployment.client = half
        assert page.evaluate(UPDATED) == "redundant"
        assert page.evaluate(CACHED, MANUAL) == before
        deployment.client = whole
        assert page.evaluate(UPDATED) == "installed"


# --- removal ---------------------------------------------------------------------------------------------------------

STORE_SOMETHING = """() => new Promise((resolve) => {
  const asked = indexedDB.open('consumo');
  asked.onsuccess = () => {
    const stores = ['outbox', 'catalogue', 'sheets'];
    const transaction = asked.result.transaction(stores, 'readwrite');
    transaction.objectStore('outbox').put({ key: 'a' });
    transaction.objectStore('catalogue').put({ version: '1' }, 'catalogue');
    transaction.objectStore('sheets').put({ id: 1 });
    transaction.oncomplete = () => { asked.result.close(); resolve(); };
  };
})"""
STORED = """() => new Promise((resolve) => {
  const asked = indexedDB.open('consumo');
  asked.onsuccess = async () => {
    const count = (store) => new Promise((told) => {
      asked.result.transaction(store).objectStore(store).count().onsuccess = ({ target }) => told(target.result);
    });
    const counts = await Promise.all(['outbox', 'catalogue', 'sheets'].map(count));
    asked.result.close();
    resolve(counts);
  };
})"""
MAKE_DATABASE = """() => new Promise((resolve) => {
  const asked = indexedDB.open('consumo');
  asked.onupgradeneeded = () => {
    asked.result.createObjectStore('outbox', { keyPath: 'key' });
    asked.result.createObjectStore('catalogue');
    asked.result.createObjectStore('sheets', { keyPath: 'id' });
  };
  asked.onsuccess = () => { asked.result.close(); resolve(); };
})"""


def test_switching_offline_off_removes_worker_and_cached_data(
    demo_file: Path, tmp_path: Path, port: int, page: Page
) -> None:
    database = f"sqlite:///{shutil.copy(demo_file, tmp_path / 'demo.db')}"
    with serving(database, tmp_path, port=port) as server:
        sign_in_with_worker(page, server)
        assert page.evaluate(CACHED)
        page.evaluate(MAKE_DATABASE)
        page.evaluate(STORE_SOMETHING)
    with serving(database, tmp_path, {"CONSUMO_OFFLINE": "off"}, port=port) as server:
        page.goto(f"{server.address}/consumption-sheets")
        sign_in_again = page.get_by_label("Correo electrónico")
        expect(page.get_by_role("button", name="Cerrar sesión").or_(sign_in_again)).to_be_visible()
        until(page, "async () => (await caches.keys()).length === 0")
        until(page, f"async () => !(await ({HAS_WORKER})())")
        if sign_in_again.is_visible():  # each server has its own secret key
            sign_in(page, server, NURSE)
            page.goto(server.address)
        page.wait_for_load_state("networkidle")
        page.clock.fast_forward(REGISTERS_AFTER)
        until(page, f"async () => String(await ({STORED})()) === '1,0,0'")
        assert not page.evaluate(HAS_WORKER)
