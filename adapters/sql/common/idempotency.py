"""Stored answers of idempotency keys."""

from datetime import datetime
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Connection, String, and_, bindparam, func, select

from adapters.sql.common.pending_writes import PendingWrites
from adapters.sql.common.tables import idempotent_answers
from adapters.sql.engine.advisory_locks import lock_key
from application.common.idempotency import IdempotencyKey
from domain.common.errors import Code, Reason, Refused, RequestInProgress

Answer = TypeVar("Answer")
_EXACT_JSON = msgspec.json.Encoder(decimal_format="string")
_THIS_KEY = and_(idempotent_answers.c.user_id == bindparam("user_id"), idempotent_answers.c.key == bindparam("key"))
KEPT = select(idempotent_answers.c.fingerprint, idempotent_answers.c.answer).where(_THIS_KEY)
# The first of concurrent requests claims the key until the end of its unit of work.
CLAIM = select(
    func.pg_try_advisory_xact_lock(lock_key("idempotency key", bindparam("claimed", type_=String))).label("claimed")
)
_CLAIM = CLAIM.subquery("claim")
_CLAIMED_AND_KEPT = select(
    _CLAIM.c.claimed, idempotent_answers.c.fingerprint, idempotent_answers.c.answer
).outerjoin_from(_CLAIM, idempotent_answers, _THIS_KEY)
# With fewer rows than this the subquery is null, and nothing is deleted.
_PURGE = idempotent_answers.delete().where(
    idempotent_answers.c.at < bindparam("before", type_=idempotent_answers.c.at.type),
    idempotent_answers.c.at
    <= select(idempotent_answers.c.at)
    .order_by(idempotent_answers.c.at.desc())
    .limit(1)
    .offset(bindparam("but"))
    .scalar_subquery(),
)


def claim_of(user_id: int, idempotency_key: IdempotencyKey) -> dict[str, Any]:
    """Return the parameters of ``CLAIM`` and ``KEPT``."""
    key = idempotency_key.key
    return {"user_id": user_id, "key": key, "claimed": f"{user_id}:{key}"}


def kept_answer(fingerprint: str, answer: str, idempotency_key: IdempotencyKey, shape: type[Answer]) -> Answer:
    """Decode a stored answer. Raise ``Refused`` if the request differs."""
    if fingerprint != idempotency_key.fingerprint:
        raise Refused(Reason(Code.KEY_REUSED))
    return msgspec.json.decode(answer, type=shape)


class SqlIdempotencyStore:
    """Idempotent answers within a unit of work."""

    def __init__(self, connection: Connection, pending_writes: PendingWrites) -> None:
        self._connection = connection
        self._pending_writes = pending_writes

    def recall(self, user_id: int, idempotency_key: IdempotencyKey, shape: type[Answer]) -> Answer | None:
        """Return the stored answer, or None for a new key.

        On PostgreSQL the first request claims the key until the end of its unit of work; a concurrent one raises
        ``RequestInProgress``. SQLite has one unit of work at a time, so the second request finds the answer.
        """
        self._pending_writes.write()
        params = claim_of(user_id, idempotency_key)
        if self._connection.dialect.name == "postgresql":
            [(claimed, fingerprint, answer)] = self._connection.execute(_CLAIMED_AND_KEPT, params)
            if not claimed:
                raise RequestInProgress
        else:
            del params["claimed"]
            fingerprint, answer = self._connection.execute(KEPT, params).one_or_none() or (None, None)
        return None if fingerprint is None else kept_answer(fingerprint, answer, idempotency_key, shape)

    def save(self, user_id: int, idempotency_key: IdempotencyKey, answer: object, at: datetime) -> None:
        """Store an answer with the pending writes."""
        row = {
            "user_id": user_id,
            "key": idempotency_key.key,
            "fingerprint": idempotency_key.fingerprint,
            "answer": _EXACT_JSON.encode(answer).decode(),
            "at": at,
        }
        self._pending_writes.add_answer(row)

    def purge(self, before: datetime, *, but: int) -> None:
        """Delete answers before a moment, except for the latest ``but``."""
        self._pending_writes.write()
        self._connection.execute(_PURGE, {"before": before, "but": but})
