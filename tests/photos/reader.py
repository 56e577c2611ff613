"""Read pictures with the client's own worker, and compare with the drawing.

The worker runs in Chromium.
"""

import base64
import functools
import http.server
import io
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Page

from tests.photos.heap import Drawn, Point, Symbol
from tests.servers import ROOT

UI = ROOT / "ui"
# Builds only the worker, with the reader's WebAssembly beside it.
BUILD = """
import { build } from 'vite';
const worker = 'src/symbols/photo/worker.ts';
await build({
  configFile: false,
  logLevel: 'error',
  base: './',
  resolve: { alias: { '@': new URL('src', `file://${process.cwd()}/`).pathname } },
  build: {
    outDir: process.argv.at(-1),
    rollupOptions: { input: worker, output: { entryFileNames: 'worker.js', format: 'es' } },
  },
});
"""
# Sends one file to a new worker, and returns its last answer before the end.
READ = """
content => new Promise((resolve, reject) => {
    const worker = new Worker('/worker.js', { type: 'module' });
    const started = performance.now();
    let last = { passes: 0 };
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.onmessage = ({ data }) => {
        if (!data.end && !data.error) { last = { ...data, passes: last.passes + 1 }; return; }
        worker.terminate();
        resolve({ ...last, ...data, milliseconds: performance.now() - started });
    };
    worker.postMessage(new Blob([Uint8Array.from(atob(content), one => one.charCodeAt(0))]));
})
"""


class _Files(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing."""


@contextmanager
def photo_reader(page: Page, folder: Path) -> Iterator[None]:
    """Build the worker into the folder, and open a page that can start it."""
    command = ["node", "--input-type=module", "--eval", BUILD, "--", str(folder)]
    subprocess.run(command, cwd=UI, stdin=subprocess.DEVNULL, check=True)
    (folder / "index.html").write_text("<!doctype html><title>Reader</title>", "utf-8")
    handler = functools.partial(_Files, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            page.goto(f"http://127.0.0.1:{server.server_port}/index.html")
            yield
        finally:
            server.shutdown()


def read_file(page: Page, content: bytes) -> dict[str, Any]:
    """Return the worker's last answer to a file, with passes and time."""
    answer: dict[str, Any] = page.evaluate(READ, base64.b64encode(content).decode())
    return answer


def as_jpeg(image: Image.Image, **how: Any) -> bytes:
    """Return the file that a camera would write."""
    file = io.BytesIO()
    image.save(file, "JPEG", quality=90, **how)
    return file.getvalue()


@dataclass(slots=True)
class Compared:
    """What was read of a picture, against what was drawn."""

    read: list[Symbol] = field(default_factory=list)
    # Wholly visible, and not read.
    missed: list[Symbol] = field(default_factory=list)
    # Texts that are not there, that were counted twice, or that are hidden.
    wrong: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)
    # Places that are marked as unread, with a symbol and without one.
    unread: int = 0
    imagined: int = 0


def compare(drawn: Drawn, seen: Sequence[dict[str, Any]]) -> Compared:
    """Compare by place what was read with what was drawn.

    The centre of what was read lies in a drawn symbol with its text.
    """
    found = Compared()
    read: set[int] = set()
    for one in seen:
        centre = tuple(sum(corner[axis] for corner in one["corners"]) / 4 for axis in ("x", "y"))
        here = [place for place, symbol in enumerate(drawn.symbols) if _contains(symbol.corners, centre)]
        if one["text"] is None:
            found.unread += bool(here)
            found.imagined += not here
            continue
        # A DataMatrix of any kind has the same text; its identifier depends on who writes it.
        equal = [place for place in here if drawn.symbols[place].text[3:] == one["text"][3:]]
        if not equal:
            found.wrong.append(one["text"])
        elif equal[0] in read:
            found.doubled.append(one["text"])
        elif drawn.symbols[equal[0]].hidden:
            found.hidden.append(one["text"])
        read.update(equal[:1])
    found.read = [symbol for place, symbol in enumerate(drawn.symbols) if place in read]
    found.missed = [one for place, one in enumerate(drawn.symbols) if one.visible and place not in read]
    return found


def _contains(corners: Sequence[Point], point: Sequence[float]) -> bool:
    x, y = point
    sides = [
        (right - left) * (y - top) - (low - top) * (x - left)
        for (left, top), (right, low) in zip(corners, (*corners[1:], corners[0]), strict=True)
    ]
    return all(side >= 0 for side in sides) or all(side <= 0 for side in sides)
