"""Add a consumption detail."""

from dataclasses import dataclass

from application.common.idempotency import IdempotencyKey, Replayable
from application.common.use_case import permitted
from application.sheets.detail_views import DetailView
from application.sheets.lines.detail_draft import DetailDraft
from application.sheets.lines.recorder import Recorder, Recording
from domain.common.policy import Actor, Permission
from domain.common.validation import Validator


@dataclass(frozen=True, slots=True)
class AddDetail(Recorder):
    """Record what a patient consumed, at the product's current price.

    ``sheet_id`` is the sheet in the request's path (``NotFound`` if it does not exist). Without it the draft has one.
    """

    @permitted(Permission.ADD_DETAILS)
    def __call__(
        self,
        actor: Actor,
        draft: DetailDraft,
        *,
        sheet_id: int | None = None,
        idempotency_key: IdempotencyKey | None = None,
    ) -> Replayable[DetailView]:
        checks, sheet_field = Validator(draft.parse_errors), None
        if sheet_id is None:
            sheet_field = "consumption_sheet_id"
            sheet_id = checks.required_id(sheet_field, draft.consumption_sheet_id)
        recording = Recording(sheet_id=sheet_id, items=[draft], errors=checks.reasons, sheet_field=sheet_field)
        return self.record_once(actor, recording, idempotency_key, DetailView, lambda views: views[0])
