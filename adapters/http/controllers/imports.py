"""Routes of imports: read a file, check it, import it.

The server stores nothing between requests. Each request has the file and all choices, so any server can answer it.
"""

import io
from collections.abc import Callable, Collection
from functools import partial
from itertools import islice
from tempfile import TemporaryFile
from typing import IO, Annotated, Any, cast

from litestar import Controller, Response
from litestar.di import NamedDependency, Provide
from litestar.params import QueryParameter

from adapters.documents.lists import IMPORTS, Form
from adapters.documents.refused_rows import RefusedRows
from adapters.http.authentication import requires
from adapters.http.requests.request import ApiRequest
from adapters.http.requests.upload import STREAMED, FileUploadOperation, Upload, save_upload
from adapters.http.responses.errors import language_of
from adapters.http.responses.file_reading import LikelyReading, describe_layout
from adapters.http.responses.files import file_response
from adapters.http.responses.import_report import (
    ImportLine,
    ImportProgress,
    ImportReport,
    ListedRows,
    RowListing,
    UndoLine,
    WhichRows,
)
from adapters.http.responses.lists import list_response
from adapters.http.responses.progress_stream import LINES, ProgressStream, stream_progress
from adapters.http.responses.wire import AskedList, DecimalJSONResponse, PathId, provide_list
from adapters.http.routes import Use, get, post
from adapters.http.workers.fair_queue import LONG_WORK
from application.audit.views import ImportView
from application.common.paging import InvalidQuery, ListQuery, Page
from application.imports.batch import Batch
from application.imports.import_rows import ImportRows
from application.imports.list_imports import ListImports
from application.imports.read_file import ReadFile
from application.imports.reading.columns import FIELD_SETS, IMPORTABLE
from application.imports.reading.dates import DateOrder
from application.imports.reading.fields import Noun
from application.imports.reading.layout import FileLayout
from application.imports.reading.numbers import DecimalMark
from application.imports.reading.table import Choices, Encoding, Separator
from application.imports.report import ImportDecision, Listener, Report, lines_named
from application.imports.undo_import import UndoImport
from application.use_cases import UseCases
from domain.common.policy import Actor
from domain.common.text import is_storable

_SAMPLE_ROWS = 20
_MAX_FILE_NAME_LENGTH = 255


async def provide_choices(
    encoding: Annotated[Encoding | None, QueryParameter(required=False)] = None,
    separator: Annotated[Separator | None, QueryParameter(required=False)] = None,
    sheet: Annotated[str | None, QueryParameter(description="Sheet of a workbook", required=False)] = None,
    header_row: Annotated[
        int | None,
        QueryParameter(ge=0, le=2**31, description="Line with the column names; 0: no such line", required=False),
    ] = None,
    decimal: Annotated[
        DecimalMark | None,
        QueryParameter(description="Decimal mark: with `point`, 1.234 is a fraction", required=False),
    ] = None,
    dates: Annotated[
        DateOrder | None,
        QueryParameter(description="Order of dates: with `day-first`, 03/04/2026 is in April", required=False),
    ] = None,
    mapping: Annotated[
        list[str] | None,
        QueryParameter(
            description="Column mapping `field=column`, repeatable; an empty column ignores the field", required=False
        ),
    ] = None,
) -> Choices:
    """Provide the user's choices of the layout; the rest is detected."""
    columns = dict(_pair(pair) for pair in mapping or ())
    return Choices(
        encoding=encoding,
        separator=separator,
        sheet=sheet,
        header_row=header_row,
        decimal=decimal,
        dates=dates,
        mapping=columns,
    )


def _pair(text: str) -> tuple[str, str]:
    name, equals, column = text.partition("=")
    if not equals or not name:
        raise InvalidQuery("mapping")
    return name, column


FileName = Annotated[str, QueryParameter(name="file_name", description="File name to show")]
AsNoun = Annotated[Noun, QueryParameter(description="Kind of records")]

LeaveOut = Annotated[str | None, QueryParameter(description="Line numbers to skip, such as 12,15-20", required=False)]


