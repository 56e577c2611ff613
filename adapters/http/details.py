"""Routes of consumption details."""

from dataclasses import replace
from datetime import date
from typing import Annotated, Any

from litestar import Request, Response
from litestar.di import NamedDependency, Provide
from litestar.params import QueryParameter

from adapters.hospital_profile import HospitalProfile
from adapters.http.body import JsonBody, request_body_schema
from adapters.http.errors import language_of, localize_warnings
from adapters.http.lists import list_response
from adapters.http.routing import delete, get, post, put
from adapters.http.wire import (
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
    created_together,
    expected_versions,
    idempotency_key_of,
    paging,
    sort_by,
    versioned,
)
from adapters.i18n import messages
from application.paging import Page
from application.sheets.correct_detail import CorrectionDraft
from application.sheets.detail_draft import DetailDraft
from application.sheets.move_details import MoveDraft
from application.sheets.record_details import DetailsDraft
from application.sheets.return_detail import ReturnDraft
from application.sheets.void_details import VoidDraft
from application.use_cases import UseCases
from application.views import (
    DetailQuery,
    DetailsView,
    DetailView,
    MovedDetailsView,
    RecordedDetailsView,
    Voided,
)
from domain.policy import Actor, Permission

_PATH = "/api/consumption-details"


async def provide_query(
    product_id: FilterId = None,
    staff_id: FilterId = None,
    area_id: FilterId = None,
    since: Annotated[date | None, QueryParameter(name="from", required=False)] = None,
    until: Annotated[date | None, QueryParameter(name="to", required=False)] = None,
    lot: Annotated[str | None, QueryParameter(description="Whatever its case", required=False)] = None,
    serial: Annotated[str | None, QueryParameter(required=False)] = None,
    voided: Annotated[
        Voided | None, QueryParameter(description="Those that were taken back as well, or they alone", required=False)
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
        staff_id=staff_id,
        area_id=area_id,
        since=since,
        until=until,
        lot=lot or None,
        serial=serial or None,
        voided=voided,
    )


@get(
    _PATH,
    operation_id="listDetails",
    may=Permission.READ_SHEETS,
    summary="List details",
    tags=["details"],
    dependencies={"query_of_details": Provide(provide_query)},
)
def list_details(
    request: Request[Any, Any, Any],
    use_cases: UseCases,
    actor: Actor,
    hospital: HospitalProfile,
    query_of_details: NamedDependency[DetailQuery],
    consumption_sheet_id: FilterId = None,
) -> Page[DetailView]:
    """List the details of all sheets, newest first."""
    query = replace(query_of_details, consumption_sheet_id=consumption_sheet_id)
    page: Page[DetailView] = list_response(request, "details", use_cases, actor, query, hospital)
    return page


@get(
    "/api/consumption-sheets/{sheet_id:int}/consumption-details",
    operation_id="listSheetDetails",
    may=Permission.READ_SHEETS,
    summary="List a sheet's details",
    tags=["details"],
    dependencies={"query_of_details": Provide(provide_query)},
)
def list_sheet_details(
    request: Request[Any, Any, Any],
    use_cases: UseCases,
    actor: Actor,
    hospital: HospitalProfile,
    query_of_details: NamedDependency[DetailQuery],
    sheet_id: PathId,
) -> Page[DetailView]:
    """List the details of one sheet, newest first."""
    query = replace(query_of_details, consumption_sheet_id=sheet_id)
    of_sheet = use_cases.list_sheet_details
    page: Page[DetailView] = list_response(request, "details", use_cases, actor, query, hospital, source=of_sheet)
    return page


@post(
    _PATH,
    operation_id="addDetail",
    may=Permission.ADD_DETAILS,
    operation_class=request_body_schema(DetailDraft, "consumption_sheet_id", "product_id", "quantity"),
    summary="Add a detail to the sheet that it names",
    tags=["details"],
)
def add_detail(
    request: Request[Any, Any, Any],
    use_cases: UseCases,
    actor: Actor,
    body: JsonBody,
    idempotency_key: IdempotencyKeyHeader,
) -> Response[DetailView]:
    """Record a detail on the sheet named in the body."""
    done = use_cases.add_detail(
        actor, body.read(DetailDraft), idempotency_key=idempotency_key_of(idempotency_key, body.fingerprint)
    )
    return created(localize_warnings(request, done.answer), _PATH, replayed=done.replayed)


@post(
    "/api/consumption-sheets/{sheet_id:int}/consumption-details",
    operation_id="addSheetDetail",
    may=Permission.ADD_DETAILS,
    operation_class=request_body_schema(DetailDraft, "product_id", "quantity"),
    summary="Add a detail to this sheet",
    tags=["details"],
)
def add_sheet_detail(
    request: Request[Any, Any, Any],
    use_cases: UseCases,
    actor: Actor,
    body: JsonBody,
    sheet_id: PathId,
    idempotency_key: IdempotencyKeyHeader,
) -> Response[DetailView]:
    """Record a detail on the sheet in the path, ignoring any in the body."""
    promise = idempotency_key_of(idempotency_key, body.fingerprint)
    done = use_cases.add_detail(actor, body.read(DetailDraft), sheet_id=sheet_id, idempotency_key=promise)
    return created(localize_warnings(request, done.answer), _PATH, replayed=done.replayed)


@post(
    "/api/consumption-sheets/{sheet_id:int}/consumption-details/several",
    operation_id="recordDetails",
    may=Permission.ADD_DETAILS,
    operation_class=request_body_schema(
        DetailsDraft,
        *("items", "items.product_id", "items.quantity"),
        leaves_out=("items.consumption_sheet_id", "items.total", "items.kit_id"),
    ),
    summary="Add several details to this sheet",
    tags=["details"],
)
def record_details(
    request: Request[Any, Any, Any],
    use_cases: UseCases,
    actor: Actor,
    body: JsonBody,
    sheet_id: PathId,
    idempotency_key: IdempotencyKeyHeader,
) -> Response[RecordedDetailsView]:
    """Record 1 to 100 details at once, all or none.

    Errors name the item: items.3.quantity is the quantity of the fourth.
    """
    promise = idempotency_key_of(idempotency_key, body.fingerprint)
    done = use_cases.record_details(actor, sheet_id, body.read(DetailsDraft), idempotency_key=promise)
    return created_together(localize_warnings(request, done.answer), replayed=done.replayed)


@get(
    "/api/consumption-details/{detail_id:int}",
    operation_id="readDetail",
    may=Permission.READ_SHEETS,
    summary="Read a detail",
    tags=["details"],
)
def read_detail(use_cases: UseCases, actor: Actor, detail_id: PathId) -> Response[DetailView]:
    """Return one detail with its ETag."""
    return versioned(use_cases.details.one(actor, detail_id))


@put(
    "/api/consumption-details/{detail_id:int}",
    operation_id="editDetail",
    may=Permission.EDIT_DETAILS,
    operation_class=request_body_schema(DetailDraft, "product_id", "quantity", leaves_out=("kit_id",)),
    summary="Edit a detail",
    tags=["details"],
)
def edit_detail(
    request: Request[Any, Any, Any],
    use_cases: UseCases,
    actor: Actor,
    body: JsonBody,
    detail_id: PathId,
    if_match: IfMatch,
) -> Response[DetailView]:
    """Update a detail; without a total in the body it is computed."""
    edited = use_cases.edit_detail(actor, detail_id, body.read(DetailDraft), expected_versions(if_match))
    return versioned(localize_warnings(request, edited))


@post(
    f"{_PATH}/{{detail_id:int}}/correct",
    operation_id="correctDetail",
    may=(Permission.ADD_DETAILS, Permission.DELETE_OWN_DETAILS),
    operation_class=request_body_schema(CorrectionDraft, "quantity"),
    summary="Correct a detail's quantity",
    tags=["details"],
)
def correct_detail(
    request: Request[Any, Any, Any],
    use_cases: UseCases,
    actor: Actor,
    body: JsonBody,
    detail_id: PathId,
    if_match: IfMatch,
    idempotency_key: IdempotencyKeyHeader,
) -> Response[DetailView]:
    """Void a detail and record its replacement with another quantity."""
    done = use_cases.correct_detail(
        actor,
        detail_id,
        body.read(CorrectionDraft),
        expected_versions(if_match),
        reason=messages.value(language_of(request), "void_reason.corrected"),
        idempotency_key=idempotency_key_of(idempotency_key, body.fingerprint),
    )
    return created(localize_warnings(request, done.answer), _PATH, replayed=done.replayed)


@delete(
    "/api/consumption-details/{detail_id:int}",
    operation_id="deleteDetail",
    may=Permission.DELETE_OWN_DETAILS,
    summary="Delete a detail",
    tags=["details"],
)
def delete_detail(use_cases: UseCases, actor: Actor, detail_id: PathId, if_match: IfMatch) -> None:
    """Void a detail of an open sheet; voided=include still lists it."""
    use_cases.delete_detail(actor, detail_id, expected_versions(if_match))


@post(
    f"{_PATH}/{{detail_id:int}}/void",
    operation_id="voidDetail",
    may=Permission.DELETE_OWN_DETAILS,
    operation_class=request_body_schema(VoidDraft, "reason", leaves_out=("ids",)),
    summary="Void a detail",
    tags=["details"],
    status_code=200,
)
def void_detail(
    use_cases: UseCases, actor: Actor, body: JsonBody, detail_id: PathId, if_match: IfMatch
) -> Response[DetailView]:
    """Void a detail with a reason: it stays, and no sum counts it."""
    return versioned(use_cases.void_details(actor, detail_id, body.read(VoidDraft), expected_versions(if_match)))


@post(
    f"{_PATH}/void",
    operation_id="voidDetails",
    may=Permission.DELETE_OWN_DETAILS,
    operation_class=request_body_schema(VoidDraft, "ids", "reason"),
    summary="Void several details",
    tags=["details"],
    status_code=200,
)
def void_details(use_cases: UseCases, actor: Actor, body: JsonBody) -> DetailsView:
    """Void up to 100 details of one sheet, all or none."""
    return use_cases.void_details.several(actor, body.read(VoidDraft))


@post(
    "/api/consumption-sheets/{sheet_id:int}/move-details",
    operation_id="moveDetails",
    may=Permission.MOVE_OWN_DETAILS,
    operation_class=request_body_schema(MoveDraft, "detail_ids", "to_sheet_id", "reason"),
    summary="Move details to another sheet",
    tags=["details"],
    status_code=200,
)
def move_details(
    use_cases: UseCases, actor: Actor, body: JsonBody, sheet_id: PathId, if_match: IfMatch
) -> MovedDetailsView:
    """Move up to 100 details to another open sheet, all or none.

    Ward staff may move only their own.
    """
    return use_cases.move_details(actor, sheet_id, body.read(MoveDraft), expected_versions(if_match))


@post(
    f"{_PATH}/{{detail_id:int}}/return",
    operation_id="returnDetail",
    may=Permission.RETURN_DETAILS,
    operation_class=request_body_schema(ReturnDraft, "quantity", "reason"),
    summary="Return what was not used",
    tags=["details"],
    status_code=200,
)
def return_detail(
    use_cases: UseCases,
    actor: Actor,
    body: JsonBody,
    detail_id: PathId,
    if_match: IfMatch,
    idempotency_key: IdempotencyKeyHeader,
) -> Response[DetailView]:
    """Return a part of a detail: quantity and total decrease at its own price."""
    done = use_cases.return_detail(
        actor,
        detail_id,
        body.read(ReturnDraft),
        expected_versions(if_match),
        idempotency_key=idempotency_key_of(idempotency_key, body.fingerprint),
    )
    return versioned(done.answer, headers={"Idempotent-Replayed": "true"} if done.replayed else None)


ROUTES = [
    list_details,
    list_sheet_details,
    add_detail,
    add_sheet_detail,
    record_details,
    read_detail,
    edit_detail,
    correct_detail,
    delete_detail,
    void_detail,
    void_details,
    move_details,
    return_detail,
]
