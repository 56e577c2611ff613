"""Last changes of entities, from the audit log."""

import json
from collections.abc import Collection
from datetime import UTC, datetime
from functools import cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Connection,
    FromClause,
    Select,
    and_,
    bindparam,
    exists,
    func,
    not_,
    or_,
    select,
    true,
    union,
    union_all,
)

from adapters.sql.audit.tables import audit
from adapters.sql.catalogue.tables import rooms
from adapters.sql.sheets.tables import IS_FOR_PATIENT, IS_OF_AREA, details, sheet_transfers, sheets
from application.common.entities import (
    ACCESS_ACTIONS,
    AREA,
    DETAIL,
    PATIENT,
    PRODUCT,
    ROOM,
    SHEET,
    STAFF,
    AuditAction,
    EntityKind,
)
from application.reports.changes import Deletion, Tracked

_NEVER = datetime(9999, 1, 1, tzinfo=UTC)
_CHANGES = audit.c.action.not_in([str(action) for action in sorted(ACCESS_ACTIONS)])
_IN_PERIOD = (
    audit.c.at >= bindparam("since", type_=audit.c.at.type),
    audit.c.at < bindparam("until", type_=audit.c.at.type),
)


def _pairs(statement: Select[Any]) -> FromClause:
    return statement.subquery()


# Entities with the entities to which they refer.
_RELATED: dict[tuple[str, str], tuple[FromClause, ...]] = {
    (one.name, other.name): tuple(
        _pairs(select(own.label("id"), related.label("related")).select_from(source)) for own, related, source in ways
    )
    for one, other, ways in (
        (DETAIL, SHEET, ((details.c.id, details.c.sheet_id, details),)),
        (DETAIL, PRODUCT, ((details.c.id, details.c.product_id, details),)),
        (DETAIL, STAFF, ((details.c.id, details.c.staff_id, details),)),
        (DETAIL, PATIENT, ((details.c.id, sheets.c.patient_id, details.join(sheets)),)),
        (SHEET, PATIENT, ((sheets.c.id, sheets.c.patient_id, sheets),)),
        (
            SHEET,
            ROOM,
            (
                (sheets.c.id, sheets.c.room_id, sheets),
                (sheet_transfers.c.sheet_id, sheet_transfers.c.left_room_id, sheet_transfers),
            ),
        ),
        (ROOM, AREA, ((rooms.c.id, rooms.c.area_id, rooms),)),
    )
}


def read_last_changes(connection: Connection, tracked: Tracked, ids: Collection[int]) -> dict[int, datetime]:
    """Return the time of the last change of each entity."""
    if not ids:
        return {}
    return {row.id: row.at for row in connection.execute(_last_changes(tracked), {"ids": sorted(ids)})}


def read_changed(
    connection: Connection, tracked: Tracked, since: datetime, until: datetime | None, *, behind: int, most: int
) -> list[int]:
    """Return the ids after ``behind`` of entities changed in a period, by id.

    The period ends before ``until``.
    """
    params = {"since": since, "until": until or _NEVER, "behind": behind, "most": most}
    return list(connection.execute(_changed(tracked), params).scalars())


def read_deletions(connection: Connection, kind: EntityKind, ids: Collection[int]) -> dict[int, Deletion]:
    """Return the deletions of those entities that were deleted.

    A detail that was moved from a patient to an area is deleted for readers of patients' details.
    """
    if not ids:
        return {}
    is_deletion = audit.c.action == str(kind.action("deleted"))
    statement = (
        select(audit.c.entity_id, audit.c.at, audit.c.changes)
        .where(
            audit.c.entity_id.in_(bindparam("ids", expanding=True)),
            audit.c.entity == kind.name,
            or_(is_deletion, _is_moved_to_area(audit)) if kind is DETAIL else is_deletion,
        )
        .order_by(audit.c.id)
    )
    rows = connection.execute(statement, {"ids": sorted(ids)})
    return {row.entity_id: Deletion(row.at, _to_changes(row.changes)) for row in rows}


def _is_in_area(detail_id: ColumnElement[Any]) -> ColumnElement[bool]:
    return exists().where(details.c.id == detail_id, not_(IS_FOR_PATIENT))


def _is_moved_to_area(log: FromClause) -> ColumnElement[bool]:
    """Return the condition for the move of a detail from a patient to an area."""
    return and_(
        log.c.action == str(AuditAction.DETAIL_MOVED_AWAY),
        _is_in_area(log.c.entity_id),
        not_(exists().where(sheets.c.id == log.c.sheet_id, IS_OF_AREA)),
    )


def _were_of_patient(detail_id: ColumnElement[Any]) -> ColumnElement[bool]:
    """Return the condition that a detail is or was a patient's."""
    moves = audit.alias("moves")
    is_known = exists().where(moves.c.entity_id == detail_id, moves.c.entity == DETAIL.name, _is_moved_to_area(moves))
    return or_(not_(_is_in_area(detail_id)), is_known)


def _to_changes(text: str) -> dict[str, Any]:
    return {name: (before, after) for name, (before, after) in json.loads(text).items()}


def _has(kind: EntityKind, fields: tuple[str, ...]) -> ColumnElement[bool]:
    """Return the condition for changes of any of the fields.

    Quotes in texts are escaped, so that no value looks like the name of a field. ``is_true`` prevents the index on the
    entity: without statistics SQLite assumes that any equality is selective.
    """
    named = [audit.c.changes.contains(f'"{field}":', autoescape=True) for field in fields]
    return (audit.c.entity == kind.name).is_(true()) & _CHANGES & (or_(*named) if named else true())


@cache
def _last_changes(tracked: Tracked) -> Select[Any]:
    wanted: Any = bindparam("ids", expanding=True)
    parts: list[Select[Any]] = [
        select(audit.c.entity_id.label("id"), audit.c.at).where(
            audit.c.entity_id.in_(wanted), _has(tracked.kind, tracked.fields)
        )
    ]
    parts += [
        select(pairs.c.id, audit.c.at)
        .join_from(pairs, audit, audit.c.entity_id == pairs.c.related)
        .where(pairs.c.id.in_(wanted), _has(kind, fields))
        for kind, fields in tracked.related
        for pairs in _RELATED[tracked.kind.name, kind.name]
    ]
    every = union_all(*parts).subquery()
    last = select(every.c.id, func.max(every.c.at, type_=audit.c.at.type).label("at")).group_by(every.c.id)
    return last.where(_were_of_patient(every.c.id)) if tracked.kind is DETAIL else last


@cache
def _changed(tracked: Tracked) -> Select[Any]:
    behind: Any = bindparam("behind")
    parts: list[Select[Any]] = [
        select(audit.c.entity_id.label("id")).where(
            *_IN_PERIOD, audit.c.entity_id > behind, _has(tracked.kind, tracked.fields)
        )
    ]
    for kind, fields in tracked.related:
        changed = select(audit.c.entity_id).where(*_IN_PERIOD, _has(kind, fields))
        parts += [
            select(pairs.c.id).where(pairs.c.id > behind, pairs.c.related.in_(changed))
            for pairs in _RELATED[tracked.kind.name, kind.name]
        ]
    every: CompoundSelect[Any] = union(*parts)
    found = every.subquery()
    changed_ids = select(found.c.id).order_by(found.c.id).limit(bindparam("most"))
    return changed_ids.where(_were_of_patient(found.c.id)) if tracked.kind is DETAIL else changed_ids
