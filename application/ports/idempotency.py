"""What a request that may be sent twice brought about."""

from dataclasses import dataclass
from datetime import datetime
from typing import Generic, NamedTuple, Protocol, TypeVar

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class IdempotencyKey:
    """A client's promise that requests with this ``key`` are one; ``fingerprint`` tells whether it keeps it."""

    key: str
    fingerprint: str


class IdempotencyStore(Protocol):
    """What was answered under an idempotency key (docs/contract.md, "Idempotency keys")."""

    def recall(self, user_id: int, idempotency_key: IdempotencyKey, shape: type[Answer]) -> Answer | None:
        """The answer given before, or None the first time.

        Raise ``Refused`` (idempotency_key.reused) when the same key came with another body, ``StillRunning`` while the
        first request is being worked on.
        """

    def keep(self, user_id: int, idempotency_key: IdempotencyKey, answer: object, at: datetime) -> None: ...

    def purge(self, before: datetime, *, but: int) -> None:
        """Drop what was answered before that moment, but for the latest so many."""


class Replayable(NamedTuple, Generic[Answer]):
    """What a request that may be sent twice brought about; ``replayed`` when it was done before."""

    answer: Answer
    replayed: bool
