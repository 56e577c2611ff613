"""Routes of consumption details."""

from dataclasses import replace
from datetime import date
from typing import Annotated

from litestar import Controller, Response
from litestar.di import NamedDependency, Provide
from litestar.params import JSONBody, QueryParameter

from adapters.documents.lists import DETAILS
from adapters.http.authentication import requires
from adapters.http.requests.drafts import draft_dto
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.errors import language_of, localize_warnings
from adapters.http.responses.lists import list_response
from adapters.http.responses.wire import (
    Cursor,
    FilterId,
    FreeText,
    IdempotencyKeyHeader,
    IfMatch,
    Limit,
    PageNumber,
    PathId,
    SortBy,
    created,
    expected_versions,
    idempotency_key_of,
    paging,
    recorded,
    sort_by,
    versioned,
)
from adapters.http.routes import Use, delete, get, post, put
from adapters.i18n import messages
from application.common.paging import InvalidQuery, Page
from application.sheets.detail_access import ListDetails
from application.sheets.detail_views import (
    DetailQuery,
    DetailsView,
    DetailView,
    MovedDetailsView,
    RecordedDetailsView,
    Voided,
)
from application.sheets.lines.add_detail import AddDetail
from application.sheets.lines.correct_detail import CorrectDetail, CorrectionDraft
from application.sheets.lines.delete_detail import DeleteDetail
from application.sheets.lines.detail_draft import DetailDraft
from application.sheets.lines.edit_detail import EditDetail
from application.sheets.lines.list_sheet_details import ListSheetDetails
from application.sheets.lines.mark_waste import MarkWaste, UnmarkWaste, WasteDraft
from application.sheets.lines.move_details import MoveDetails, MoveDraft
from application.sheets.lines.record_details import DetailsDraft, RecordDetails
from application.sheets.lines.return_detail import ReturnDetail, ReturnDraft
from application.sheets.lines.void_details import VoidDetails, VoidDraft
from application.sheets.used_for import UsedFor
from domain.hospital.use_reason import UseReason
from domain.ward.shift import MAX_SHIFTS, Shift

_PATH = "/api/consumption-details"


async def provide_query(
    request: ApiRequest,
    product_id: FilterId = None,
    category_id: FilterId = None,
    staff_id: FilterId = None,
    area_id: FilterId = None,
    room_id: FilterId = None,
    patient_id: FilterId = None,
    shift: Annotated[
        int | None,
        QueryParameter(
            description="Number of the shift in the settings, from 0",
            ge=0,
            lt=MAX_SHIFTS,
            required=False,
        ),
    ] = None,
    since: Annotated[date | None, QueryParameter(name="from", required=False)] = None,
    until: Annotated[date | None, QueryParameter(name="to", required=False)] = None,
    lot: Annotated[str | None, QueryParameter(description="Lot number, ignoring case", required=False)] = None,
    serial: Annotated[str | None, QueryParameter(required=False)] = None,
    form_id: FilterId = None,
    used_for: Annotated[
        UsedFor | None,
        QueryParameter(
            description="Lines for patients, areas or all (default: patients; of one sheet or recall: all)",
            required=False,
        ),
    ] = None,
    use_reason: Annotated[
        UseReason | None,
        QueryParameter(description="Reason for which the supply was not used for treatment", required=False),
    ] = None,
    voided: Annotated[
        Voided | None, QueryParameter(description="Include voided lines, or return only them", required=False)
    ] = None,
    page: PageNumber = None,
    limit: Limit = None,
    sort: SortBy = None,
    q: FreeText = None,
    cursor: Cursor = None,
) -> DetailQuery:
    """Provide the parameters of both lists of details."""
    return DetailQuery(
        **paging(page, limit, cursor),
        sort=sort_by(sort),
        q=q,
        product_id=product_id,
        category_id=category_id,
        staff_id=staff_id,
        area_id=area_id,
        room_id=room_id,
        patient_id=patient_id,
        shift=_shift(request, shift),
        since=since,
        until=until,
        lot=lot or None,
        serial=serial or None,
        form_id=form_id,
        used_for=used_for,
        use_reason=use_reason,
        voided=voided,
    )


