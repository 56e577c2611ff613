"""Print each book of the built manual as a PDF, with Chromium.

``make books`` runs it, and builds the manual again, whose pages then link to the files.
"""

import json
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parent.parent
DIST = ROOT / "ui" / "dist"
FOLDERS = {"es": "ayuda", "en": "help"}
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FOOTER = (
    '<div style="width:100%;text-align:center;font:9px sans-serif">'
    '<span class="pageNumber"></span> / <span class="totalPages"></span></div>'
)


class BuiltFiles(SimpleHTTPRequestHandler):
    """Serves the built files; addresses of the manual have no ending."""

    def send_head(self):  # type: ignore[no-untyped-def]
        if (DIST / f"{self.path.lstrip('/')}.html").is_file():
            self.path += ".html"
        return super().send_head()

    def log_message(self, *_: object) -> None:
        """Don't log requests."""


@contextmanager
def serving() -> Iterator[str]:
    """Serve the built files until the block ends."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(BuiltFiles, directory=str(DIST))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def without_time(pdf: bytes) -> bytes:
    """Set the time of the file to SOURCE_DATE_EPOCH, or to 1980."""
    epoch = int(os.environ.get("SOURCE_DATE_EPOCH", "315532800"))
    moment = f"{datetime.fromtimestamp(epoch, UTC):%Y%m%d%H%M%S}".encode()
    return re.sub(rb"(/(?:CreationDate|ModDate) \(D:)\d{14}", rb"\g<1>" + moment, pdf)


def main() -> None:
    """Print the books of both languages into the folders of their pages."""
    books = json.loads((ROOT / "docs" / "manual" / "manual.json").read_text("utf-8"))["books"]
    browser_path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser_path is None:
        raise SystemExit("The books need Chromium: install it and run the same command again.")
    with serving() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        page = browser.new_page(color_scheme="light")
        for language, folder in FOLDERS.items():
            for book in books:
                path = f"{folder}/{book[language]['slug']}"
                page.goto(f"{address}/{path}/1", wait_until="networkidle")
                pdf = page.pdf(
                    prefer_css_page_size=True,
                    tagged=True,
                    outline=True,
                    display_header_footer=True,
                    header_template="<span></span>",
                    footer_template=FOOTER,
                )
                (DIST / f"{path}.pdf").write_bytes(without_time(pdf))
        browser.close()


if __name__ == "__main__":
    main()
