"""Drivers of WebKitGTK and Firefox as Debian packages them.

Playwright drives browsers that it has changed itself.
"""

import json
import os
import select
import shutil
import socket
import subprocess
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

import httpx

BRIDGE = str(Path(__file__).parents[2] / "ui/checks/bidi.mjs")
ENTER, CONTROL = "\ue007", "\ue009"
MINI_BROWSERS = ("/usr/lib/*/webkit2gtk-4.1/MiniBrowser", "/usr/libexec/webkit2gtk-4.1/MiniBrowser")
# No proxy, and a mouse: without one, the page keeps the focus out of the bar.
FIREFOX_SETTINGS = {"network.proxy.type": 0, "ui.primaryPointerCapabilities": 6}
# Browsers that are slow on a busy machine still answer within it.
PATIENCE = 60


class Driven(ABC):
    """A browser under WebDriver, whose two protocols have the same actions."""

    @abstractmethod
    def goto(self, address: str) -> None: ...

    @abstractmethod
    def run(self, script: str) -> Any:
        """Run a function body in the page."""

    @abstractmethod
    def _act(self, actions: list[dict[str, Any]]) -> None: ...

    def type(self, text: str, *, every: int = 50) -> None:
        """Press keys at this pace, in milliseconds."""
        steps: list[dict[str, Any]] = []
        for key in text:
            steps += [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
            steps += [{"type": "pause", "duration": every}]
        self._act([{"type": "key", "id": "keyboard", "actions": steps}])

    def press_control(self, key: str) -> None:
        steps = [("keyDown", CONTROL), ("keyDown", key), ("keyUp", key), ("keyUp", CONTROL)]
        actions = [{"type": what, "value": value} for what, value in steps]
        self._act([{"type": "key", "id": "keyboard", "actions": actions}])

    def until(self, condition: str) -> None:
        """Wait until an expression is true in the page."""
        wait_until(lambda: self.run(f"return Boolean({condition})"), lambda: f"{condition}: {self.text()}")

    def text(self) -> str:
        return str(self.run("return document.body.innerText"))


def wait_until(holds: Callable[[], Any], explain: Callable[[], str]) -> None:
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, explain()
        time.sleep(0.1)


class WebKit(Driven):
    def __init__(self, address: str, binary: str) -> None:
        options = {"binary": binary, "args": ["--automation"]}
        self._client = httpx.Client(base_url=address, timeout=PATIENCE, trust_env=False)
        wanted = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        self._session = f"/session/{self._call('POST', '/session', wanted)['sessionId']}"

    def _call(self, method: str, path: str, body: object = None) -> Any:
        answer = self._client.request(method, path, json=body).json()["value"]
        assert not (isinstance(answer, dict) and "error" in answer), answer
        return answer

    def goto(self, address: str) -> None:
        self._call("POST", f"{self._session}/url", {"url": address})

    def run(self, script: str) -> Any:
        return self._call("POST", f"{self._session}/execute/sync", {"script": script, "args": []})

    def _act(self, actions: list[dict[str, Any]]) -> None:
        self._call("POST", f"{self._session}/actions", {"actions": actions})

    def close(self) -> None:
        self._call("DELETE", self._session)


class Firefox(Driven):
    def __init__(self, bridge: subprocess.Popen[bytes]) -> None:
        assert bridge.stdin
        assert bridge.stdout
        self._sent, self._answers = bridge.stdin, bridge.stdout
        self._numbers = count(1)
        self._call("session.new", capabilities={})
        # In the first tab the address has the focus, and pages get no focus events.
        self._page = self._call("browsingContext.create", type="tab")["context"]

    def _call(self, method: str, **given: Any) -> Any:
        self._sent.write(json.dumps({"id": next(self._numbers), "method": method, "params": given}).encode() + b"\n")
        self._sent.flush()
        # Without a subscription to events, each message is the answer to the last command.
        assert select.select([self._answers], [], [], PATIENCE)[0], method
        answer = json.loads(self._answers.readline())
        assert answer["type"] == "success", answer
        return answer["result"]

    def goto(self, address: str) -> None:
        self._call("browsingContext.navigate", context=self._page, url=address, wait="complete")

    def run(self, script: str) -> Any:
        # As text, which the protocol does not wrap.
        expression = f"JSON.stringify((() => {{{script}}})() ?? null)"
        target = {"context": self._page}
        answer = self._call("script.evaluate", expression=expression, target=target, awaitPromise=False)
        assert answer["type"] == "success", answer
        return json.loads(answer["result"]["value"])

    def _act(self, actions: list[dict[str, Any]]) -> None:
        self._call("input.performActions", context=self._page, actions=actions)


@contextmanager
def running(
    command: list[str], environment: dict[str, str], *, pipe: int = subprocess.DEVNULL
) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        command, env=environment, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        yield process
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(10)
        if process.poll() is None:
            process.kill()
            process.wait()


def mini_browser() -> str | None:
    """The test browser of WebKitGTK, which no path names."""
    found = [str(file) for pattern in MINI_BROWSERS for file in Path("/").glob(pattern.removeprefix("/"))]
    return found[0] if found else None


@contextmanager
def webkit(driver: str, binary: str, display_server: str) -> Iterator[Driven]:
    with ExitStack() as opened:
        home = opened.enter_context(tempfile.TemporaryDirectory())
        display = f":{os.getpid() % 20_000 + 1_000}"
        opened.enter_context(running([display_server, display, "-nolisten", "tcp"], dict(os.environ)))
        wait_until(Path("/", "tmp", ".X11-unix", f"X{display[1:]}").exists, lambda: "Xvfb has not started")
        port = free_port()
        environment = {
            **os.environ, "DISPLAY": display, "HOME": home, "XDG_DATA_HOME": home, "XDG_CACHE_HOME": home,
            "XDG_RUNTIME_DIR": home, "NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1", "GSETTINGS_BACKEND": "memory",
            "WEBKIT_DISABLE_COMPOSITING_MODE": "1", "LIBGL_ALWAYS_SOFTWARE": "1", "NO_AT_BRIDGE": "1",
        }  # fmt: skip
        opened.enter_context(running([driver, f"--port={port}"], environment))
        wait_until(lambda: answers(port), lambda: "WebKitWebDriver has not started")
        browser = WebKit(f"http://127.0.0.1:{port}", binary)
        opened.callback(browser.close)
        yield browser


@contextmanager
def firefox(binary: str) -> Iterator[Driven]:
    with ExitStack() as opened:
        home = opened.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        settings = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in FIREFOX_SETTINGS.items()]
        Path(home, "user.js").write_text("\n".join(settings), encoding="utf-8")
        port = free_port()
        command = [binary, "--headless", "--no-remote", "--profile", home, f"--remote-debugging-port={port}"]
        opened.enter_context(running(command, {**os.environ, "HOME": home}))
        wait_until(lambda: answers(port), lambda: "Firefox has not started")
        bridge = ["node", BRIDGE, f"ws://127.0.0.1:{port}/session"]
        yield Firefox(opened.enter_context(running(bridge, dict(os.environ), pipe=subprocess.PIPE)))


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def answers(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


def find_webkit() -> Callable[[], AbstractContextManager[Driven]] | None:
    """How to open WebKitGTK; None if it is not installed."""
    driver, binary, display = shutil.which("WebKitWebDriver"), mini_browser(), shutil.which("Xvfb")
    return (lambda: webkit(driver, binary, display)) if driver and binary and display else None


def find_firefox() -> Callable[[], AbstractContextManager[Driven]] | None:
    """How to open Firefox; None if Debian's package is not installed."""
    binary = shutil.which("firefox-esr")
    return (lambda: firefox(binary)) if binary else None
