"""Routes of implants: their register, and the patient's card."""

from datetime import date
from functools import partial
from typing import Annotated

from litestar import Controller, Response, get
from litestar.params import QueryParameter

from adapters.documents.lists import IMPLANTS
from adapters.documents.pdf.implant_card import implant_card_pdf
from adapters.http.authentication import requires
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.errors import language_of
from adapters.http.responses.files import document_response
from adapters.http.responses.lists import list_response
from adapters.http.responses.statuses import UnprocessableException
from adapters.http.responses.wire import Cursor, FilterId, FreeText, Limit, PageNumber, PathId, SortBy, paging, sort_by
from adapters.http.workers.fair_queue import HEAVY_WORK
from application.common.paging import Page
from application.sheets.detail_access import ListImplantLines
from application.sheets.detail_views import DetailQuery
from application.sheets.implant_views import ImplantView
from application.sheets.implants import PrintImplantCard


class ImplantController(Controller):
    path = "/api/implants"
    tags = ("implants",)

    @get(guards=[requires(ListImplantLines)])
    async def list_implants(
        self,
        request: ApiRequest,
        product_id: FilterId = None,
        patient_id: FilterId = None,
        since: Annotated[date | None, QueryParameter(name="from", required=False)] = None,
        until: Annotated[date | None, QueryParameter(name="to", required=False)] = None,
        lot: Annotated[str | None, QueryParameter(description="Lot number, ignoring case", required=False)] = None,
        serial: Annotated[str | None, QueryParameter(required=False)] = None,
        incomplete: Annotated[
            bool | None, QueryParameter(description="true: only lines without lot or serial number", required=False)
        ] = None,
        page: PageNumber = None,
        limit: Limit = None,
        sort: SortBy = None,
        q: FreeText = None,
        cursor: Cursor = None,
    ) -> Page[ImplantView]:
        """List the implants of all patients, newest first, without prices.

        ``q`` searches products. Every call is noted in the audit log.

        ``udi`` is the text as people read it, ``missing`` is lot_and_serial, lot_only, serial_only or null. A wasted
        implant has its ``use_reason``. No role gets prices.
        """
        query = DetailQuery(
            **paging(page, limit, cursor),
            sort=sort_by(sort),
            q=q,
            product_id=product_id,
            patient_id=patient_id,
            since=since,
            until=until,
            lot=lot or None,
            serial=serial or None,
            incomplete=incomplete,
        )
        return await list_response(request, IMPLANTS, query)


class ImplantCardController(Controller):
    path = "/api/consumption-sheets/{sheet_id:int}/implant-card"
    tags = ("implants",)

    @get(guards=[requires(PrintImplantCard)], media_type="application/pdf", raises=[UnprocessableException])
    async def print_implant_card(self, request: ApiRequest, sheet_id: PathId) -> Response[bytes]:
        """Return the patient's card of implants as a PDF, without prices.

        It has what the last closing froze. An open sheet is a 422, and so is a closing without implants.

        The codes are sheet.not_closed and implants.none. The history of the sheet has sheet.implants_printed.
        """
        return await HEAVY_WORK.run(request.owner, partial(_print, request, sheet_id))


def _print(request: ApiRequest, sheet_id: int) -> Response[bytes]:
    card = request.use_cases.implants.print_card(request.user, sheet_id)
    printed = implant_card_pdf(request.hospital, card, language_of(request))
    return document_response(printed, f"{sheet_id}-implants.pdf")
