"""The data needed to record a detail."""

from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from application.common.idempotency import IdempotencyKey
from application.sheets.stores import References, ReferredIds, SheetSince
from domain.sheets.sheet import Sheet

if TYPE_CHECKING:
    from application.sheets.work import UnitOfWork

Answer = TypeVar("Answer")

NOTHING_FOUND = References(None, None, None, None)


class RecordingRequest(NamedTuple, Generic[Answer]):
    """A request for the data that recording a detail needs.

    ``shape`` is the type of a stored answer with the same idempotency key. ``sheet_id`` is 0 if the request has none.
    """

    user_id: int
    idempotency_key: IdempotencyKey | None
    shape: type[Answer]
    sheet_id: int
    refers_to: ReferredIds
    since: SheetSince | None


class RecordingContext(NamedTuple, Generic[Answer]):
    """The stored answer alone, or the locked sheet and the references.

    ``detail_id`` is an id reserved for the detail, if that needs no query of its own.
    """

    answer: Answer | None
    sheet: Sheet | None = None
    found: References = NOTHING_FOUND
    detail_id: int | None = None


def begin_recording_sequentially(work: "UnitOfWork", asked: RecordingRequest[Answer]) -> RecordingContext[Answer]:
    """Read the data one by one, for stores where a query costs nothing."""
    if asked.idempotency_key:
        kept = work.idempotency_store.recall(asked.user_id, asked.idempotency_key, asked.shape)
        if kept is not None:
            return RecordingContext(kept)
    sheet = work.sheets.lock(asked.sheet_id) if asked.sheet_id else None
    found = work.details.references(**asked.refers_to._asdict(), since=asked.since)
    return RecordingContext(None, sheet, found)
