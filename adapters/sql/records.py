"""What is kept beside the things themselves: the trail of changes, and the answers under idempotency keys."""

import json
from datetime import datetime
from typing import TypeVar

import msgspec
from sqlalchemy import Connection, bindparam, func, select

from adapters.sql.tables import answers, audit
from application.audit import Entry
from application.ports import Once
from domain.refusal import Code, Reason, Refused, StillRunning

Answer = TypeVar("Answer")

_EXACT = msgspec.json.Encoder(decimal_format="string")
_KEPT = select(answers.c.fingerprint, answers.c.answer).where(
    answers.c.user_id == bindparam("user_id"), answers.c.key == bindparam("key")
)
_CLAIM = select(func.pg_try_advisory_xact_lock(func.hashtextextended(bindparam("claimed"), 0)))
_FORGET = answers.delete().where(answers.c.at < bindparam("before", type_=answers.c.at.type))


class SqlTrail:
    """The append-only trail, within one unit of work."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def append(self, entry: Entry) -> None:
        """Keep an entry."""
        row = {
            "at": entry.at,
            "user_id": entry.user_id,
            "action": entry.action,
            "entity": entry.entity,
            "entity_id": entry.entity_id,
            "changes": json.dumps(entry.changes, ensure_ascii=False),
        }
        self._connection.execute(audit.insert(), row)


class SqlAnswers:
    """What was answered under idempotency keys, within one unit of work."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def recall(self, user_id: int, once: Once, shape: type[Answer]) -> Answer | None:
        """The answer given before, or None the first time.

        On PostgreSQL whoever comes first claims the key until the unit of work ends. On SQLite there is only one unit
        of work at a time: whoever comes second finds the answer.
        """
        if self._connection.dialect.name == "postgresql":
            claimed = self._connection.execute(_CLAIM, {"claimed": f"{user_id}:{once.key}"}).scalar_one()
            if not claimed:
                raise StillRunning
        row = self._connection.execute(_KEPT, {"user_id": user_id, "key": once.key}).one_or_none()
        if row is None:
            return None
        if row.fingerprint != once.fingerprint:
            raise Refused(Reason(Code.KEY_REUSED))
        return msgspec.json.decode(row.answer, type=shape)

    def keep(self, user_id: int, once: Once, answer: object, at: datetime) -> None:
        """Keep what was answered."""
        row = {
            "user_id": user_id,
            "key": once.key,
            "fingerprint": once.fingerprint,
            "answer": _EXACT.encode(answer).decode(),
            "at": at,
        }
        self._connection.execute(answers.insert(), row)

    def forget(self, before: datetime) -> None:
        """Drop what was answered before that moment."""
        self._connection.execute(_FORGET, {"before": before})
