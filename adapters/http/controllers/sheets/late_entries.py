"""Routes of late entries, which arrive after their sheet was closed."""

from litestar import Controller, Response
from litestar.params import JSONBody

from adapters.http.authentication import requires
from adapters.http.requests.drafts import draft_dto
from adapters.http.requests.request import ApiRequest
from adapters.http.responses.errors import localize_warnings
from adapters.http.responses.wire import IdempotencyKeyHeader, PathId, idempotency_key_of, recorded
from adapters.http.routes import Use, get, post
from application.sheets.offline.late_entries import (
    DismissDraft,
    DismissLateEntry,
    LateEntryDraft,
    ListLateEntries,
    RecordLateDraft,
    RecordLateEntry,
    SubmitLateEntry,
)
from application.sheets.views import LateEntriesView, LateEntryView
from domain.common.errors import Code, Reason, Refused


class SheetLateEntryController(Controller):
    path = "/api/consumption-sheets/{sheet_id:int}/late-entries"
    tags = ("late entries",)

    @post(
        guards=[requires(SubmitLateEntry)],
        dto=draft_dto(
            LateEntryDraft,
            *("items", "items.product_id", "items.quantity", "occurred_at"),
            leaves_out=(
                *("items.consumption_sheet_id", "items.total", "items.kit_id", "items.occurred_at"),
                "items.input_method",
            ),
        ),
        sync_to_thread=True,
    )
    def submit_late_entry(
        self,
        request: ApiRequest,
        data: JSONBody[LateEntryDraft],
        sheet_id: PathId,
        idempotency_key: IdempotencyKeyHeader,
        submit_late_entry: Use[SubmitLateEntry],
    ) -> Response[LateEntryView]:
        """Store 1 to 100 lines that the sheet no longer accepts, for a decision.

        The sheet must be closed, or the use outside the recording window; otherwise 422, code sheet.not_closed.
        Idempotency-Key is required: the key under which the lines could not be recorded.

        It is always the same entry for that key. Only its shape is validated. What was recorded under the key is a 422,
        late_entry.entered.
        """
        promise = idempotency_key_of(request, idempotency_key)
        if promise is None:
            raise Refused(Reason(Code.KEY_INVALID))
        done = submit_late_entry(request.user, sheet_id, data, idempotency_key=promise)
        return recorded(done.answer, f"/api/consumption-sheets/{sheet_id}/late-entries", replayed=done.replayed)

    @get(guards=[requires(ListLateEntries)], sync_to_thread=True)
    def list_late_entries(
        self, request: ApiRequest, sheet_id: PathId, list_late_entries: Use[ListLateEntries]
    ) -> LateEntriesView:
        """List late entries, undecided first.

        They have `errors` if recording them now would be asked about or refused.
        """
        view = list_late_entries(request.user, sheet_id)
        for item in view["items"]:
            localize_warnings(request, item)
        return view


class LateEntryController(Controller):
    path = "/api/late-entries/{late_entry_id:int}"
    tags = ("late entries",)

    @post(
        "/record",
        guards=[requires(RecordLateEntry)],
        dto=draft_dto(RecordLateDraft),
        status_code=200,
        sync_to_thread=True,
    )
    def record_late_entry(
        self,
        request: ApiRequest,
        data: JSONBody[RecordLateDraft],
        late_entry_id: PathId,
        record_late_entry: Use[RecordLateEntry],
    ) -> LateEntryView:
        """Record a late entry on its sheet, which must be open again.

        The line gets the original staff member and the products' current prices. The caller must acknowledge every
        question, even if the author of the entry did so.

        All of it is recorded or, with the reasons, nothing; deciding twice is a 422, late_entry.decided. A
        ``recall_reason`` and an ``implant_reason`` in the body take the place of those of the author.
        """
        return record_late_entry(request.user, late_entry_id, data)

    @post(
        "/dismiss",
        guards=[requires(DismissLateEntry)],
        dto=draft_dto(DismissDraft, "reason"),
        status_code=200,
        sync_to_thread=True,
    )
    def dismiss_late_entry(
        self,
        request: ApiRequest,
        data: JSONBody[DismissDraft],
        late_entry_id: PathId,
        dismiss_late_entry: Use[DismissLateEntry],
    ) -> LateEntryView:
        """Dismiss a late entry with a reason."""
        return dismiss_late_entry(request.user, late_entry_id, data)
