"""Routes of consumption sheets."""

from datetime import date
from typing import Annotated, Any

from litestar import Request, Response
from litestar.openapi import ResponseSpec
from litestar.params import QueryParameter

from adapters.documents.pdf.sheet import sheet_pdf
from adapters.hospital_profile import HospitalProfile
from adapters.http.body import JsonBody, request_body_schema
from adapters.http.errors import language_of
from adapters.http.lists import list_response
from adapters.http.routing import delete, get, post, put
from adapters.http.wire import (
    Cursor,
    DecimalJSONResponse,
    FilterId,
    FreeText,
    IdempotencyKeyHeader,
    IfMatch,
    IfNoneMatch,
    Limit,
    PageNumber,
    PathCount,
    PathId,
    SortBy,
    created,
    expected_versions,
    idempotency_key_of,
    not_modified,
    paging,
    parse_etags,
    sort_by,
    versioned,
)
from application.sheets.reopen_sheet import ReopenDraft
from application.sheets.sheet_draft import SheetDraft
from application.sheets.transfer_patient import TransferDraft
from application.use_cases import UseCases
from application.views import (
    ClosingsView,
    RepeatableView,
    SheetPage,
    SheetQuery,
    SheetSummaryView,
    SheetVersionView,
    SheetView,
    UsualProductsView,
    WholeSheetView,
)
from domain.policy import Actor, Permission

_TAKES_SHEET = request_body_schema(SheetDraft, "patient_id", "room_id", "admission_date")


@get(
    "/api/consumption-sheets",
    operation_id="listSheets",
    may=Permission.READ_SHEETS,
    summary="List sheets",
    tags=["sheets"],
)
def list_sheets(
    request: Request[Any, Any, Any],
    use_cases: UseCases,
    actor: Actor,
    hospital: HospitalProfile,
    closed: Annotated[bool, QueryParameter()] = False,
    patient_id: FilterId = None,
    room_id: FilterId = None,
    area_id: FilterId = None,
    since: Annotated[date | None, QueryParameter(name="from", required=False)] = None,
    until: Annotated[date | None, QueryParameter(name="to", required=False)] = None,
    page: PageNumber = None,
    limit: Limit = None,
    sort: SortBy = None,
    q: FreeText = None,
    cursor: Cursor = None,
) -> SheetPage:
    """List open sheets, newest admission first, or closed ones.

    With closed=true the latest closing comes first. A search finds people and rooms: an exact room first, then an exact
    number. ``exact`` is the unambiguous match. If no open sheet matches, ``nearest`` has those of people with similar
    names.
    """
    query = SheetQuery(
        **paging(page, limit, cursor),
        sort=sort_by(sort),
        q=q,
        closed=closed,
        patient_id=patient_id,
        room_id=room_id,
        area_id=area_id,
        since=since,
        until=until,
    )
    found: SheetPage = list_response(request, "sheets", use_cases, actor, query, hospital)
    return found


@post(
    "/api/consumption-sheets",
    operation_id="openSheet",
    may=Permission.OPEN_SHEETS,
    operation_class=_TAKES_SHEET,
    summary="Open a sheet",
    tags=["sheets"],
)
def open_sheet(
    use_cases: UseCases,
    actor: Actor,
    body: JsonBody,
    idempotency_key: IdempotencyKeyHeader,
) -> Response[SheetView]:
    done = use_cases.open_sheet(actor, body.read(SheetDraft), idempotency_key_of(idempotency_key, body.fingerprint))
    return created(done.answer, "/api/consumption-sheets", replayed=done.replayed)


@get(
    "/api/consumption-sheets/{sheet_id:int}",
    operation_id="readSheet",
    may=Permission.READ_SHEETS,
    summary="Read a sheet",
    tags=["sheets"],
)
def read_sheet(
    use_cases: UseCases,
    actor: Actor,
    sheet_id: PathId,
    if_none_match: IfNoneMatch = None,
) -> Response[SheetView]:
    """Return a sheet with its ETag; 304 if the caller has this version."""
    if if_none_match is not None:
        version = use_cases.read_sheet_version(actor, sheet_id)
        if version in parse_etags(if_none_match):
            return not_modified(version)
    return versioned(use_cases.sheets.one(actor, sheet_id))


@get(
    "/api/consumption-sheets/{sheet_id:int}/version",
    operation_id="readSheetVersion",
    may=Permission.READ_SHEETS,
    summary="Look whether a sheet has changed",
    tags=["sheets"],
    responses={204: ResponseSpec(None, description="The caller has it already: it is still at that version")},
)
def read_sheet_version(
    use_cases: UseCases,
    actor: Actor,
    sheet_id: PathId,
    known: Annotated[
        int | None, QueryParameter(name="version", description="The one that the caller has", required=False)
    ] = None,
) -> Response[SheetVersionView]:
    """Return the sheet's version; 204 if the caller has it.

    This makes polling a sheet cheap.
    """
    version = use_cases.read_sheet_version(actor, sheet_id)
    if version == known:
        return Response[Any](None, status_code=204)
    return DecimalJSONResponse(SheetVersionView(version=version))


