"""Lists as they are answered: a page as JSON, or all of it as CSV or XLSX."""

from collections.abc import Iterator
from enum import StrEnum
from typing import IO, Any, Protocol, TypeVar

from litestar import Request
from litestar.response import Stream

from adapters.exports.csv_lines import csv_lines
from adapters.exports.workbook import list_workbook
from adapters.house import House
from adapters.http.errors import language_of
from application.paging import ListQuery
from domain.policy import Actor

# In both languages: programs keep such files, and people read them later.
CUT_OFF = '\r\n"EXPORTACIÓN INCOMPLETA / INCOMPLETE EXPORT"\r\n'

# How much of a file is sent in one go.
_PIECE = 64 * 1024

Query = TypeVar("Query", bound=ListQuery, contravariant=True)


class Form(StrEnum):
    """In which form something is answered, by what ``format`` in the query says."""

    JSON = "json"
    CSV = "csv"
    XLSX = "xlsx"
    PDF = "pdf"


MEDIA_TYPES = {
    Form.CSV: "text/csv",
    Form.XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    Form.PDF: "application/pdf",
}


class Browsable(Protocol[Query]):
    """What can be listed by the page and as a whole."""

    def page(self, actor: Actor, query: Query) -> Any: ...

    def every(self, actor: Actor, query: Query) -> Iterator[Any]: ...


def form_of(request: Request[Any, Any, Any]) -> Form:
    """The form that ``?format=`` or else ``Accept`` asks for; JSON where neither says another."""
    asked = request.query_params.get("format")
    accepted = request.headers.get("accept", "")
    return next(
        (form for form in Form if form == asked),
        next((form for form, media_type in MEDIA_TYPES.items() if media_type in accepted), Form.JSON),
    )


def answer_list(
    request: Request[Any, Any, Any],
    browse: Browsable[Query],
    actor: Actor,
    query: Query,
    columns: tuple[str, ...],
    house: House,
) -> Any:
    """The page that was asked for; with ``?format=`` or ``Accept`` the whole filtered list as CSV or XLSX.

    Whoever names a language gets its words above the columns of a CSV, programs that name none the fields' own names.
    """
    match form_of(request):
        case Form.CSV:
            language = language_of(request) if "accept-language" in request.headers else None
            lines = csv_lines(browse.every(actor, query), columns, actor, language)
            return Stream(_told_when_cut_off(lines), headers=file_headers(Form.CSV))
        case Form.XLSX:
            items = browse.every(actor, query)
            return answer_file(list_workbook(items, columns, actor, language_of(request), house), Form.XLSX)
        case _:
            return browse.page(actor, query)


def answer_file(file: IO[bytes], form: Form) -> Stream:
    """The file, piece by piece; it goes when it is sent."""
    return Stream(_pieces(file), headers=file_headers(form))


def file_headers(form: Form) -> dict[str, str]:
    """What every answer says that is to be saved as a file."""
    charset = "; charset=utf-8" if form is Form.CSV else ""
    return {
        "Content-Type": f"{MEDIA_TYPES[form]}{charset}",
        "Content-Disposition": "attachment",
        "Vary": "Accept, Accept-Language",
    }


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while piece := file.read(_PIECE):
            yield piece


def _told_when_cut_off(lines: Iterator[str]) -> Iterator[str]:
    """The lines; where they end too early, a last one that says so: what was sent cannot be taken back."""
    try:
        yield from lines
    except Exception:
        yield CUT_OFF
        raise
