"""What recording a detail begins with."""

from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from application.ports.idempotency import IdempotencyKey
from application.ports.stores import References, ReferredIds, SheetSince
from domain.sheet import Sheet

if TYPE_CHECKING:
    from application.ports.unit_of_work import UnitOfWork

Answer = TypeVar("Answer")

NOTHING_FOUND = References(None, None, None, None)


class RecordingRequest(NamedTuple, Generic[Answer]):
    """What has to be known before a detail can be recorded.

    ``shape`` is the kind of answer that may have been kept under the key; ``sheet_id`` is 0 where no sheet is named.
    """

    user_id: int
    idempotency_key: IdempotencyKey | None
    shape: type[Answer]
    sheet_id: int
    refers_to: ReferredIds
    since: SheetSince | None


class RecordingContext(NamedTuple, Generic[Answer]):
    """The answer that was kept, and then nothing else; or the sheet, locked, and what the detail refers to.

    ``detail_id`` is reserved for the detail where that takes no look of its own.
    """

    answer: Answer | None
    sheet: Sheet | None = None
    found: References = NOTHING_FOUND
    detail_id: int | None = None


def begin_recording_sequentially(work: "UnitOfWork", asked: RecordingRequest[Answer]) -> RecordingContext[Answer]:
    """Each in its turn, as it is done wherever a look costs nothing."""
    if asked.idempotency_key:
        kept = work.idempotency_store.recall(asked.user_id, asked.idempotency_key, asked.shape)
        if kept is not None:
            return RecordingContext(kept)
    sheet = work.sheets.lock(asked.sheet_id) if asked.sheet_id else None
    found = work.details.references(**asked.refers_to._asdict(), since=asked.since)
    return RecordingContext(None, sheet, found)
