"""Last changes of entities, in memory."""

from collections.abc import Collection, Iterable, Iterator
from datetime import datetime

from adapters.memory.data import MemoryData
from application.audit.audit_log import AuditEntry
from application.entities import ACCESS_ACTIONS, AREA, DETAIL, PATIENT, PRODUCT, ROOM, SHEET, STAFF, EntityKind
from application.ports.readers.changes import Deletion, Tracked


def read_last_changes(data: MemoryData, tracked: Tracked, ids: Collection[int]) -> dict[int, datetime]:
    """Return the time of the last change of each entity."""
    found: dict[int, datetime] = {}
    for each, at in _changes_of(data, tracked):
        if each in ids:
            found[each] = max(at, found.get(each, at))
    return found


def read_changed(
    data: MemoryData, tracked: Tracked, since: datetime, until: datetime | None, *, behind: int, most: int
) -> list[int]:
    """Return the ids above ``behind`` that changed in [since, until), by id."""
    found = {
        each
        for each, at in _changes_of(data, tracked)
        if since <= at and (until is None or at < until) and each > behind
    }
    return sorted(found)[:most]


def read_deletions(data: MemoryData, kind: EntityKind, ids: Collection[int]) -> dict[int, Deletion]:
    """Return the deletions of those entities that were deleted."""
    return {
        one.entity_id: Deletion(one.at, one.changes)
        for one in data.audit_log
        if one.entity == kind.name and one.action == kind.action("deleted") and one.entity_id in ids
    }


def _changes_of(data: MemoryData, tracked: Tracked) -> Iterator[tuple[int, datetime]]:
    for entry in data.audit_log:
        if _is_change(entry, tracked.kind, tracked.fields):
            yield entry.entity_id, entry.at
        for kind, fields in tracked.related:
            if _is_change(entry, kind, fields):
                for each in _referring(data, tracked.kind, kind, entry.entity_id):
                    yield each, entry.at


def _is_change(entry: AuditEntry, kind: EntityKind, fields: tuple[str, ...]) -> bool:
    return (
        entry.entity == kind.name
        and entry.action not in ACCESS_ACTIONS
        and (not fields or any(field in entry.changes for field in fields))
    )


def _referring(data: MemoryData, kind: EntityKind, to: EntityKind, id: int) -> Iterable[int]:
    """Return the ids of entities of a kind that refer to another entity."""
    details, sheets = data.details.values(), data.sheets
    match kind.name, to.name:
        case DETAIL.name, SHEET.name:
            return (one.id for one in details if one.sheet_id == id)
        case DETAIL.name, PRODUCT.name:
            return (one.id for one in details if one.product_id == id)
        case DETAIL.name, STAFF.name:
            return (one.id for one in details if one.staff_id == id)
        case DETAIL.name, PATIENT.name:
            return (one.id for one in details if sheets[one.sheet_id].patient_id == id)
        case SHEET.name, PATIENT.name:
            return (one.id for one in sheets.values() if one.patient_id == id)
        case SHEET.name, ROOM.name:
            left = (one.sheet_id for one in data.transfers.values() if one.left_room_id == id)
            return {*left, *(one.id for one in sheets.values() if one.room_id == id)}
        case ROOM.name, AREA.name:
            return (one.id for one in data.rooms.values() if one.area_id == id)
    raise AssertionError(f"{kind.name} does not refer to {to.name}")
