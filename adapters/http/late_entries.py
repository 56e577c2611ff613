"""Routes of late entries, which arrive after their sheet was closed."""

from typing import Any

from litestar import Request, Response

from adapters.http.body import JsonBody, request_body_schema
from adapters.http.errors import localize_warnings
from adapters.http.routing import get, post
from adapters.http.wire import DecimalJSONResponse, IdempotencyKeyHeader, PathId, idempotency_key_of
from application.sheets.late_entries import DismissDraft, LateEntryDraft, RecordLateDraft
from application.use_cases import UseCases
from application.views import LateEntriesView, LateEntryView
from domain.errors import Code, Reason, Refused
from domain.policy import Actor, Permission


@post(
    "/api/consumption-sheets/{sheet_id:int}/late-entries",
    operation_id="submitLateEntry",
    may=Permission.ADD_DETAILS,
    operation_class=request_body_schema(
        LateEntryDraft,
        *("items", "items.product_id", "items.quantity", "occurred_at"),
        leaves_out=("items.consumption_sheet_id", "items.total", "items.kit_id", "items.occurred_at"),
    ),
    summary="Keep what arrives after the sheet was closed",
    tags=["late entries"],
)
def keep_late_entry(
    use_cases: UseCases, actor: Actor, body: JsonBody, sheet_id: PathId, idempotency_key: IdempotencyKeyHeader
) -> Response[LateEntryView]:
    """Store 1 to 100 lines that the sheet no longer accepts, for a decision.

    The sheet must be closed, or the use outside the recording window; otherwise 422, code sheet.not_closed.
    Idempotency-Key is required: the key under which the lines could not be recorded.
    """
    promise = idempotency_key_of(idempotency_key, body.fingerprint)
    if promise is None:
        raise Refused(Reason(Code.KEY_INVALID))
    done = use_cases.keep_late_entry(actor, sheet_id, body.read(LateEntryDraft), idempotency_key=promise)
    headers = {"Location": f"/api/consumption-sheets/{sheet_id}/late-entries"}
    if done.replayed:
        headers["Idempotent-Replayed"] = "true"
    return DecimalJSONResponse(done.answer, status_code=201, headers=headers)


@get(
    "/api/consumption-sheets/{sheet_id:int}/late-entries",
    operation_id="listLateEntries",
    may=Permission.MANAGE_LATE_ENTRIES,
    summary="List a sheet's late entries",
    tags=["late entries"],
)
def list_late_entries(
    request: Request[Any, Any, Any], use_cases: UseCases, actor: Actor, sheet_id: PathId
) -> Response[LateEntriesView]:
    """List late entries, undecided first.

    They have `errors` if recording them now would be asked about or refused.
    """
    view = use_cases.list_late_entries(actor, sheet_id)
    for item in view["items"]:
        localize_warnings(request, item)
    return DecimalJSONResponse(view)


@post(
    "/api/late-entries/{late_entry_id:int}/record",
    operation_id="recordLateEntry",
    may=Permission.BACKDATE_DETAILS,
    operation_class=request_body_schema(RecordLateDraft),
    summary="Record a late entry",
    tags=["late entries"],
    status_code=200,
)
def record_late_entry(
    use_cases: UseCases, actor: Actor, body: JsonBody, late_entry_id: PathId
) -> Response[LateEntryView]:
    """Record a late entry on its sheet, which must be open again.

    The line gets the original staff member and the products' current prices. The caller must acknowledge every
    question, even if the author of the entry did so.
    """
    return DecimalJSONResponse(use_cases.record_late_entry(actor, late_entry_id, body.read(RecordLateDraft)))


@post(
    "/api/late-entries/{late_entry_id:int}/dismiss",
    operation_id="dismissLateEntry",
    may=Permission.MANAGE_LATE_ENTRIES,
    operation_class=request_body_schema(DismissDraft, "reason"),
    summary="Dismiss a late entry",
    tags=["late entries"],
    status_code=200,
)
def dismiss_late_entry(
    use_cases: UseCases, actor: Actor, body: JsonBody, late_entry_id: PathId
) -> Response[LateEntryView]:
    """Dismiss a late entry with a reason."""
    return DecimalJSONResponse(use_cases.dismiss_late_entry(actor, late_entry_id, body.read(DismissDraft)))


ROUTES = [keep_late_entry, list_late_entries, record_late_entry, dismiss_late_entry]