def _shift(request: ApiRequest, number: int | None) -> Shift | None:
    shifts = list(request.hospital.shifts)
    if number is not None and number >= len(shifts):
        raise InvalidQuery("shift")
    return None if number is None else shifts[number]


class DetailController(Controller):
    path = _PATH
    tags = ("details",)

    @get(guards=[requires(ListDetails)], dependencies={"query_of_details": Provide(provide_query)})
    async def list_details(
        self, request: ApiRequest, query_of_details: NamedDependency[DetailQuery], consumption_sheet_id: FilterId = None
    ) -> Page[DetailView]:
        """List the details of all sheets, newest first."""
        query = replace(query_of_details, consumption_sheet_id=consumption_sheet_id)
        return await list_response(request, DETAILS, query)

    @post(
        guards=[requires(AddDetail)],
        dto=draft_dto(DetailDraft, "consumption_sheet_id", "product_id", "quantity"),
        sync_to_thread=True,
    )
    def add_detail(
        self,
        request: ApiRequest,
        data: JSONBody[DetailDraft],
        idempotency_key: IdempotencyKeyHeader,
        add_detail: Use[AddDetail],
    ) -> Response[DetailView]:
        """Record a detail on the sheet named in the body.

        ``input_method`` is scan or text: whether the client found the product by its code or by its name. It is in no
        answer; with a ``scan`` it counts as scanned.
        """
        done = add_detail(request.user, data, idempotency_key=idempotency_key_of(request, idempotency_key))
        return created(localize_warnings(request, done.answer), _PATH, replayed=done.replayed)

    @get("/{detail_id:int}", guards=[requires(ListDetails)], sync_to_thread=True)
    def read_detail(
        self, request: ApiRequest, detail_id: PathId, list_details: Use[ListDetails]
    ) -> Response[DetailView]:
        """Return one detail with its ETag."""
        return versioned(list_details.one(request.user, detail_id))

    @put(
        "/{detail_id:int}",
        guards=[requires(EditDetail)],
        dto=draft_dto(DetailDraft, "product_id", "quantity", leaves_out=("kit_id", "input_method")),
        sync_to_thread=True,
    )
    def edit_detail(
        self,
        request: ApiRequest,
        data: JSONBody[DetailDraft],
        detail_id: PathId,
        if_match: IfMatch,
        edit_detail: Use[EditDetail],
    ) -> Response[DetailView]:
        """Update a detail; without a total in the body it is computed."""
        edited = edit_detail(request.user, detail_id, data, expected_versions(if_match))
        return versioned(localize_warnings(request, edited))

    @post(
        "/{detail_id:int}/correct",
        guards=[requires(CorrectDetail)],
        dto=draft_dto(CorrectionDraft, "quantity"),
        sync_to_thread=True,
    )
    def correct_detail(
        self,
        request: ApiRequest,
        data: JSONBody[CorrectionDraft],
        detail_id: PathId,
        if_match: IfMatch,
        idempotency_key: IdempotencyKeyHeader,
        correct_detail: Use[CorrectDetail],
    ) -> Response[DetailView]:
        """Void a detail and record its replacement with another quantity.

        The answer is the new detail. A quantity of 0 (quantity.zero) and the same quantity (quantity.same) are refused;
        all checks of a quantity apply. The reason of the voided detail is *Cantidad corregida*, or *Quantity corrected*
        in English.
        """
        done = correct_detail(
            request.user,
            detail_id,
            data,
            expected_versions(if_match),
            reason=messages.value(language_of(request), "void_reason.corrected"),
            idempotency_key=idempotency_key_of(request, idempotency_key),
        )
        return created(localize_warnings(request, done.answer), _PATH, replayed=done.replayed)

    @delete("/{detail_id:int}", guards=[requires(DeleteDetail)], sync_to_thread=True)
    def delete_detail(
        self, request: ApiRequest, detail_id: PathId, if_match: IfMatch, delete_detail: Use[DeleteDetail]
    ) -> None:
        """Void a detail of an open sheet; voided=include still lists it."""
        delete_detail(request.user, detail_id, expected_versions(if_match))

    @post(
        "/{detail_id:int}/void",
        guards=[requires(VoidDetails)],
        dto=draft_dto(VoidDraft, "reason", leaves_out=("ids",)),
        status_code=200,
        sync_to_thread=True,
    )
    def void_detail(
        self,
        request: ApiRequest,
        data: JSONBody[VoidDraft],
        detail_id: PathId,
        if_match: IfMatch,
        void_details: Use[VoidDetails],
    ) -> Response[DetailView]:
        """Void a detail with a reason: it stays, and no sum counts it."""
        return versioned(void_details(request.user, detail_id, data, expected_versions(if_match)))

    @post(
        "/void",
        guards=[requires(VoidDetails.several)],
        dto=draft_dto(VoidDraft, "ids", "reason"),
        status_code=200,
        sync_to_thread=True,
    )
    def void_details(
        self, request: ApiRequest, data: JSONBody[VoidDraft], void_details: Use[VoidDetails]
    ) -> DetailsView:
        """Void up to 100 details of one sheet, all or none."""
        return void_details.several(request.user, data)

    @post(
        "/{detail_id:int}/return",
        guards=[requires(ReturnDetail)],
        dto=draft_dto(ReturnDraft, "quantity", "reason"),
        status_code=200,
        sync_to_thread=True,
    )
    def return_detail(
        self,
        request: ApiRequest,
        data: JSONBody[ReturnDraft],
        detail_id: PathId,
        if_match: IfMatch,
        idempotency_key: IdempotencyKeyHeader,
        return_detail: Use[ReturnDetail],
    ) -> Response[DetailView]:
        """Return a part of a detail: quantity and total decrease at its own price.

        ``reason`` is unused, defective or wrong_item. More than there is: 422, code return.too_much; a part of a piece
        with a serial number: serial.quantity. If the total was set by hand, users who see prices send the new ``total``
        (return.total_needed); others are refused (return.for_supervision).
        """
        done = return_detail(
            request.user,
            detail_id,
            data,
            expected_versions(if_match),
            idempotency_key=idempotency_key_of(request, idempotency_key),
        )
        return versioned(done.answer, replayed=done.replayed)

    @post(
        "/{detail_id:int}/waste",
        guards=[requires(MarkWaste)],
        dto=draft_dto(WasteDraft, "quantity", "use_reason"),
        status_code=200,
        sync_to_thread=True,
    )
    def mark_waste(
        self,
        request: ApiRequest,
        data: JSONBody[WasteDraft],
        detail_id: PathId,
        if_match: IfMatch,
        idempotency_key: IdempotencyKeyHeader,
        mark_waste: Use[MarkWaste],
    ) -> Response[DetailsView]:
        """Mark a detail as thrown away; a part of it becomes a detail of its own.

        ``items`` are the detail, and the part as a detail of its own. 422: waste.too_much, waste.marked, and
        for a part waste.total_set, if the total was set by hand, and serial.quantity, if it has a serial number.

        A wasted implant is on no card. In FHIR the ``ChargeItem`` has the reason, the ``Device`` is ``inactive`` and
        the ``DeviceUseStatement`` ``entered-in-error``.
        """
        done = mark_waste(
            request.user,
            detail_id,
            data,
            expected_versions(if_match),
            idempotency_key=idempotency_key_of(request, idempotency_key),
        )
        return versioned(done.answer, replayed=done.replayed)

    @delete("/{detail_id:int}/waste", guards=[requires(UnmarkWaste)], status_code=200, sync_to_thread=True)
    def unmark_waste(
        self, request: ApiRequest, detail_id: PathId, if_match: IfMatch, unmark_waste: Use[UnmarkWaste]
    ) -> Response[DetailView]:
        """Take back that a detail was thrown away.

        A part stays a detail of its own. 422, code waste.none, if it is not marked.
        """
        return versioned(unmark_waste(request.user, detail_id, expected_versions(if_match)))


