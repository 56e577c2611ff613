"""The answers about recorded details, also to a repeated request."""

from typing import TypeVar, cast

from application.common.idempotency import IdempotencyKey, may_be_entered
from application.common.redaction import redact_for
from application.common.store_errors import DuplicateEntry
from application.sheets.detail_views import DetailView, RecordedDetailsView
from application.sheets.work import Begin
from domain.common.errors import Refused
from domain.common.policy import Actor

Answer = TypeVar("Answer", DetailView, RecordedDetailsView)


def answer_to(actor: Actor, answer: Answer, view_type: type) -> Answer:
    """Return the answer about recorded details, redacted for the actor.

    Warnings tell about other people's details, so a locked session gets none.
    """
    if actor.is_locked:
        cast("dict[str, object]", answer).pop("warnings", None)
    return redact_for(actor, answer, view_type)


def find_replayed_lines(
    begin: Begin, user_id: int, idempotency_key: IdempotencyKey | None, most: int, error: DuplicateEntry | Refused
) -> list[DetailView]:
    """Return the lines that the same request recorded before.

    They are returned as they are now, including voided ones. A repeated request may be refused like a new one, for
    instance because its sheet was closed since, or a product was deleted. If nothing was recorded before, ``error`` is
    raised again. Raise ``Refused`` (idempotency_key.reused) if they were recorded for another body.
    """
    if idempotency_key is None or (isinstance(error, Refused) and not may_be_entered(error)):
        raise error
    digests = [idempotency_key.entry_digest(user_id, place) for place in range(most)]
    with begin() as work:
        if isinstance(error, DuplicateEntry):
            # The other request finished after our lookup, and may have had another body.
            work.idempotency_store.recall(user_id, idempotency_key, dict)
        found = work.views.details.by_ids([detail.id for detail in work.details.find_by_entry_digest(digests)])
    if not found:
        raise error
    return found
