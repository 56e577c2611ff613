"""Record several consumption details at once, such as those of a kit."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from application.common.draft import Draft
from application.common.idempotency import IdempotencyKey, Replayable
from application.common.use_case import permitted
from application.sheets.detail_views import DetailView, RecordedDetailsView, WarningView
from application.sheets.lines.detail_draft import DetailDraft
from application.sheets.lines.recorder import Recorder, Recording
from application.sheets.several_details import MAX_BATCH_SIZE
from domain.common.errors import Code
from domain.common.policy import Actor, Permission
from domain.common.validation import Validator


@dataclass(frozen=True, slots=True, kw_only=True)
class DetailsDraft(Draft):
    """The form for recording several details, usually those of a kit.

    Each line has what the user saw and chose.
    """

    items: tuple[DetailDraft, ...] | None = None
    kit_id: int | None = None

    def on_sheet(self, sheet_id: int) -> Recording:
        """Return the recording of the lines on a sheet."""
        checks = Validator(self.parse_errors)
        items = [replace(item, kit_id=self.kit_id) for item in self.items or ()]
        if not items:
            checks.add_error(Code.REQUIRED, "items")
        elif len(items) > MAX_BATCH_SIZE:
            checks.add_error(Code.ITEMS_TOO_MANY, "items", most=MAX_BATCH_SIZE)
        if any(reason.field == "items" for reason in checks.reasons):
            items = []
        return Recording(sheet_id=sheet_id, items=items, errors=checks.reasons, field="items.{}")


@dataclass(frozen=True, slots=True)
class RecordDetails(Recorder):
    """Record up to ``MAX_BATCH_SIZE`` details on a sheet, all or none."""

    @permitted(Permission.ADD_DETAILS)
    def __call__(
        self, actor: Actor, sheet_id: int, draft: DetailsDraft, *, idempotency_key: IdempotencyKey | None = None
    ) -> Replayable[RecordedDetailsView]:
        return self.record_once(
            actor, draft.on_sheet(sheet_id), idempotency_key, RecordedDetailsView, recorded_details_view
        )


def recorded_details_view(views: Sequence[DetailView]) -> RecordedDetailsView:
    """Return the details, with the warnings by position."""
    items = list(views)
    warnings: list[WarningView] = [
        {**warning, "field": f"items.{place}"}
        for place, view in enumerate(items)
        for warning in view.pop("warnings", ())
    ]
    return RecordedDetailsView(items=items, warnings=warnings) if warnings else RecordedDetailsView(items=items)
