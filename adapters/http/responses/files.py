"""Files and documents as responses, to be stored or shown."""

from collections.abc import Iterator
from typing import IO

from litestar import Response
from litestar.response import Stream

from adapters.documents.lists import Form
from adapters.http.requests.request import ApiRequest
from adapters.http.workers.fair_queue import HEAVY_WORK

# Chunk size in bytes of a file response.
_CHUNK_BYTES = 64 * 1024

MEDIA_TYPES = {
    Form.CSV: "text/csv",
    Form.XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    Form.PDF: "application/pdf",
}


def document_response(content: bytes, name: str, *, form: Form = Form.PDF, is_shown: bool = False) -> Response[bytes]:
    """Return a document under its name, to be stored or shown."""
    headers = _headers(name, is_shown=is_shown, vary="Accept-Language")
    return Response(content, media_type=MEDIA_TYPES[form], headers=headers)


def file_response(request: ApiRequest, file: IO[bytes], form: Form) -> Stream:
    """Stream a file in chunks; it is deleted after that."""
    return Stream(HEAVY_WORK.stream(request.owner, _chunks(file)), headers=file_headers(form))


def file_headers(form: Form) -> dict[str, str]:
    """Return the headers of a file download."""
    charset = "; charset=utf-8" if form is Form.CSV else ""
    return {"Content-Type": f"{MEDIA_TYPES[form]}{charset}", **_headers(vary="Accept, Accept-Language")}


def _headers(name: str | None = None, *, is_shown: bool = False, vary: str) -> dict[str, str]:
    kind = "inline" if is_shown else "attachment"
    return {"Content-Disposition": f'{kind}; filename="{name}"' if name else kind, "Vary": vary}


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while piece := file.read(_CHUNK_BYTES):
            yield piece
