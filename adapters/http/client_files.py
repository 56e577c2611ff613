"""Serves the built web client: its files, and its one page for every path that is no file."""

from pathlib import Path

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import File

from domain.refusal import NotFound

_PAGE_HEADERS = {"Cache-Control": "no-cache"}
# The client's build puts a hash of their content into the names of these.
_ASSET_HEADERS = {"Cache-Control": "public, max-age=31536000, immutable"}
_NO_PAGES = ("api/", "schema/", "health/", "metrics")


@get(["/", "/{file_path:path}"], include_in_schema=False, sync_to_thread=False)
def client_file(client: NamedDependency[Path], file_path: FromPath[str] = "/") -> Response[bytes] | File:
    """A file of the client, or the page that every screen lives on."""
    name = file_path.lstrip("/")
    if name.startswith(_NO_PAGES):
        raise NotFound
    file, headers = _file_in(client.resolve(), name), _PAGE_HEADERS
    if file is None:
        file = _file_in(client.resolve(), "index.html")
    elif name.startswith("assets/"):
        headers = _ASSET_HEADERS
    if file is None:
        raise NotFound
    return File(path=file, filename=file.name, content_disposition_type="inline", headers=headers)


def _file_in(root: Path, name: str) -> Path | None:
    """The file of that name in that folder; None where there is none, or where no file can be called so."""
    try:
        file = (root / name).resolve()
        return file if file.is_relative_to(root) and file.is_file() else None
    except (OSError, ValueError):
        return None


ROUTES = [client_file]
