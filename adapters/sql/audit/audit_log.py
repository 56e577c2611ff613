"""Audit log: entries as rows, and queries."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import tzinfo
from decimal import Decimal
from functools import cache
from typing import Any

import msgspec
from sqlalchemy import (
    ARRAY,
    BigInteger,
    Connection,
    FromClause,
    Select,
    String,
    and_,
    bindparam,
    cast,
    func,
    null,
    select,
    text,
    true,
    union,
    union_all,
)
from sqlalchemy.dialects import postgresql

from adapters.sql.accounts.tables import api_keys, users
from adapters.sql.audit.tables import audit, noted_looks
from adapters.sql.common.pending_writes import PendingWrites
from adapters.sql.engine.driver_execute import execute
from adapters.sql.engine.lists import ListSpec, TableView, parse_cursor_time
from adapters.sql.engine.row_mapping import RowMapping
from adapters.sql.engine.row_shape import Computed, RowShape, or_none
from adapters.sql.people.tables import patients
from adapters.sql.sheets.tables import IS_PATIENT_SHEET, sheets
from application.audit.audit_log import AuditEntry
from application.audit.views import ApiKeyNameView, AuditQuery, AuditUserView, AuditView
from application.catalogue.ports import PriceChange
from application.common.entities import DETAIL, PATIENT, PRODUCT, SHEET, AuditAction
from application.common.paging import Page, id_of_key
from domain.common.day import end_of, start_of
from domain.common.text import fold

_EXACT_JSON = msgspec.json.Encoder(decimal_format="string")
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
# A product has few entries. Those with a price have this key; quotes in texts are escaped.
_OF_PRICE = (
    select(audit)
    .where(
        audit.c.entity_id == bindparam("product_id"),
        audit.c.entity == PRODUCT.name,
        audit.c.changes.contains('"price":', autoescape=True),
        audit.c.action != AuditAction.PRODUCT_DELETED,
    )
    .order_by(audit.c.id.desc())
    .limit(bindparam("most"))
)
_COUNT_OF_IMPORT = select(func.count()).where(audit.c.import_id == bindparam("import_id"))
_IMPORTED_LINES = select(audit.c.entity_id).where(
    audit.c.sheet_id == bindparam("sheet_id"), audit.c.import_id.is_not(None), audit.c.entity == DETAIL.name
)
_MAX_ID = 2**63 - 1


def _accessed(kind: str | None, ids: FromClause) -> Select[Any]:
    """Select the accessed objects with their patients; without a kind, a list."""
    if kind == SHEET.name:
        of_patients = and_(sheets.c.id == ids.c.value, IS_PATIENT_SHEET)
        return select(sheets.c.id, sheets.c.patient_id).join_from(ids, sheets, of_patients)
    patient_id = ids.c.value if kind == PATIENT.name else null()
    return select(ids.c.value.label("id"), cast(patient_id, BigInteger).label("patient_id"))


@cache
def _accessed_on_sqlite(kind: str | None) -> Select[Any]:
    return _accessed(kind, func.json_each(bindparam("ids")).table_valued("value"))


# In the order of the ids, so that two of them never wait for each other.
_NOTE_ON_SQLITE = text(
    "INSERT INTO noted_looks (user_id, action, entity_id, hour) SELECT :user_id, :action, value, :hour "
    "FROM json_each(:ids) WHERE true ORDER BY value ON CONFLICT DO NOTHING RETURNING entity_id"
)


@cache
def _append_once_on_postgresql(kind: str | None) -> Select[Any]:
    """Return one statement that notes the accesses and appends their entries."""
    ids = func.unnest(bindparam("ids", type_=ARRAY(BigInteger))).table_valued("value", name="ids").render_derived()
    asked = _accessed(kind, ids).cte("asked")
    by: list[Any] = [bindparam("user_id", type_=BigInteger), bindparam("action", type_=String)]
    noted = (
        postgresql.insert(noted_looks)
        .from_select(
            ["user_id", "action", "entity_id", "hour"],
            select(*by, asked.c.id, bindparam("hour", type_=BigInteger)).order_by(asked.c.id),
        )
        .on_conflict_do_nothing()
        .returning(noted_looks.c.entity_id)
        .cte("noted")
    )
    of_object = {"entity_id": asked.c.id, "patient_id": asked.c.patient_id}
    cells = {
        column.name: of_object.get(column.name, bindparam(column.name, type_=column.type))
        for column in audit.c
        if column.name != "id"
    }
    entries = select(*cells.values()).join_from(asked, noted, noted.c.entity_id == asked.c.id).order_by(asked.c.id)
    appended = audit.insert().from_select([*cells], entries).cte("appended")
    is_new = noted.c.entity_id.is_not(None).label("is_new")
    return select(asked.c.id, is_new).outerjoin_from(asked, noted, noted.c.entity_id == asked.c.id).add_cte(appended)


_PURGE_HOURS = noted_looks.delete().where(noted_looks.c.hour < bindparam("before"))
# Access to a merged record counts as access to this patient. The entries outlive the patient.
_RECORDS = union_all(
    select(bindparam("patient_id", type_=patients.c.id.type)),
    select(patients.c.id).where(patients.c.merged_into == bindparam("patient_id")),
)
_ENTRIES = audit.alias("of_patient")
# Entries about the patient record itself name it as their entity. Those made before the column ``patient_id`` existed
# have only this.
_IS_OF_PATIENT = audit.c.id.in_(
    union(
        select(_ENTRIES.c.id).where(_ENTRIES.c.patient_id.in_(_RECORDS)),
        # ``is_true`` prevents the index on the entity: without statistics SQLite assumes that any equality is
        # selective.
        select(_ENTRIES.c.id).where(
            (_ENTRIES.c.entity == PATIENT.name).is_(true()), _ENTRIES.c.entity_id.in_(_RECORDS)
        ),
    )
)


MAPPING = RowMapping[AuditEntry](
    audit,
    AuditEntry,
    written={"changes": lambda entry: _EXACT_JSON.encode(entry.changes).decode()},
    read={
        "changes": Computed(
            lambda text: {name: (before, after) for name, (before, after) in json.loads(text).items()}, audit.c.changes
        ),
    },
)


# The user of an entry, even if deleted.
USER_EMAIL = RowShape[AuditUserView](AuditUserView, users)
ENTRY = RowShape[AuditView](
    AuditView,
    audit,
    names={
        "user": or_none(USER_EMAIL),
        "api_key": or_none(RowShape[ApiKeyNameView](ApiKeyNameView, api_keys)),
        "changes": Computed(json.loads, audit.c.changes),
    },
)
# The user and the key of an entry stay when they are deleted.
SELECT_ENTRIES = (
    select(*ENTRY.columns)
    .outerjoin_from(audit, users, users.c.id == audit.c.user_id)
    .outerjoin(api_keys, api_keys.c.id == audit.c.api_key_id)
)


class SqlAuditLog:
    """The append-only audit log within a unit of work."""

    def __init__(self, connection: Connection, pending_writes: PendingWrites, done: Callable[[str], None]) -> None:
        self._connection = connection
        self._pending_writes = pending_writes
        self._done = done

    def append(self, entry: AuditEntry) -> None:
        """Append an entry."""
        self._pending_writes.add_audit_entry(MAPPING.to_row(entry))
        self._done(entry.action)

    def count(self, action: str) -> None:
        """Count an action in the metrics, without an entry."""
        self._done(action)

    def append_once(self, access: AuditEntry, ids: Sequence[int], hour: int) -> set[int]:
        """Append an entry about each object, unless there was one in that hour.

        The entries are like ``access``, with the id of the object, in ascending order, and with its patient. An id of 0
        means a list. Of two concurrent calls, the second one waits and finds the entry of the first one. A sheet that
        does not exist gets no entry. Return the ids of the others.
        """
        kind = access.entity if 0 not in ids else None
        if self._connection.dialect.name == "postgresql":
            params = {**MAPPING.to_row(access), "ids": [*ids], "hour": hour}
            rows = execute(self._connection, _append_once_on_postgresql(kind), params)
            for row in rows:
                if row.is_new:
                    self._done(access.action)
            return {row.id for row in rows}
        rows = self._connection.execute(_accessed_on_sqlite(kind), {"ids": json.dumps(ids)}).all()
        patients_of = {row.id: row.patient_id for row in rows}
        looks = {"user_id": access.user_id, "action": access.action, "hour": hour, "ids": json.dumps([*patients_of])}
        for each in sorted(self._connection.execute(_NOTE_ON_SQLITE, looks).scalars()):
            self.append(replace(access, entity_id=each, patient_id=patients_of[each]))
        return {*patients_of}

    def purge_hours(self, before: int) -> None:
        """Delete the records of earlier hours."""
        self._connection.execute(_PURGE_HOURS, {"before": before})

    def extend(self, entries: Sequence[AuditEntry]) -> None:
        """Append several entries and write them."""
        for entry in entries:
            self.append(entry)
        self._pending_writes.write()

    def of_import(self, import_id: int, entity: str, *, before: int | None, limit: int) -> list[tuple[int, AuditEntry]]:
        """Return an import's entries about a kind of entity, newest first."""
        self._pending_writes.write()
        params = {"import_id": import_id, "entity": entity, "before": before or _MAX_ID, "limit": limit}
        return [(row.id, MAPPING.to_entity(row)) for row in self._connection.execute(_OF_IMPORT, params)]

    def count_of_import(self, import_id: int) -> int:
        """Return the number of entries of an import."""
        self._pending_writes.write()
        return int(self._connection.execute(_COUNT_OF_IMPORT, {"import_id": import_id}).scalar_one())

    def imported_lines(self, sheet_id: int) -> set[int]:
        """Return the ids of the lines of a sheet that imports recorded."""
        self._pending_writes.write()
        return set(self._connection.execute(_IMPORTED_LINES, {"sheet_id": sheet_id}).scalars())


