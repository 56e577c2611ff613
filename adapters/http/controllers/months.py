"""Routes of closed months."""

from functools import partial
from typing import Annotated, Any

from litestar import Controller, Response
from litestar.openapi import ResponseSpec
from litestar.params import JSONBody, QueryParameter

from adapters.documents.lists import Form
from adapters.documents.month_xlsx import month_workbook
from adapters.documents.pdf.month import month_pdf
from adapters.http.authentication import requires
from adapters.http.requests.drafts import draft_dto
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.errors import language_of
from adapters.http.responses.files import MEDIA_TYPES, document_response
from adapters.http.responses.wire import (
    DecimalJSONResponse,
    FilterId,
    IfNoneMatch,
    PathId,
    created,
    tagged,
)
from adapters.http.routes import Use, get, post
from adapters.http.workers.fair_queue import HEAVY_WORK
from application.reports.month_views import MonthsView, MonthView, PrintedMonthView
from application.reports.months import CloseMonth, ExportMonth, ListMonths, MonthDraft, ReadMonth

_PATH = "/api/months"


class MonthController(Controller):
    path = _PATH
    tags = ("months",)

    @get(guards=[requires(ListMonths)], sync_to_thread=True)
    def list_months(
        self,
        request: ApiRequest,
        list_months: Use[ListMonths],
        area_id: FilterId = None,
        before: Annotated[
            str | None, QueryParameter(description="Only months before this one, such as 2026-10", required=False)
        ] = None,
    ) -> MonthsView:
        """List the latest 24 months of an area or of the hospital, closed or not.

        Each has its last version, ``total``, number and total of the ``changes`` since, and ``may_close``. A malformed
        ``before`` is a 400.
        """
        return list_months(request.user, area_id, before)

    @post(guards=[requires(CloseMonth)], dto=draft_dto(MonthDraft, "month", "turn"))
    async def close_month(
        self, request: ApiRequest, data: JSONBody[MonthDraft], close_month: Use[CloseMonth]
    ) -> Response[MonthView]:
        """Close a month of an area or of the hospital: freeze its figures.

        Lines of the month can still be changed; what changes is listed beside the figures. `turn` is the version that
        this makes: 1, or one more than the last. If another user made it meanwhile: 422, code month.closed, with `by`.

        ``month`` is like 2026-10; without ``area_id`` all areas are meant. A month before 01:00 of the first day after
        it is refused (month.not_over), and so is one that nothing changed since its last version (month.unchanged). A
        month without lines is closed.
        """
        view = await HEAVY_WORK.run(request.owner, partial(close_month, request.user, data))
        return created(view, _PATH)

    @get(
        "/{month_id:int}",
        guards=[requires(ReadMonth)],
        responses={200: ResponseSpec(MonthView, description="The month with its ETag")},
        sync_to_thread=True,
    )
    def read_month(
        self, request: ApiRequest, month_id: PathId, read_month: Use[ReadMonth], if_none_match: IfNoneMatch = None
    ) -> Response[Any]:
        """Return a closed month as it was frozen, and what changed since.

        304 if the client has this version. `made_here` are changes of earlier months that were made in this month.

        ``sums`` are those of treatment, area and wasted; ``products``, ``areas``, ``categories`` and ``days`` come by
        value, under the names that they had. ``accounts`` is what closed and open sheets of patients have of it, and
        what of it was charged (null if no messages go to billing). ``changes`` are what changed of the month since:
        each with line, sheet, ``kind`` (recorded, edited, voided, returned, corrected, moved, wasted, imported,
        deleted) and signed figures. The frozen figures and these changes add up to the report of today. Both lists have
        ``count``, ``total`` and the first 1,000 ``items``.
        """
        answer = DecimalJSONResponse(read_month(request.user, month_id))
        return tagged(answer.render(answer.content, "application/json"), "application/json", if_none_match)

    @get("/{month_id:int}/pdf", guards=[requires(ExportMonth)], media_type="application/pdf")
    async def print_month(self, request: ApiRequest, month_id: PathId) -> Response[bytes]:
        """Return a closed month with the changes since as a PDF."""
        return await HEAVY_WORK.run(request.owner, partial(_print, request, month_id))

    @get("/{month_id:int}/xlsx", guards=[requires(ExportMonth)], media_type=MEDIA_TYPES[Form.XLSX])
    async def export_month(self, request: ApiRequest, month_id: PathId) -> Response[bytes]:
        """Return a closed month with the changes since as a workbook."""
        return await HEAVY_WORK.run(request.owner, partial(_export, request, month_id))


def _name(view: PrintedMonthView) -> str:
    """Return the name of the file, such as month-2026-10-118."""
    return f"month-{view['month']['month']}-{view['month']['id']}"


def _print(request: ApiRequest, month_id: int) -> Response[bytes]:
    view = request.use_cases.reports.export_month(request.user, month_id)
    printed = month_pdf(request.hospital, view, language_of(request))
    return document_response(printed, f"{_name(view)}.pdf", is_shown=True)


def _export(request: ApiRequest, month_id: int) -> Response[bytes]:
    view = request.use_cases.reports.export_month(request.user, month_id)
    with month_workbook(request.hospital, view, language_of(request)) as file:
        return document_response(file.read(), f"{_name(view)}.xlsx", form=Form.XLSX)
