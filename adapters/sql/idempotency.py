"""What was answered under idempotency keys, as rows."""

from datetime import datetime
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Connection, and_, bindparam, func, select

from adapters.sql.driver_execute import execute, execute_one
from adapters.sql.pending_writes import PendingWrites
from adapters.sql.tables import idempotent_answers
from application.ports.idempotency import IdempotencyKey
from domain.errors import Code, Reason, Refused, RequestInProgress

Answer = TypeVar("Answer")
_EXACT = msgspec.json.Encoder(decimal_format="string")
_THIS_KEY = and_(idempotent_answers.c.user_id == bindparam("user_id"), idempotent_answers.c.key == bindparam("key"))
KEPT = select(idempotent_answers.c.fingerprint, idempotent_answers.c.answer).where(_THIS_KEY)
# Whoever comes first claims the key until the unit of work ends.
CLAIM = select(func.pg_try_advisory_xact_lock(func.hashtextextended(bindparam("claimed"), 0)).label("claimed"))
_CLAIM = CLAIM.subquery("claim")
_CLAIMED_AND_KEPT = select(
    _CLAIM.c.claimed, idempotent_answers.c.fingerprint, idempotent_answers.c.answer
).outerjoin_from(_CLAIM, idempotent_answers, _THIS_KEY)
# Where there are not so many the subquery is null, and nothing is dropped.
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
    """What ``CLAIM`` and ``KEPT`` ask for."""
    key = idempotency_key.key
    return {"user_id": user_id, "key": key, "claimed": f"{user_id}:{key}"}


def kept_answer(fingerprint: str, answer: str, idempotency_key: IdempotencyKey, shape: type[Answer]) -> Answer:
    """What was answered under the key; ``Refused`` where that was another request."""
    if fingerprint != idempotency_key.fingerprint:
        raise Refused(Reason(Code.KEY_REUSED))
    return msgspec.json.decode(answer, type=shape)


class SqlIdempotencyStore:
    """What was answered under idempotency keys, within one unit of work."""

    def __init__(self, connection: Connection, pending_writes: PendingWrites) -> None:
        self._connection = connection
        self._pending_writes = pending_writes

    def recall(self, user_id: int, idempotency_key: IdempotencyKey, shape: type[Answer]) -> Answer | None:
        """The answer given before, or None the first time.

        On PostgreSQL whoever comes first claims the key until the unit of work ends. On SQLite there is only one unit
        of work at a time: whoever comes second finds the answer.
        """
        self._pending_writes.write()
        asked = claim_of(user_id, idempotency_key)
        if self._connection.dialect.name == "postgresql":
            [(claimed, fingerprint, answer)] = execute(self._connection, _CLAIMED_AND_KEPT, asked)
            if not claimed:
                raise RequestInProgress
        else:
            del asked["claimed"]
            fingerprint, answer = execute_one(self._connection, KEPT, asked) or (None, None)
        return None if fingerprint is None else kept_answer(fingerprint, answer, idempotency_key, shape)

    def keep(self, user_id: int, idempotency_key: IdempotencyKey, answer: object, at: datetime) -> None:
        """Keep what was answered."""
        row = {
            "user_id": user_id,
            "key": idempotency_key.key,
            "fingerprint": idempotency_key.fingerprint,
            "answer": _EXACT.encode(answer).decode(),
            "at": at,
        }
        self._pending_writes.keep(row)

    def purge(self, before: datetime, *, but: int) -> None:
        """Drop what was answered before that moment, but for the latest so many."""
        self._pending_writes.write()
        self._connection.execute(_PURGE, {"before": before, "but": but})
