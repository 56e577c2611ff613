"""Store answers by idempotency key, in memory."""

from copy import deepcopy
from datetime import datetime
from typing import Any, TypeVar

from adapters.memory.data import MemoryData
from application.ports.idempotency import IdempotencyKey
from domain.errors import Code, Reason, Refused

Answer = TypeVar("Answer")


class MemoryIdempotencyStore:
    """Answers by idempotency key."""

    def __init__(self, data: MemoryData) -> None:
        self._data = data

    def recall(self, user_id: int, idempotency_key: IdempotencyKey, shape: type[Answer]) -> Answer | None:
        """Return the stored answer, or None the first time."""
        del shape  # answers are stored as objects
        kept = self._data.idempotency_store.get((user_id, idempotency_key.key))
        if kept is None:
            return None
        fingerprint, answer, _ = kept
        if fingerprint != idempotency_key.fingerprint:
            raise Refused(Reason(Code.KEY_REUSED))
        replayed: Any = deepcopy(answer)
        return replayed  # type: ignore[no-any-return]

    def save(self, user_id: int, idempotency_key: IdempotencyKey, answer: object, at: datetime) -> None:
        """Store the answer."""
        self._data.idempotency_store[user_id, idempotency_key.key] = (idempotency_key.fingerprint, deepcopy(answer), at)

    def purge(self, before: datetime, *, but: int) -> None:
        """Delete answers before that time, except the latest ``but``."""
        newest_first = sorted(self._data.idempotency_store.items(), key=lambda kept: kept[1][2], reverse=True)
        for key, (_, _, at) in newest_first[but:]:
            if at < before:
                del self._data.idempotency_store[key]
