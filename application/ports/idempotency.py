"""What a request that may be sent twice brought about."""

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Generic, NamedTuple, Protocol, TypeVar

from domain.errors import Code, Refused

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class IdempotencyKey:
    """A client's promise that requests with this ``key`` are one; ``fingerprint`` tells whether it keeps it."""

    key: str
    fingerprint: str

    def entry_digest(self, user_id: int, place: int = 0) -> bytes:
        """What tells a line that was recorded under this key, at that place of the request, from any other."""
        told = "\x1f".join((str(user_id), self.key, str(place)))
        return sha256(told.encode()).digest()[:16]


def may_be_entered(refused: Refused) -> bool:
    """Whether what is refused now may have been recorded before: its sheet may be closed since, or a product gone."""
    return all(reason.code is not Code.KEY_REUSED for reason in refused.reasons)


class IdempotencyStore(Protocol):
    """What was answered under an idempotency key (docs/contract.md, "Idempotency keys")."""

    def recall(self, user_id: int, idempotency_key: IdempotencyKey, shape: type[Answer]) -> Answer | None:
        """The answer given before, or None the first time.

        Raise ``Refused`` (idempotency_key.reused) if the same key came with another body, ``RequestInProgress`` while
        the first request is being processed.
        """

    def keep(self, user_id: int, idempotency_key: IdempotencyKey, answer: object, at: datetime) -> None: ...

    def purge(self, before: datetime, *, but: int) -> None:
        """Drop what was answered before that moment, but for the latest so many."""


class Replayable(NamedTuple, Generic[Answer]):
    """What a request that may be sent twice brought about; ``replayed`` when it was done before."""

    answer: Answer
    replayed: bool
