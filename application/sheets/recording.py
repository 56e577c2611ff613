"""The data needed to record details."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from application.common.idempotency import IdempotencyKey
from application.sheets.stores import References, ReferredIds, SheetSince
from domain.sheets.sheet import Sheet

if TYPE_CHECKING:
    from application.sheets.work import UnitOfWork

Answer = TypeVar("Answer")


class RecordingRequest(NamedTuple, Generic[Answer]):
    """A request for the data that recording details needs.

    ``shape`` is the type of a stored answer with the same idempotency key. ``sheet_id`` is 0 if the request has none.
    """

    user_id: int
    idempotency_key: IdempotencyKey | None
    shape: type[Answer]
    sheet_id: int
    refers_to: Sequence[ReferredIds]
    since: SheetSince | None


class RecordingContext(NamedTuple, Generic[Answer]):
    """The stored answer alone, or the locked sheet and the references.

    ``detail_id`` is an id reserved for a single detail, if that needs no query of its own.
    """

    answer: Answer | None
    sheet: Sheet | None = None
    found: Sequence[References] = ()
    detail_id: int = 0


def begin_recording_sequentially(work: "UnitOfWork", asked: RecordingRequest[Answer]) -> RecordingContext[Answer]:
    """Read the data one by one, for stores where a query costs nothing."""
    if asked.idempotency_key:
        kept = work.idempotency_store.recall(asked.user_id, asked.idempotency_key, asked.shape)
        if kept is not None:
            return RecordingContext(kept)
    sheet = work.sheets.lock(asked.sheet_id) if asked.sheet_id else None
    found = work.details.references(asked.refers_to, since=asked.since)
    return RecordingContext(None, sheet, found)
