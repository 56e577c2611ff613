"""Read the audit log and imports, in memory."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import tzinfo
from typing import Any, cast

from adapters.memory.data import MemoryData
from adapters.memory.readers.lists import MemoryView, id_of, is_between, read_moment
from application.entities import PATIENT, AuditAction
from application.paging import ListQuery, Page, id_of_key
from application.views.audit import ApiKeyNameView, AuditQuery, AuditUserView, AuditView, ImportView
from domain.text import fold


class MemoryAuditView(MemoryView[AuditView, AuditQuery]):
    """Reads the audit log, newest first; ranges of days are by time."""

    def page(self, query: AuditQuery) -> Page[AuditView]:
        """Return one page of the list."""
        if query.since is None and query.until is None:
            return super().page(query)

        of_days = replace(self, order=lambda item: (item["at"], item["id"]), cursor_key=_at, read_key=read_moment)
        return super(MemoryAuditView, of_days).page(query)


def read_audit(data: MemoryData, zone: tzinfo) -> MemoryAuditView:
    return MemoryAuditView(
        everything=lambda: [
            AuditView(
                id=number,
                at=entry.at,
                user=None
                if entry.user_id is None
                else AuditUserView(id=entry.user_id, email=data.users[entry.user_id].email),
                action=cast("AuditAction", entry.action),
                entity=entry.entity,
                entity_id=entry.entity_id,
                sheet_id=entry.sheet_id,
                patient_id=entry.patient_id,
                api_key=_api_key(data, entry.api_key_id),
                changes={field: list(change) for field, change in entry.changes.items()},
            )
            for number, entry in enumerate(data.audit_log, 1)
        ],
        matches=lambda item, query: (
            query.entity in (None, item["entity"])
            and query.entity_id in (None, item["entity_id"])
            and query.user_id in (None, item["user"] and item["user"]["id"])
            and query.action in (None, item["action"])
            and query.sheet_id in (None, item["sheet_id"])
            and (query.patient_id is None or _is_of_patient(item, _merged_with(data, query.patient_id)))
            and is_between(item["at"], query.since, query.until, zone)
        ),
        searched=lambda item: (item["action"],),
        order=id_of,
        sorts={},
        newest_first=True,
        cursor_key=id_of,
        read_key=id_of_key,
        bounded=False,
    )


def read_imports(data: MemoryData) -> MemoryView[ImportView, ListQuery]:
    def user(id: int) -> AuditUserView:
        return AuditUserView(id=id, email=data.users[id].email)

    return MemoryView(
        everything=lambda: [
            ImportView(
                id=one.id,
                noun=one.noun,
                file_name=one.file_name,
                at=one.at,
                user=user(one.user_id),
                created=one.created,
                changed=one.changed,
                unchanged=one.unchanged,
                refused=one.refused,
                undone_at=one.undone_at,
                undone_by=None if one.undone_by is None else user(one.undone_by),
            )
            for one in data.imports.values()
        ],
        matches=lambda _, __: True,
        searched=lambda item: (fold(item["file_name"]),),
        order=id_of,
        sorts={"id": id_of},
        newest_first=True,
    )


def _api_key(data: MemoryData, id: int | None) -> ApiKeyNameView | None:
    return None if id is None else ApiKeyNameView(id=id, name=data.api_keys[id].name)


def _merged_with(data: MemoryData, patient_id: int) -> set[int]:
    merged = {one.id for one in data.patients.values() if one.merged_into == patient_id}
    return {patient_id, *merged}


def _is_of_patient(entry: AuditView, patient_ids: Collection[int]) -> bool:
    return entry["patient_id"] in patient_ids or (entry["entity"] == PATIENT.name and entry["entity_id"] in patient_ids)


def _at(item: Mapping[str, Any]) -> Any:
    return item["at"]
