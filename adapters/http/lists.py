"""Lists as they are answered: a page as JSON, or all of it as CSV."""

from collections.abc import Iterator
from typing import Any, Protocol, TypeVar

from litestar import Request
from litestar.response import Stream

from adapters.csv_lines import csv_lines
from application.paging import ListQuery
from domain.policy import Actor

# In both languages: programs keep such files, and people read them later.
CUT_OFF = '\r\n"EXPORTACIÓN INCOMPLETA / INCOMPLETE EXPORT"\r\n'

Query = TypeVar("Query", bound=ListQuery, contravariant=True)


class Browsable(Protocol[Query]):
    """What can be listed by the page and as a whole."""

    def page(self, actor: Actor, query: Query) -> Any: ...

    def every(self, actor: Actor, query: Query) -> Iterator[Any]: ...


def answer_list(
    request: Request[Any, Any, Any], browse: Browsable[Query], actor: Actor, query: Query, columns: tuple[str, ...]
) -> Any:
    """The page that was asked for, or with ``?format=csv`` or ``Accept: text/csv`` the whole filtered list as CSV."""
    as_csv = request.query_params.get("format") == "csv" or "text/csv" in request.headers.get("accept", "")
    if not as_csv:
        return browse.page(actor, query)
    headers = {"Content-Type": "text/csv; charset=utf-8", "Content-Disposition": "attachment"}
    return Stream(_told_when_cut_off(csv_lines(browse.every(actor, query), columns, actor)), headers=headers)


def _told_when_cut_off(lines: Iterator[str]) -> Iterator[str]:
    """The lines; where they end too early, a last one that says so: what was sent cannot be taken back."""
    try:
        yield from lines
    except Exception:
        yield CUT_OFF
        raise