class SheetDetailController(Controller):
    path = "/api/consumption-sheets/{sheet_id:int}"
    tags = ("details",)

    @get(
        "/consumption-details",
        guards=[requires(ListDetails)],
        dependencies={"query_of_details": Provide(provide_query)},
    )
    async def list_sheet_details(
        self,
        request: ApiRequest,
        query_of_details: NamedDependency[DetailQuery],
        sheet_id: PathId,
        list_sheet_details: Use[ListSheetDetails],
    ) -> Page[DetailView]:
        """List the details of one sheet, newest first."""
        query = replace(query_of_details, consumption_sheet_id=sheet_id)
        of_sheet = list_sheet_details
        return await list_response(request, DETAILS, query, source=of_sheet)

    @post(
        "/consumption-details",
        guards=[requires(AddDetail)],
        dto=draft_dto(DetailDraft, "product_id", "quantity"),
        sync_to_thread=True,
    )
    def add_sheet_detail(
        self,
        request: ApiRequest,
        data: JSONBody[DetailDraft],
        sheet_id: PathId,
        idempotency_key: IdempotencyKeyHeader,
        add_detail: Use[AddDetail],
    ) -> Response[DetailView]:
        """Record a detail on the sheet in the path, ignoring any in the body."""
        promise = idempotency_key_of(request, idempotency_key)
        done = add_detail(request.user, data, sheet_id=sheet_id, idempotency_key=promise)
        return created(localize_warnings(request, done.answer), _PATH, replayed=done.replayed)

    @post(
        "/consumption-details/several",
        guards=[requires(RecordDetails)],
        dto=draft_dto(
            DetailsDraft,
            *("items", "items.product_id", "items.quantity"),
            leaves_out=("items.consumption_sheet_id", "items.total", "items.kit_id"),
        ),
        sync_to_thread=True,
    )
    def record_details(
        self,
        request: ApiRequest,
        data: JSONBody[DetailsDraft],
        sheet_id: PathId,
        idempotency_key: IdempotencyKeyHeader,
        record_details: Use[RecordDetails],
    ) -> Response[RecordedDetailsView]:
        """Record 1 to 100 details at once, all or none.

        Errors name the item: items.3.quantity is the quantity of the fourth.
        """
        promise = idempotency_key_of(request, idempotency_key)
        done = record_details(request.user, sheet_id, data, idempotency_key=promise)
        return recorded(localize_warnings(request, done.answer), replayed=done.replayed)

    @post(
        "/move-details",
        guards=[requires(MoveDetails)],
        dto=draft_dto(MoveDraft, "detail_ids", "to_sheet_id", "reason"),
        status_code=200,
        sync_to_thread=True,
    )
    def move_details(
        self,
        request: ApiRequest,
        data: JSONBody[MoveDraft],
        sheet_id: PathId,
        if_match: IfMatch,
        move_details: Use[MoveDetails],
    ) -> MovedDetailsView:
        """Move up to 100 details to another open sheet, all or none.

        Ward staff may move only their own.

        The answer has ``moved``, and ``from`` and ``to`` with ``version`` and ``total`` of both sheets. Refused are
        closed sheets (sheet.closed, target.closed), the same sheet (target.same), details that are not on the sheet
        (reference.gone), and a use before the other admission (moment.before_admission at ``to_sheet_id``, a question
        for roles 2 and 10). ``use_reason`` is for lines that move to the page of an area.
        """
        return move_details(request.user, sheet_id, data, expected_versions(if_match))