def read_price_changes(connection: Connection, product_id: int, *, most: int) -> list[PriceChange]:
    """Return the changes of a product's price, newest first."""
    rows = connection.execute(_OF_PRICE, {"product_id": product_id, "most": most})
    return [_price_change(MAPPING.to_entity(row)) for row in rows]


def _price_change(entry: AuditEntry) -> PriceChange:
    before, after = entry.changes["price"]
    first = None if before is None else Decimal(str(before))
    return PriceChange(entry.at, entry.user_id, entry.import_id is not None, first, Decimal(str(after)))


def list_of_entries(zone: tzinfo) -> ListSpec[AuditView, AuditQuery]:
    """Return the list of all entries, newest first.

    Days are in the hospital's time zone.
    """
    moment = audit.c.at.type
    return ListSpec[AuditView, AuditQuery](
        source=SELECT_ENTRIES,
        id=audit.c.id,
        order=(audit.c.id.desc(),),
        sorts={},
        searched=(audit.c.action,),
        # Words are searched among the names of the actions, which are few, and not in the entries.
        words_of=lambda _: [],
        to_item=ENTRY.read,
        filters={
            "entity": audit.c.entity == bindparam("entity"),
            "entity_id": audit.c.entity_id == bindparam("entity_id"),
            "user_id": audit.c.user_id == bindparam("user_id"),
            "action": audit.c.action == bindparam("action"),
            "actions": audit.c.action.in_(bindparam("actions", expanding=True)),
            "sheet_id": audit.c.sheet_id == bindparam("sheet_id"),
            "patient_id": _IS_OF_PATIENT,
            "since": audit.c.at >= bindparam("since", type_=moment),
            "until": audit.c.at < bindparam("until", type_=moment),
            "from_at": audit.c.at >= bindparam("from_at", type_=moment),
            "before_at": audit.c.at < bindparam("before_at", type_=moment),
        },
        filters_of=lambda query: {
            "entity": query.entity,
            "entity_id": query.entity_id,
            "user_id": query.user_id,
            "action": query.action,
            "actions": _actions_with(fold(query.q).split()) if query.q else None,
            "sheet_id": query.sheet_id,
            "patient_id": query.patient_id,
            "since": start_of(query.since, zone) if query.since else None,
            "until": end_of(query.until, zone) if query.until else None,
            "from_at": query.from_at,
            "before_at": query.before_at,
        },
        bounded=False,
        cursor_key=audit.c.id,
        key_of=lambda view: (str(view["id"]), view["id"]),
        read_key=id_of_key,
    )


def _actions_with(words: list[str]) -> list[str]:
    return [str(action) for action in AuditAction if all(word in fold(action) for word in words)]


def list_of_entries_of_days(zone: tzinfo) -> ListSpec[AuditView, AuditQuery]:
    """Return the list of entries by time, for queries of a period.

    Ordered by id, it would have to skip years of newer entries.
    """
    return replace(
        list_of_entries(zone),
        order=(audit.c.at.desc(), audit.c.id.desc()),
        cursor_key=audit.c.at,
        key_of=lambda view: (view["at"].isoformat(), view["id"]),
        read_key=parse_cursor_time,
    )


class SqlAuditView(TableView[AuditView, AuditQuery]):
    """Read model of the audit log."""

    def __init__(
        self,
        connection: Connection,
        entries: ListSpec[AuditView, AuditQuery],
        entries_of_days: ListSpec[AuditView, AuditQuery],
    ) -> None:
        super().__init__(connection, entries)
        self._of_days = TableView(connection, entries_of_days)

    def page(self, query: AuditQuery) -> Page[AuditView]:
        """Return a page of the audit log, or of a period."""
        of_period = query.since or query.until or query.from_at or query.before_at
        return self._of_days.page(query) if of_period else super().page(query)
