"""Routes of reports."""

from datetime import date
from typing import IO, Annotated, cast

from litestar import Controller, Response, get, post
from litestar.di import NamedDependency
from litestar.params import QueryParameter

from adapters.documents.lists import CONSUMPTION, Form
from adapters.documents.reconciliation_xlsx import write_reconciliation
from adapters.http.authentication import requires
from adapters.http.controllers.imports import UPLOAD, LeaveOut, detect_file_layout, lines_from
from adapters.http.requests.request import ApiRequest
from adapters.http.requests.upload import Upload, save_upload
from adapters.http.responses.errors import language_of
from adapters.http.responses.files import MEDIA_TYPES, file_response
from adapters.http.responses.lists import list_response
from adapters.http.responses.reconciliation import ReconciliationAnswer, describe_reconciliation
from adapters.http.responses.wire import Cursor, FilterId, Limit, PageNumber, SortBy, paging, sort_by
from adapters.http.workers.fair_queue import LONG_WORK
from application.imports.reading.fields import Noun
from application.imports.reading.table import Choices
from application.reports.reconciliation_views import Reconciliation
from application.reports.report_consumption import ReportConsumption
from application.reports.views import Compare, ConsumptionBy, ConsumptionPage, ConsumptionQuery
from application.sheets.used_for import UsedFor

_Since = Annotated[
    date | None, QueryParameter(name="from", description="First day (default: the file's first day)", required=False)
]
_Until = Annotated[
    date | None, QueryParameter(name="to", description="Last day (default: the file's last day)", required=False)
]


class ReportController(Controller):
    path = "/api/reports"
    tags = ("reports",)

    @get("/consumption", guards=[requires(ReportConsumption.page)])
    async def report_consumption(
        self,
        request: ApiRequest,
        by: Annotated[ConsumptionBy, QueryParameter()] = ConsumptionBy.DAY,
        since: Annotated[
            date | None,
            QueryParameter(name="from", description="First day (default: 29 days before `to`)", required=False),
        ] = None,
        until: Annotated[
            date | None, QueryParameter(name="to", description="Last day (default: today)", required=False)
        ] = None,
        area_id: FilterId = None,
        product_id: FilterId = None,
        returns: Annotated[
            bool, QueryParameter(description="Report returns instead of consumption, at the prices of their lines")
        ] = False,
        used_for: Annotated[
            UsedFor,
            QueryParameter(
                description="For patients, areas or all; `all` adds parts to each row, all but `patients` a value"
            ),
        ] = UsedFor.PATIENTS,
        compare: Annotated[
            Compare | None,
            QueryParameter(
                description="Include totals of the previous period of equal length, or of as many months",
                required=False,
            ),
        ] = None,
        page: PageNumber = None,
        limit: Limit = None,
        sort: SortBy = None,
        cursor: Cursor = None,
    ) -> ConsumptionPage:
        """Add up the consumption of a period.

        Grouping by staff needs the permission to manage staff. As XLSX and PDF it is a formatted report with a chart.
        """
        query = ConsumptionQuery(
            **paging(page, limit, cursor),
            sort=sort_by(sort),
            by=by,
            since=since,
            until=until,
            area_id=area_id,
            product_id=product_id,
            returns=returns,
            used_for=used_for,
            compare=compare,
        )
        return await list_response(request, CONSUMPTION, query, heavy=True)

    @post("/reconciliation", **UPLOAD)
    async def reconcile_handed_out(
        self,
        request: ApiRequest,
        choices: NamedDependency[Choices],
        area_id: FilterId = None,
        since: _Since = None,
        until: _Until = None,
        leave_out: LeaveOut = None,
    ) -> ReconciliationAnswer:
        """Compare a store's file with what was recorded. Nothing is stored.

        ``area_id`` is required if the file has no column for the area. Otherwise it restricts the report to that area.
        """
        upload, language, unwanted = await save_upload(request), language_of(request), lines_from(leave_out)

        def compare() -> ReconciliationAnswer:
            found = _reconcile(request, upload, choices, area_id, since, until, unwanted)
            return describe_reconciliation(found, language)

        return await LONG_WORK.run(request.owner, compare)

    @post("/reconciliation/workbook", **UPLOAD, media_type=MEDIA_TYPES[Form.XLSX])
    async def export_reconciliation(
        self,
        request: ApiRequest,
        choices: NamedDependency[Choices],
        area_id: FilterId = None,
        since: _Since = None,
        until: _Until = None,
        leave_out: LeaveOut = None,
    ) -> Response[bytes]:
        """Return the whole reconciliation as XLSX, with the rows to check."""
        upload, language, unwanted = await save_upload(request), language_of(request), lines_from(leave_out)

        def write() -> IO[bytes]:
            found = _reconcile(request, upload, choices, area_id, since, until, unwanted, exports=True)
            return write_reconciliation(request.hospital, found, language)

        return cast("Response[bytes]", file_response(request, await LONG_WORK.run(request.owner, write), Form.XLSX))


def _reconcile(
    request: ApiRequest,
    upload: Upload,
    choices: Choices,
    area_id: int | None,
    since: date | None,
    until: date | None,
    leave_out: frozenset[int],
    exports: bool = False,
) -> Reconciliation:
    with upload.file:
        _, batch = detect_file_layout(
            request.use_cases, request.user, upload, Noun.HANDED_OUT, choices, accepted=(Noun.HANDED_OUT,)
        )
        return request.use_cases.reports.reconcile_handed_out(
            request.user, batch, area_id=area_id, since=since, until=until, leave_out=leave_out, exports=exports
        )
