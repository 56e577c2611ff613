"""List responses: a page of JSON, or the whole list as a file."""

from collections.abc import Iterator
from typing import IO, Any

from litestar import Request
from litestar.response import Stream

from adapters.documents.lists import LISTS, Export, Form, ListSource
from adapters.hospital_profile import HospitalProfile
from adapters.http.errors import language_of
from adapters.http.heavy_work import HEAVY_WORK
from application.paging import ListQuery
from application.use_cases import UseCases
from domain.policy import Actor

# In both languages: programs store such files, and people read them later.
INCOMPLETE_MARKER = '\r\n"EXPORTACIÓN INCOMPLETA / INCOMPLETE EXPORT"\r\n'

# Chunk size in bytes of a file response.
_CHUNK_BYTES = 64 * 1024

MEDIA_TYPES = {
    Form.CSV: "text/csv",
    Form.XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    Form.PDF: "application/pdf",
}
JSON = "json"


def requested_format(request: Request[Any, Any, Any]) -> Form | None:
    """Return the file type from ``?format=`` or ``Accept``; None for JSON."""
    asked = request.query_params.get("format")
    if asked == JSON:
        return None
    accepted = request.headers.get("accept", "")
    return next(
        (form for form in Form if form == asked),
        next((form for form, media_type in MEDIA_TYPES.items() if media_type in accepted), None),
    )


def list_response(
    request: Request[Any, Any, Any],
    name: str,
    use_cases: UseCases,
    actor: Actor,
    query: ListQuery,
    hospital: HospitalProfile,
    *,
    source: ListSource[Any] | None = None,
) -> Any:
    """Return the requested page, or the whole filtered list as a file.

    ``name`` is the key in ``LISTS``. CSV column titles are in the requested language; without ``Accept-Language`` they
    are the field names, for programs.
    """
    listed, form, language = LISTS[name], requested_format(request), language_of(request)
    export = Export(use_cases=use_cases, actor=actor, query=query, language=language, hospital=hospital, source=source)
    if form not in listed.forms:
        return listed.page(export)
    if form is Form.CSV:
        lines = listed.csv(export, language if "accept-language" in request.headers else None)
        return Stream(HEAVY_WORK.stream(_mark_if_truncated(lines)), headers=file_headers(form))
    return file_response(listed.file(form, export), form)


def file_response(file: IO[bytes], form: Form) -> Stream:
    """Stream a file in chunks; it is deleted after that."""
    return Stream(HEAVY_WORK.stream(_chunks(file)), headers=file_headers(form))


def file_headers(form: Form) -> dict[str, str]:
    """Return the headers of a file download."""
    charset = "; charset=utf-8" if form is Form.CSV else ""
    return {
        "Content-Type": f"{MEDIA_TYPES[form]}{charset}",
        "Content-Disposition": "attachment",
        "Vary": "Accept, Accept-Language",
    }


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while piece := file.read(_CHUNK_BYTES):
            yield piece


def _mark_if_truncated(lines: Iterator[str]) -> Iterator[str]:
    """Yield the lines, plus a marker at the end if they break off early.

    Lines that were sent already cannot be withdrawn.
    """
    try:
        yield from lines
    except Exception:
        yield INCOMPLETE_MARKER
        raise
