"""What is kept beside the things themselves: the audit log of changes, and the answers under idempotency keys."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, tzinfo
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Connection, Row, and_, bindparam, func, or_, select, text

from adapters.sql.fast_execute import execute, execute_one
from adapters.sql.lists import ListOf, TableView, moment_of_key
from adapters.sql.tables import answers, audit, looks, users
from application.audit_log import AuditEntry
from application.paging import Page, id_of_key
from application.ports.idempotency import IdempotencyKey
from application.views import AuditQuery, AuditUserView, AuditView
from domain.day import end_of, start_of
from domain.refusal import Code, Reason, Refused, StillRunning

Answer = TypeVar("Answer")

_EXACT = msgspec.json.Encoder(decimal_format="string")
_THIS_KEY = and_(answers.c.user_id == bindparam("user_id"), answers.c.key == bindparam("key"))
_KEPT = select(answers.c.fingerprint, answers.c.answer).where(_THIS_KEY)
_CLAIM = select(
    func.pg_try_advisory_xact_lock(func.hashtextextended(bindparam("claimed"), 0)).label("claimed")
).subquery("claim")
_CLAIMED_AND_KEPT = select(_CLAIM.c.claimed, answers.c.fingerprint, answers.c.answer).outerjoin_from(
    _CLAIM, answers, _THIS_KEY
)
_KEEP = answers.insert()
_KEEP_TOO = _KEEP.values({column.name: bindparam(f"answer_{column.name}") for column in answers.c}).cte("kept")
# Where there are not so many the subquery is null, and nothing is dropped.
_FORGET = answers.delete().where(
    answers.c.at < bindparam("before", type_=answers.c.at.type),
    answers.c.at
    <= select(answers.c.at).order_by(answers.c.at.desc()).limit(1).offset(bindparam("but")).scalar_subquery(),
)


_LEAVE = audit.insert()
_LEAVE_AND_KEEP = _LEAVE.add_cte(_KEEP_TOO)
_OF_IMPORT = (
    select(audit)
    .where(
        audit.c.import_id == bindparam("import_id"),
        audit.c.entity == bindparam("entity"),
        audit.c.id < bindparam("before"),
    )
    .order_by(audit.c.id.desc())
    .limit(bindparam("limit"))
)
_COUNT_OF_IMPORT = select(func.count()).where(audit.c.import_id == bindparam("import_id"))
_LARGEST_ID = 2**63 - 1
_LOOK = text(
    "INSERT INTO noted_looks (user_id, action, entity_id, hour) VALUES (:user_id, :action, :entity_id, :hour) "
    "ON CONFLICT DO NOTHING RETURNING hour"
)
_FORGET_HOURS = looks.delete().where(looks.c.hour < bindparam("before"))
# Of what is done to a patient the entries tell so by their entity, and those that were made before there was the other.
_IS_OF_PATIENT = or_(
    audit.c.patient_id == bindparam("patient_id"),
    and_(audit.c.entity == "patient", audit.c.entity_id == bindparam("patient_id")),
)


def _to_row(entry: AuditEntry) -> dict[str, Any]:
    return {
        "at": entry.at,
        "user_id": entry.user_id,
        "action": entry.action,
        "entity": entry.entity,
        "entity_id": entry.entity_id,
        "changes": _EXACT.encode(entry.changes).decode(),
        "sheet_id": entry.sheet_id,
        "import_id": entry.import_id,
        "patient_id": entry.patient_id,
    }


def _to_entry(row: Row[Any]) -> AuditEntry:
    return AuditEntry(
        at=row.at,
        user_id=row.user_id,
        action=row.action,
        entity=row.entity,
        entity_id=row.entity_id,
        changes={name: (before, after) for name, (before, after) in json.loads(row.changes).items()},
        sheet_id=row.sheet_id,
        import_id=row.import_id,
        patient_id=row.patient_id,
    )


class PendingWrites:
    """What a unit of work writes when it ends, or when somebody looks: mostly an entry in the audit log, and an answer.

    On PostgreSQL these two are one statement.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._entries: list[dict[str, Any]] = []
        self._answers: list[dict[str, Any]] = []

    def leave(self, entry: dict[str, Any]) -> None:
        """Write an entry of the audit log at the end."""
        self._entries.append(entry)

    def keep(self, answer: dict[str, Any]) -> None:
        """Write an answer at the end."""
        self._answers.append(answer)

    def write(self) -> None:
        """Write it now."""
        if len(self._entries) == len(self._answers) == 1 and self._connection.dialect.name == "postgresql":
            answer = {f"answer_{name}": value for name, value in self._answers[0].items()}
            execute(self._connection, _LEAVE_AND_KEEP, self._entries[0] | answer)
        else:
            if len(self._entries) == 1:
                execute(self._connection, _LEAVE, self._entries[0])
            elif self._entries:
                self._connection.execute(_LEAVE, self._entries)
            for answer in self._answers:
                execute(self._connection, _KEEP, answer)
        self._entries.clear()
        self._answers.clear()