def lines_from(text: str | None) -> frozenset[int]:
    """Parse line numbers; raise ``InvalidQuery`` for any other text."""
    try:
        return lines_named(text or "")
    except ValueError:
        raise InvalidQuery("leave_out") from None


Rows = Annotated[WhichRows, QueryParameter(description="`all`: stream one result per row before the summary")]


UPLOAD: dict[str, Any] = {
    "guards": [requires(ImportRows)],
    "operation_class": FileUploadOperation,
    "status_code": 200,
    "dependencies": {"choices": Provide(provide_choices)},
    **STREAMED,
}


def detect_file_layout(
    use_cases: UseCases,
    actor: Actor,
    upload: Upload,
    noun: Noun,
    choices: Choices,
    file_name: str = "",
    accepted: Collection[Noun] = IMPORTABLE,
) -> tuple[FileLayout, Batch]:
    """Detect the file's layout, or raise ``InvalidQuery``.

    Then the noun is not accepted, or a field of the mapping is unknown.
    """
    if noun not in accepted:
        raise InvalidQuery("noun")
    if any(FIELD_SETS[noun].field(name) is None for name in choices.mapping):
        raise InvalidQuery("mapping")
    return use_cases.imports.read_file(actor, upload.path, noun, choices, file_name=file_name)


