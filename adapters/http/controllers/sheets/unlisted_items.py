"""Routes of unlisted items: used supplies that are not in the catalogue."""

from litestar import Controller, Response
from litestar.params import JSONBody

from adapters.http.authentication import requires
from adapters.http.requests.drafts import draft_dto
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.wire import IdempotencyKeyHeader, PathId, idempotency_key_of, recorded
from adapters.http.routes import Use, delete, get, post
from application.sheets.offline.unlisted_items import (
    DiscardDraft,
    DiscardUnlistedItem,
    ListUnlistedItems,
    NoteUnlistedItem,
    ResolveDraft,
    ResolveUnlistedItem,
    UnlistedItemDraft,
    WithdrawUnlistedItem,
)
from application.sheets.views import UnlistedItemsView, UnlistedItemView


class SheetUnlistedItemController(Controller):
    path = "/api/consumption-sheets/{sheet_id:int}/unlisted-items"
    tags = ("unlisted items",)

    @post(
        guards=[requires(NoteUnlistedItem)],
        dto=draft_dto(UnlistedItemDraft, "description", "quantity"),
        sync_to_thread=True,
    )
    def note_unlisted_item(
        self,
        request: ApiRequest,
        data: JSONBody[UnlistedItemDraft],
        sheet_id: PathId,
        idempotency_key: IdempotencyKeyHeader,
        note_unlisted_item: Use[NoteUnlistedItem],
    ) -> Response[UnlistedItemView]:
        """Note an unlisted item until a supervisor resolves or discards it.

        A closed sheet accepts what was used before its closing.

        It has a ``description`` of 1 to 200 characters and a quantity above 0; the rest is as for a detail, except that
        nothing is too long ago. A sheet accepts 100 open items (unlisted_items.too_many).
        """
        done = note_unlisted_item(
            request.user,
            sheet_id,
            data,
            idempotency_key=idempotency_key_of(request, idempotency_key),
        )
        return recorded(done.answer, f"/api/consumption-sheets/{sheet_id}/unlisted-items", replayed=done.replayed)

    @get(guards=[requires(ListUnlistedItems)], sync_to_thread=True)
    def list_unlisted_items(
        self, request: ApiRequest, sheet_id: PathId, list_unlisted_items: Use[ListUnlistedItems]
    ) -> UnlistedItemsView:
        """List the open unlisted items, 100 at most, by time of use.

        ``GET …/summary``, the printed sheet and, for those open at a closing, the closing list them, too.
        """
        return list_unlisted_items(request.user, sheet_id)


class UnlistedItemController(Controller):
    path = "/api/unlisted-items/{unlisted_item_id:int}"
    tags = ("unlisted items",)

    @post(
        "/resolve",
        guards=[requires(ResolveUnlistedItem)],
        dto=draft_dto(ResolveDraft, "product_id"),
        status_code=200,
        sync_to_thread=True,
    )
    def resolve_unlisted_item(
        self,
        request: ApiRequest,
        data: JSONBody[ResolveDraft],
        unlisted_item_id: PathId,
        resolve_unlisted_item: Use[ResolveUnlistedItem],
    ) -> UnlistedItemView:
        """Record an unlisted item as a detail on its sheet, which must be open.

        The line gets the author of the item and the product's current price; ``detail_id`` is the new detail. The
        caller must acknowledge every question.

        It keeps ``occurred_at``, staff, area, room and quantity. Deciding twice: 422, code unlisted_item.decided.
        """
        return resolve_unlisted_item(request.user, unlisted_item_id, data)

    @post(
        "/discard",
        guards=[requires(DiscardUnlistedItem)],
        dto=draft_dto(DiscardDraft, "reason"),
        status_code=200,
        sync_to_thread=True,
    )
    def discard_unlisted_item(
        self,
        request: ApiRequest,
        data: JSONBody[DiscardDraft],
        unlisted_item_id: PathId,
        discard_unlisted_item: Use[DiscardUnlistedItem],
    ) -> UnlistedItemView:
        """Discard an unlisted item with a reason; also on a closed sheet."""
        return discard_unlisted_item(request.user, unlisted_item_id, data)

    @delete(guards=[requires(WithdrawUnlistedItem)], sync_to_thread=True)
    def withdraw_unlisted_item(
        self, request: ApiRequest, unlisted_item_id: PathId, withdraw_unlisted_item: Use[WithdrawUnlistedItem]
    ) -> None:
        """Withdraw an own item while it is undecided and its sheet is open."""
        withdraw_unlisted_item(request.user, unlisted_item_id)
