"""Static files: the built client, and its page for every other path."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from litestar import Request, Response, get
from litestar.concurrency import sync_to_thread
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import File, Redirect
from litestar.status_codes import HTTP_200_OK, HTTP_404_NOT_FOUND

from adapters.http.controllers.operations import PublicSettings
from application.common.store_errors import StoreUnavailable
from domain.common.errors import NotFound

# Preferred encoding first.
_COMPRESSED_FILES = {"br": ".br", "gzip": ".gz"}
_PAGE_HEADERS = {"Cache-Control": "no-cache"}
# The client's build puts a content hash into these file names.
_ASSET_HEADERS = {"Cache-Control": "public, max-age=31536000, immutable"}
# The service worker answers pages that are opened without network; its file name must not change. The other file
# removes it from devices.
_WORKER, _REMOVAL_WORKER = "sw.js", "sw-off.js"
# The manual, in Spanish and in English: a file for each page.
_MANUALS = ("ayuda", "help")
_NON_PAGE_PREFIXES = ("api/", "fhir/", "schema/", "health/", "metrics", ".well-known/")
SETUP_PAGE = "auth/first-administrator"


class Setup:
    """Tells whether the first administrator is still to be created.

    ``is_over`` asks the database. It is not called again once an account exists.
    """

    def __init__(self, is_over: Callable[[], bool]) -> None:
        self._check = is_over
        self._is_over = False

    async def is_pending(self) -> bool:
        """Return whether there is no account; False if that cannot be read."""
        if not self._is_over:
            try:
                self._is_over = await sync_to_thread(self._check)
            except StoreUnavailable:
                return False
        return not self._is_over


@get(
    ["/", "/{file_path:path}"],
    include_in_schema=False,
    exclude_from_auth=True,
    compresses_itself=True,
)
async def client_file(
    request: Request[Any, Any, Any],
    client: NamedDependency[Path],
    public_settings: NamedDependency[PublicSettings],
    setup: NamedDependency[Setup],
    file_path: FromPath[str] = "/",
) -> Response[bytes] | File | Redirect:
    """Return a file of the client or its single page, precompressed if built.

    The manual has pages of its own, for everyone, and answers 404 where it has none.
    Until the first administrator is created, every other page redirects to the page about that.
    """
    name = file_path.lstrip("/")
    if name.startswith(_NON_PAGE_PREFIXES):
        raise NotFound
    if name == _WORKER and not public_settings["offline"]:
        name = _REMOVAL_WORKER
    file, headers, status = _file_in(client.resolve(), name), _PAGE_HEADERS, HTTP_200_OK
    folder = name.partition("/")[0]
    if file is None and folder in _MANUALS:
        file = _manual_page(client.resolve(), name)
        if file is None:
            file, status = _file_in(client.resolve(), f"{folder}/missing.html"), HTTP_404_NOT_FOUND
    elif file is None or name == "index.html":
        if name != SETUP_PAGE and await setup.is_pending():
            return Redirect(f"/{SETUP_PAGE}", headers={"Cache-Control": "no-store"})
        file = _file_in(client.resolve(), "index.html")
    elif name.startswith("assets/"):
        headers = _ASSET_HEADERS
    if file is None:
        raise NotFound
    headers = headers | {"Vary": "Accept-Encoding"}
    accepted = request.headers.get("accept-encoding", "")
    for encoding, ending in _COMPRESSED_FILES.items():
        compressed = file.with_name(file.name + ending)
        if accepts(accepted, encoding) and compressed.is_file():
            return _sent(compressed, file.name, headers | {"Content-Encoding": encoding}, status)
    return _sent(file, file.name, headers, status)


def _sent(file: Path, name: str, headers: dict[str, str], status: int) -> File:
    return File(path=file, filename=name, content_disposition_type="inline", headers=headers, status_code=status)


def _manual_page(root: Path, name: str) -> Path | None:
    """Return the file of a page of the manual, whose address has no ending."""
    path = name.rstrip("/")
    return _file_in(root, f"{path}.html") or _file_in(root, f"{path}/index.html")


def accepts(accepted: str, encoding: str) -> bool:
    """Return whether the client accepts an encoding; `br;q=0` rejects it."""
    for one in accepted.split(","):
        name, _, weight = one.replace(" ", "").partition(";q=")
        if name == encoding:
            return not weight or weight.strip("0.") != ""
    return False


def _file_in(root: Path, name: str) -> Path | None:
    """Return the file's path; None if it is missing or the name is invalid."""
    try:
        file = (root / name).resolve()
        return file if file.is_relative_to(root) and file.is_file() else None
    except (OSError, ValueError):
        return None
