"""List responses: a page of JSON, or the whole list as a file."""

from collections.abc import Iterator
from functools import partial
from typing import Any, TypeVar, cast

from litestar import Request
from litestar.concurrency import sync_to_thread
from litestar.response import Stream

from adapters.documents.lists import Export, ExportedList, Form, ListSource
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.errors import language_of
from adapters.http.responses.files import MEDIA_TYPES, file_headers, file_response
from adapters.http.workers.fair_queue import HEAVY_WORK
from adapters.i18n import messages
from adapters.i18n.catalogue import LANGUAGES
from application.common.paging import ListQuery

Query = TypeVar("Query", bound=ListQuery)
Answer = TypeVar("Answer")

# In every language: programs store such files, and people read them later.
INCOMPLETE_MARKER = '\r\n"{}"\r\n'.format(
    " / ".join(messages.pdf(language, "incomplete_export") for language in LANGUAGES)
)

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


async def list_response(
    request: ApiRequest,
    listed: ExportedList[Query, Answer],
    query: Query,
    *,
    source: ListSource[Query, Answer] | None = None,
    heavy: bool = False,
) -> Answer:
    """Return the requested page, or the whole filtered list as a file.

    ``source`` replaces the list's own source. ``heavy`` pages wait in the queue of heavy work, as all files do. CSV
    column titles are in the requested language; without ``Accept-Language`` they are the field names, for programs.
    """
    form, language = requested_format(request), language_of(request)
    export = Export(
        use_cases=request.use_cases,
        actor=request.user,
        query=query,
        language=language,
        hospital=request.hospital,
        source=source,
    )
    if form not in listed.forms:
        page = partial(listed.page, export)
        return await (HEAVY_WORK.run(request.owner, page) if heavy else sync_to_thread(page))
    if form is Form.CSV:
        headings = language if "accept-language" in request.headers else None
        lines = await HEAVY_WORK.run(request.owner, partial(listed.csv, export, headings))
        file = Stream(HEAVY_WORK.stream(request.owner, _mark_if_truncated(lines)), headers=file_headers(form))
    else:
        file = file_response(request, await HEAVY_WORK.run(request.owner, partial(listed.file, form, export)), form)
    # Litestar sends any response as it is; the declared type is that of the page, for the OpenAPI document.
    return cast("Answer", file)


def _mark_if_truncated(lines: Iterator[str]) -> Iterator[str]:
    """Yield the lines, plus a marker at the end if they break off early.

    Lines that were sent already cannot be withdrawn.
    """
    try:
        yield from lines
    except Exception:
        yield INCOMPLETE_MARKER
        raise