@get(
    "/api/consumption-sheets/{sheet_id:int}/summary",
    operation_id="summarizeSheet",
    may=Permission.READ_SHEETS,
    summary="Summarize a sheet",
    tags=["sheets"],
)
def summarize_sheet(use_cases: UseCases, actor: Actor, sheet_id: PathId) -> Response[SheetSummaryView]:
    """Preview what closing freezes.

    The preview has the totals by day and category, and the lines without quantity or price.
    """
    return versioned(use_cases.summarize_sheet(actor, sheet_id))


@get(
    "/api/consumption-sheets/{sheet_id:int}/pdf",
    operation_id="printSheet",
    may=Permission.READ_SHEETS,
    summary="Print a sheet",
    heavy=True,
    tags=["sheets"],
    media_type="application/pdf",
)
def print_sheet(
    request: Request[Any, Any, Any],
    use_cases: UseCases,
    actor: Actor,
    hospital: HospitalProfile,
    sheet_id: PathId,
) -> Response[bytes]:
    """Return the sheet as a PDF with lines, totals and places to sign.

    Lines are grouped by day and category. A closed sheet is printed as its closing froze it.
    """
    printed = sheet_pdf(hospital, use_cases.print_sheet(actor, sheet_id), language_of(request))
    headers = {"Content-Disposition": f'attachment; filename="{sheet_id}.pdf"', "Vary": "Accept-Language"}
    return Response(printed, media_type="application/pdf", headers=headers)


@get(
    "/api/consumption-sheets/{sheet_id:int}/closings",
    operation_id="listClosings",
    may=Permission.READ_SHEETS,
    summary="List the closings of a sheet",
    tags=["sheets"],
)
def list_closings(use_cases: UseCases, actor: Actor, sheet_id: PathId) -> Response[ClosingsView]:
    """List the sheet's closings, oldest first, with user, time and total."""
    return DecimalJSONResponse(use_cases.list_closings(actor, sheet_id))


@get(
    "/api/consumption-sheets/{sheet_id:int}/closings/{turn:int}",
    operation_id="readClosing",
    may=Permission.READ_SHEETS,
    summary="Read what a closing froze",
    tags=["sheets"],
)
def read_closing(use_cases: UseCases, actor: Actor, sheet_id: PathId, turn: PathCount) -> Response[WholeSheetView]:
    """Return the sheet as that closing froze it, by day and category."""
    return DecimalJSONResponse(use_cases.read_closing(actor, sheet_id, turn))


@get(
    "/api/consumption-sheets/{sheet_id:int}/closings/{turn:int}/pdf",
    operation_id="printClosing",
    may=Permission.READ_SHEETS,
    summary="Print what a closing froze",
    heavy=True,
    tags=["sheets"],
    media_type="application/pdf",
)
def print_closing(
    request: Request[Any, Any, Any],
    use_cases: UseCases,
    actor: Actor,
    hospital: HospitalProfile,
    sheet_id: PathId,
    turn: PathCount,
) -> Response[bytes]:
    """Print the sheet as that closing froze it.

    Later renames and lines have no effect.
    """
    printed = sheet_pdf(hospital, use_cases.print_sheet(actor, sheet_id, turn), language_of(request))
    headers = {"Content-Disposition": f'attachment; filename="{sheet_id}-{turn}.pdf"', "Vary": "Accept-Language"}
    return Response(printed, media_type="application/pdf", headers=headers)


@get(
    "/api/consumption-sheets/{sheet_id:int}/usual-products",
    operation_id="listUsualProducts",
    may=Permission.ADD_DETAILS,
    summary="List the usual products",
    tags=["sheets"],
)
def list_usual_products(use_cases: UseCases, actor: Actor, sheet_id: PathId) -> UsualProductsView:
    """List up to 12 active usual products.

    The order is: the caller's pinned products (6 at most), those the caller recorded last, then those the sheet's area
    uses most at present. ``pinned`` marks the pinned ones.
    """
    return use_cases.list_usual_products(actor, sheet_id)