class SqlAuditLog:
    """The append-only audit log, within one unit of work."""

    def __init__(self, connection: Connection, ending: PendingWrites, done: Callable[[str], None]) -> None:
        self._connection = connection
        self._pending_writes = ending
        self._done = done

    def append(self, entry: AuditEntry) -> None:
        """Keep an entry."""
        self._pending_writes.leave(_to_row(entry))
        self._done(entry.action)

    def append_once(self, entry: AuditEntry, hour: int) -> None:
        """Keep an entry, unless that was kept in that hour. Of two who come at once the second one waits and sees."""
        look = {"user_id": entry.user_id, "action": entry.action, "entity_id": entry.entity_id, "hour": hour}
        if self._connection.execute(_LOOK, look).one_or_none():
            self.append(entry)

    def purge_hours(self, before: int) -> None:
        """Drop what is known of earlier hours."""
        self._connection.execute(_FORGET_HOURS, {"before": before})

    def extend(self, entries: Sequence[AuditEntry]) -> None:
        """Keep several."""
        for entry in entries:
            self.append(entry)
        self._pending_writes.write()

    def of_import(self, import_id: int, entity: str, *, before: int | None, limit: int) -> list[tuple[int, AuditEntry]]:
        """What an import did to things of one kind, the last thing first, with the entries' ids."""
        self._pending_writes.write()
        asked = {"import_id": import_id, "entity": entity, "before": before or _LARGEST_ID, "limit": limit}
        return [(row.id, _to_entry(row)) for row in self._connection.execute(_OF_IMPORT, asked)]

    def count_of_import(self, import_id: int) -> int:
        """How many entries tell what an import did."""
        self._pending_writes.write()
        return int(self._connection.execute(_COUNT_OF_IMPORT, {"import_id": import_id}).scalar_one())


class SqlIdempotencyStore:
    """What was answered under idempotency keys, within one unit of work."""

    def __init__(self, connection: Connection, ending: PendingWrites) -> None:
        self._connection = connection
        self._pending_writes = ending

    def recall(self, user_id: int, idempotency_key: IdempotencyKey, shape: type[Answer]) -> Answer | None:
        """The answer given before, or None the first time.

        On PostgreSQL whoever comes first claims the key until the unit of work ends. On SQLite there is only one unit
        of work at a time: whoever comes second finds the answer.
        """
        self._pending_writes.write()
        asked: dict[str, Any] = {"user_id": user_id, "key": idempotency_key.key}
        if self._connection.dialect.name == "postgresql":
            asked["claimed"] = f"{user_id}:{idempotency_key.key}"
            [(claimed, fingerprint, answer)] = execute(self._connection, _CLAIMED_AND_KEPT, asked)
            if not claimed:
                raise StillRunning
        else:
            fingerprint, answer = execute_one(self._connection, _KEPT, asked) or (None, None)
        if fingerprint is None:
            return None
        if fingerprint != idempotency_key.fingerprint:
            raise Refused(Reason(Code.KEY_REUSED))
        return msgspec.json.decode(answer, type=shape)

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
        self._connection.execute(_FORGET, {"before": before, "but": but})


def list_of_entries(zone: tzinfo) -> ListOf[AuditView, AuditQuery]:
    """The audit log, the newest entry first; on which day something was done is told in the hospital's time zone."""
    moment = audit.c.at.type
    return ListOf[AuditView, AuditQuery](
        source=select(audit, users.c.email).outerjoin_from(audit, users, users.c.id == audit.c.user_id),
        id=audit.c.id,
        order=(audit.c.id.desc(),),
        sorts={},
        searched=(audit.c.action,),
        to_item=_to_view,
        filters={
            "entity": audit.c.entity == bindparam("entity"),
            "entity_id": audit.c.entity_id == bindparam("entity_id"),
            "user_id": audit.c.user_id == bindparam("user_id"),
            "action": audit.c.action == bindparam("action"),
            "sheet_id": audit.c.sheet_id == bindparam("sheet_id"),
            "patient_id": _IS_OF_PATIENT,
            "since": audit.c.at >= bindparam("since", type_=moment),
            "until": audit.c.at < bindparam("until", type_=moment),
        },
        filters_of=lambda query: {
            "entity": query.entity,
            "entity_id": query.entity_id,
            "user_id": query.user_id,
            "action": query.action,
            "sheet_id": query.sheet_id,
            "patient_id": query.patient_id,
            "since": start_of(query.since, zone) if query.since else None,
            "until": end_of(query.until, zone) if query.until else None,
        },
        bounded=False,
        cursor_key=audit.c.id,
        key_of=lambda view: (str(view["id"]), view["id"]),
        read_key=id_of_key,
    )


def list_of_entries_of_days(zone: tzinfo) -> ListOf[AuditView, AuditQuery]:
    """The entries of some days, by their moments: years of newer ones lie between the newest and those of a day."""
    return replace(
        list_of_entries(zone),
        order=(audit.c.at.desc(), audit.c.id.desc()),
        cursor_key=audit.c.at,
        key_of=lambda view: (view["at"].isoformat(), view["id"]),
        read_key=moment_of_key,
    )


class SqlAuditView(TableView[AuditView, AuditQuery]):
    """The audit log as it is answered."""

    def __init__(
        self,
        connection: Connection,
        entries: ListOf[AuditView, AuditQuery],
        entries_of_days: ListOf[AuditView, AuditQuery],
    ) -> None:
        super().__init__(connection, entries)
        self._of_days = TableView(connection, entries_of_days)

    def page(self, query: AuditQuery) -> Page[AuditView]:
        """A page of the audit log, or of what it tells of some days."""
        return self._of_days.page(query) if query.since or query.until else super().page(query)


def _to_view(row: Row[Any]) -> AuditView:
    return AuditView(
        id=row.id,
        at=row.at,
        user=None if row.user_id is None else AuditUserView(id=row.user_id, email=row.email),
        action=row.action,
        entity=row.entity,
        entity_id=row.entity_id,
        sheet_id=row.sheet_id,
        patient_id=row.patient_id,
        changes=json.loads(row.changes),
    )
