"""Routes of unlisted items: used supplies that are not in the catalogue."""

from litestar import Response

from adapters.http.body import JsonBody, request_body_schema
from adapters.http.routing import delete, get, post
from adapters.http.wire import DecimalJSONResponse, IdempotencyKeyHeader, PathId, idempotency_key_of
from application.sheets.unlisted_items import DiscardDraft, ResolveDraft, UnlistedItemDraft
from application.use_cases import UseCases
from application.views import UnlistedItemsView, UnlistedItemView
from domain.policy import Actor, Permission


@post(
    "/api/consumption-sheets/{sheet_id:int}/unlisted-items",
    operation_id="noteUnlistedItem",
    may=Permission.ADD_DETAILS,
    operation_class=request_body_schema(UnlistedItemDraft, "description", "quantity"),
    summary="Note an unlisted item",
    tags=["unlisted items"],
)
def note_unlisted_item(
    use_cases: UseCases, actor: Actor, body: JsonBody, sheet_id: PathId, idempotency_key: IdempotencyKeyHeader
) -> Response[UnlistedItemView]:
    """Note an unlisted item until a supervisor resolves or discards it.

    A closed sheet accepts what was used before its closing.
    """
    done = use_cases.note_unlisted_item(
        actor,
        sheet_id,
        body.read(UnlistedItemDraft),
        idempotency_key=idempotency_key_of(idempotency_key, body.fingerprint),
    )
    headers = {"Location": f"/api/consumption-sheets/{sheet_id}/unlisted-items"}
    if done.replayed:
        headers["Idempotent-Replayed"] = "true"
    return DecimalJSONResponse(done.answer, status_code=201, headers=headers)


@get(
    "/api/consumption-sheets/{sheet_id:int}/unlisted-items",
    operation_id="listUnlistedItems",
    may=Permission.READ_SHEETS,
    summary="List a sheet's open unlisted items",
    tags=["unlisted items"],
)
def list_unlisted_items(use_cases: UseCases, actor: Actor, sheet_id: PathId) -> Response[UnlistedItemsView]:
    """List the open unlisted items, 100 at most, by time of use."""
    return DecimalJSONResponse(use_cases.list_unlisted_items(actor, sheet_id))


@post(
    "/api/unlisted-items/{unlisted_item_id:int}/resolve",
    operation_id="resolveUnlistedItem",
    may=Permission.BACKDATE_DETAILS,
    operation_class=request_body_schema(ResolveDraft, "product_id"),
    summary="Say which product an unlisted item is",
    tags=["unlisted items"],
    status_code=200,
)
def resolve_unlisted_item(
    use_cases: UseCases, actor: Actor, body: JsonBody, unlisted_item_id: PathId
) -> Response[UnlistedItemView]:
    """Record an unlisted item as a detail on its sheet, which must be open.

    The line gets the author of the item and the product's current price; ``detail_id`` is the new detail. The caller
    must acknowledge every question.
    """
    return DecimalJSONResponse(use_cases.resolve_unlisted_item(actor, unlisted_item_id, body.read(ResolveDraft)))


@post(
    "/api/unlisted-items/{unlisted_item_id:int}/discard",
    operation_id="discardUnlistedItem",
    may=Permission.MANAGE_LATE_ENTRIES,
    operation_class=request_body_schema(DiscardDraft, "reason"),
    summary="Discard an unlisted item",
    tags=["unlisted items"],
    status_code=200,
)
def discard_unlisted_item(
    use_cases: UseCases, actor: Actor, body: JsonBody, unlisted_item_id: PathId
) -> Response[UnlistedItemView]:
    """Discard an unlisted item with a reason; also on a closed sheet."""
    return DecimalJSONResponse(use_cases.discard_unlisted_item(actor, unlisted_item_id, body.read(DiscardDraft)))


@delete(
    "/api/unlisted-items/{unlisted_item_id:int}",
    operation_id="withdrawUnlistedItem",
    may=Permission.ADD_DETAILS,
    summary="Take back an unlisted item",
    tags=["unlisted items"],
)
def withdraw_unlisted_item(use_cases: UseCases, actor: Actor, unlisted_item_id: PathId) -> None:
    """Withdraw an own item while it is undecided and its sheet is open."""
    use_cases.withdraw_unlisted_item(actor, unlisted_item_id)


ROUTES = [
    note_unlisted_item,
    list_unlisted_items,
    resolve_unlisted_item,
    discard_unlisted_item,
    withdraw_unlisted_item,
]