@get(
    "/api/consumption-sheets/{sheet_id:int}/repeatable",
    operation_id="listRepeatable",
    may=Permission.ADD_DETAILS,
    summary="List lines that can be repeated",
    tags=["sheets"],
)
def list_repeatable(
    use_cases: UseCases,
    actor: Actor,
    sheet_id: PathId,
    day: Annotated[date | None, QueryParameter(required=False)] = None,
    from_sheet: FilterId = None,
) -> Response[RepeatableView]:
    """List by product what was recorded on a day or on another sheet.

    The default is the last day that has lines. Nothing is recorded. A call for another sheet is noted in both
    histories.
    """
    return DecimalJSONResponse(use_cases.list_repeatable(actor, sheet_id, day=day, from_sheet=from_sheet))


@put(
    "/api/consumption-sheets/{sheet_id:int}",
    operation_id="updateSheet",
    may=Permission.EDIT_SHEETS,
    operation_class=_TAKES_SHEET,
    summary="Update a sheet",
    tags=["sheets"],
)
def update_sheet(
    use_cases: UseCases,
    actor: Actor,
    body: JsonBody,
    sheet_id: PathId,
    if_match: IfMatch,
) -> Response[SheetView]:
    """Update the admission data."""
    return versioned(use_cases.update_sheet(actor, sheet_id, body.read(SheetDraft), expected_versions(if_match)))


@post(
    "/api/consumption-sheets/{sheet_id:int}/transfer",
    operation_id="transferPatient",
    may=Permission.EDIT_SHEETS,
    operation_class=request_body_schema(TransferDraft, "room_id"),
    summary="Transfer the patient to another room",
    tags=["sheets"],
    status_code=200,
)
def transfer_patient(
    use_cases: UseCases, actor: Actor, body: JsonBody, sheet_id: PathId, if_match: IfMatch
) -> Response[SheetView]:
    """Transfer the patient to another room, now or at the time ``at``.

    The present stay ends and another begins. To correct a room that was wrong from the beginning, update the sheet.
    """
    draft, expected = body.read(TransferDraft), expected_versions(if_match)
    return versioned(use_cases.transfer_patient(actor, sheet_id, draft, expected))


@delete(
    "/api/consumption-sheets/{sheet_id:int}/stays/last",
    operation_id="undoTransfer",
    may=Permission.DELETE_OPEN_SHEETS,
    summary="Undo the last transfer",
    tags=["sheets"],
    status_code=200,
)
def undo_transfer(use_cases: UseCases, actor: Actor, sheet_id: PathId, if_match: IfMatch) -> Response[SheetView]:
    """Undo the last transfer: the patient stays in the previous room."""
    return versioned(use_cases.undo_transfer(actor, sheet_id, expected_versions(if_match)))


@delete(
    "/api/consumption-sheets/{sheet_id:int}",
    operation_id="deleteSheet",
    may=Permission.DELETE_EMPTY_SHEETS,
    summary="Delete a sheet for good",
    tags=["sheets"],
)
def delete_sheet(use_cases: UseCases, actor: Actor, sheet_id: PathId, if_match: IfMatch) -> None:
    """Delete a sheet and its details permanently."""
    use_cases.delete_sheet(actor, sheet_id, expected_versions(if_match))


@delete(
    "/api/consumption-sheets/{sheet_id:int}/close",
    operation_id="closeSheet",
    may=Permission.CLOSE_SHEETS,
    summary="Close a sheet",
    tags=["sheets"],
    status_code=200,
)
def close_sheet(
    use_cases: UseCases,
    actor: Actor,
    sheet_id: PathId,
    if_match: IfMatch,
    acknowledged: Annotated[str | None, QueryParameter(required=False)] = None,
) -> Response[SheetView]:
    """Close a sheet: the patient's account is final.

    Open unlisted items need an acknowledgement: 422, code unlisted_items.open, unless ``acknowledged`` names that code.
    """
    codes = (acknowledged or "").split(",")
    return versioned(use_cases.close_sheet(actor, sheet_id, expected_versions(if_match), acknowledged=codes))


@post(
    "/api/consumption-sheets/{sheet_id:int}/reopen",
    operation_id="reopenSheet",
    may=Permission.REOPEN_SHEETS,
    operation_class=request_body_schema(ReopenDraft, "reason"),
    summary="Reopen a closed sheet",
    tags=["sheets"],
    status_code=200,
)
def reopen_sheet(use_cases: UseCases, actor: Actor, body: JsonBody, sheet_id: PathId) -> Response[SheetView]:
    """Reopen a closed sheet, with a reason."""
    return versioned(use_cases.reopen_sheet(actor, sheet_id, body.read(ReopenDraft)))


ROUTES = [
    list_sheets,
    open_sheet,
    read_sheet,
    read_sheet_version,
    summarize_sheet,
    print_sheet,
    list_closings,
    read_closing,
    print_closing,
    list_usual_products,
    list_repeatable,
    update_sheet,
    transfer_patient,
    undo_transfer,
    delete_sheet,
    close_sheet,
    reopen_sheet,
]