class ImportController(Controller):
    path = "/api/imports"
    tags = ("imports",)

    @post("/read", **UPLOAD)
    async def read_file(
        self,
        request: ApiRequest,
        choices: NamedDependency[Choices],
        read_file: Use[ReadFile],
        noun: Annotated[
            Noun | None, QueryParameter(description="Kind of records (default: detected)", required=False)
        ] = None,
    ) -> LikelyReading:
        """Detect noun and layout, with all open questions. Nothing is stored."""
        upload, language = await save_upload(request), language_of(request)

        def read() -> LikelyReading:
            with upload.file:
                nouns = [noun] if noun else read_file.nouns(request.user, upload.path, choices)
                wanted = next(iter(nouns), None)
                if wanted is None:
                    return LikelyReading(nouns=nouns, reading=None)
                how, batch = detect_file_layout(
                    request.use_cases, request.user, upload, wanted, choices, accepted=tuple(Noun)
                )
                sample = list(islice(batch.rows(), _SAMPLE_ROWS))
                return LikelyReading(nouns=nouns, reading=describe_layout(how, sample, language))

        return await LONG_WORK.run(request.owner, read)

    @post("/check", **UPLOAD, media_type=LINES)
    async def check_import(
        self,
        request: ApiRequest,
        choices: NamedDependency[Choices],
        noun: AsNoun,
        import_rows: Use[ImportRows],
        rows: Rows = WhichRows.FIRST,
        leave_out: LeaveOut = None,
    ) -> Response[ImportLine]:
        """Report what each row would do (dry run). Nothing is stored."""
        check = partial(import_rows.check, request.user, leave_out=lines_from(leave_out))
        return await _stream_report(request, choices, noun, rows, check)

    @post(**UPLOAD, media_type=LINES)
    async def import_file(
        self,
        request: ApiRequest,
        choices: NamedDependency[Choices],
        noun: AsNoun,
        file_name: FileName,
        import_rows: Use[ImportRows],
        rows: Rows = WhichRows.FIRST,
        leave_out: LeaveOut = None,
        good_rows: Annotated[bool, QueryParameter(description="Import valid rows even if others are rejected")] = False,
        confirmed: Annotated[
            str, QueryParameter(description="Warnings of the preview that the user has confirmed")
        ] = "",
    ) -> Response[ImportLine]:
        """Import the whole file or nothing.

        Importing the same file again changes nothing, so a client may retry after a lost response.
        """
        name = file_name.strip()[:_MAX_FILE_NAME_LENGTH]
        if not name or not is_storable(name):
            raise InvalidQuery("file_name")
        decision = ImportDecision(good_rows=good_rows, confirmed=confirmed, leave_out=lines_from(leave_out))
        bring_in = partial(import_rows, request.user, decision=decision)
        return await _stream_report(request, choices, noun, rows, bring_in, name)

    @post("/refused-rows", **UPLOAD, media_type="text/csv")
    async def list_refused_rows(
        self,
        request: ApiRequest,
        choices: NamedDependency[Choices],
        noun: AsNoun,
        import_rows: Use[ImportRows],
        rows: Annotated[
            ListedRows, QueryParameter(description="Rows to list: `refused` or `warned`")
        ] = ListedRows.REFUSED,
        leave_out: LeaveOut = None,
    ) -> Response[str]:
        """Return refused or warned rows as CSV, to be corrected and sent again.

        The rows are as in the file, with an additional column for the messages.
        """
        unwanted = lines_from(leave_out)
        upload, language = await save_upload(request), language_of(request)

        def write() -> IO[bytes]:
            with upload.file:
                _, batch = detect_file_layout(request.use_cases, request.user, upload, noun, choices)
                # On disk: all rows of the file may be refused.
                file = TemporaryFile()  # noqa: SIM115 - closed when it is sent
                text = io.TextIOWrapper(file, "utf-8", newline="")
                listed = RowListing(RefusedRows(text, batch.columns, language, rows.column), rows)
                import_rows.check(request.user, batch, listed, leave_out=unwanted)
                text.detach()
                file.seek(0)
                return file

        return cast("Response[str]", file_response(request, await LONG_WORK.run(request.owner, write), Form.CSV))

    @get(guards=[requires(ListImports)], dependencies={"asked": Provide(provide_list)})
    async def list_imports(self, request: ApiRequest, asked: NamedDependency[AskedList]) -> Page[ImportView]:
        """List imports, newest first."""
        return await list_response(request, IMPORTS, ListQuery(**asked))

    @get("/{import_id:int}", guards=[requires(ListImports)], sync_to_thread=True)
    def read_import(self, request: ApiRequest, import_id: PathId, list_imports: Use[ListImports]) -> ImportView:
        """Read an import."""
        return list_imports.one(request.user, import_id)

    @post("/{import_id:int}/undo", guards=[requires(UndoImport)], status_code=200)
    async def undo_import(
        self, request: ApiRequest, import_id: PathId, list_imports: Use[ListImports], undo_import: Use[UndoImport]
    ) -> Response[ImportView]:
        """Undo an import; 422 if something depends on it.

        With ``Accept: application/x-ndjson`` the progress is streamed (``done`` of ``total``). The last line has the
        ``import``, or the problem as ``error``.
        """

        def undo(on_progress: Callable[[int, int], None] = lambda _done, _total: None) -> ImportView:
            undo_import(request.user, import_id, on_progress)
            return list_imports.changed(request.user, import_id)

        def undo_with_progress(stream: ProgressStream) -> ImportView:
            return undo(lambda done, total: stream.send_line(UndoLine(done=done, total=total)))

        if LINES in request.headers.get("accept", ""):
            return cast(
                "Response[ImportView]",
                await stream_progress(request, undo_with_progress, last="import"),
            )
        return DecimalJSONResponse(await LONG_WORK.run(request.owner, undo))


async def _stream_report(
    request: ApiRequest,
    choices: Choices,
    noun: Noun,
    which: WhichRows,
    work: Callable[[Batch, Listener], Report],
    file_name: str = "",
) -> Response[ImportLine]:
    """Run the work on the file's rows and stream its progress."""
    upload, language = await save_upload(request), language_of(request)

    def read_and_work(stream: ProgressStream) -> ImportReport:
        with upload.file:
            stream.must_be_connected()
            _, batch = detect_file_layout(request.use_cases, request.user, upload, noun, choices, file_name)
            rows = ImportProgress.of(batch, stream, which, language)
            return rows.end(work(batch, rows))

    return cast("Response[ImportLine]", await stream_progress(request, read_and_work, last="report"))
