"""Idempotency: results of requests that may be sent twice."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Generic, NamedTuple, Protocol, TypeVar

from application.common.clock import Clock
from domain.common.errors import Code, Refused

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class IdempotencyKey:
    """A client's key that identifies a request, even if it is sent twice.

    ``fingerprint`` shows whether two requests with the same key really are the same.
    """

    key: str
    fingerprint: str

    def entry_digest(self, user_id: int, place: int = 0) -> bytes:
        """Return the permanent id of a line recorded by this request.

        ``place`` is the position of the line in the request.
        """
        text = "\x1f".join((str(user_id), self.key, str(place)))
        return sha256(text.encode()).digest()[:16]


def may_be_entered(refused: Refused) -> bool:
    """Return whether the refused request may have succeeded before.

    The sheet may have been closed since, or a product deleted.
    """
    return all(reason.code is not Code.KEY_REUSED for reason in refused.reasons)


class IdempotencyStore(Protocol):
    """Answers by idempotency key (docs/contract.md, "Idempotency keys")."""

    def recall(self, user_id: int, idempotency_key: IdempotencyKey, shape: type[Answer]) -> Answer | None:
        """Return the stored answer, or None the first time.

        Raise ``Refused`` (idempotency_key.reused) if the same key came with another body, and ``RequestInProgress``
        while the first request is being processed.
        """

    def save(self, user_id: int, idempotency_key: IdempotencyKey, answer: object, at: datetime) -> None: ...

    def purge(self, before: datetime, *, but: int) -> None:
        """Delete answers from before that moment.

        The latest ``but`` answers are kept in any case.
        """


class Replayable(NamedTuple, Generic[Answer]):
    """The result of a request that may be sent twice.

    ``replayed`` is True if it comes from an earlier request.
    """

    answer: Answer
    replayed: bool


def answer_once(
    store: IdempotencyStore,
    user_id: int,
    idempotency_key: IdempotencyKey | None,
    shape: type[Answer],
    make: Callable[[], Answer],
    clock: Clock,
) -> Replayable[Answer]:
    """Return the stored answer of a repeated request, or make it and store it."""
    kept = store.recall(user_id, idempotency_key, shape) if idempotency_key else None
    if kept is not None:
        return Replayable(kept, True)
    answer = make()
    if idempotency_key:
        store.save(user_id, idempotency_key, answer, clock())
    return Replayable(answer, False)
