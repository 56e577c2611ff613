"""The access log: who looked at which patient.

Each access is logged once an hour, so that polling writes nothing. For patients and their sheets the entry names which
one. For lists that show patients, the entry only says that the list was read, unless it is narrowed to single patients
(``is_narrowed``): then it names them. Exports and prints are logged each time.
"""

import threading
from collections.abc import Collection, Iterable, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any, Protocol, TypeVar

from application.audit.audit_log import access_entry
from application.audit.views import AuditQuery, AuditView
from application.audit.work import Begin
from application.common.clock import Clock
from application.common.entities import AuditAction
from domain.common.policy import Actor
from domain.sheets.sheet import of_patients

Item = TypeVar("Item", contravariant=True)
Query = TypeVar("Query", contravariant=True)

_HOUR_SECONDS = 3_600
# How many logged accesses are remembered in memory. Beyond that, the store finds the repeated ones.
_MAX_REMEMBERED = 50_000


def hour_of(moment: datetime) -> int:
    """Return the hour within which repeated access is not logged again."""
    return int(moment.timestamp()) // _HOUR_SECONDS


class AccessLog:
    """Logs who looks at which data.

    Accesses that this process has logged in this hour are remembered, which saves asking the store.
    """

    def __init__(self, begin: Begin, clock: Clock) -> None:
        self._begin = begin
        self._clock = clock
        self._hour = 0
        self._noted: set[tuple[int, str, int]] = set()
        self._lock = threading.Lock()

    def note_sheet_read(self, actor: Actor, sheet_id: int) -> None:
        """Log that the actor reads a sheet.

        A sheet that does not exist is not logged.
        """
        self.note_sheets_read(actor, [sheet_id])

    def note_sheets_read(self, actor: Actor, sheet_ids: Iterable[int]) -> None:
        """Log that the actor reads these sheets or their details."""
        self._note(actor, AuditAction.SHEET_READ, sorted(set(sheet_ids)))

    def note_list_read(self, actor: Actor, action: AuditAction) -> None:
        """Log that the actor reads a list that shows patients' names."""
        self._note(actor, action, [0])

    def note_patient_read(self, actor: Actor, *patient_ids: int) -> None:
        """Log that the actor reads these patients."""
        self._note(actor, AuditAction.PATIENT_READ, patient_ids)

    def note_patient_sheets_read(self, actor: Actor, patient_id: int) -> None:
        """Log that the actor reads which sheets a patient has."""
        self._note(actor, AuditAction.PATIENT_SHEETS_LISTED, [patient_id])

    def note_sheet_export(self, actor: Actor, sheet_id: int) -> None:
        """Log that the actor exports a sheet's details."""
        with self._begin() as work:
            if of_patient := of_patients(filter(None, [work.sheets.get(sheet_id)])):
                [sheet] = of_patient
                action = AuditAction.SHEET_EXPORTED
                work.audit_log.append(access_entry(actor, self._clock(), action, sheet_id, patient_id=sheet.patient_id))

    def _note(self, actor: Actor, action: AuditAction, ids: Sequence[int]) -> None:
        now = self._clock()
        hour, looks = hour_of(now), {each: (actor.user_id, action, each) for each in ids}
        with self._lock:
            if hour != self._hour or len(self._noted) >= _MAX_REMEMBERED:
                self._hour, self._noted = hour, set()
            looks = {each: look for each, look in looks.items() if look not in self._noted}
        if not looks:
            return
        with self._begin() as work:
            noted = work.audit_log.append_once(access_entry(actor, now, action, 0), sorted(looks), hour)
        # Remember accesses only after the commit: if logging fails, the next access has to try again.
        with self._lock:
            if hour == self._hour:
                self._noted.update(looks[each] for each in noted)


# Parameters that order and divide a list, or choose between lists.
_NOT_NARROWING = frozenset(
    {
        *("page", "limit", "sort", "cursor", "offset", "behind", "max_ordered", "ids"),
        *("closed", "voided", "implant", "merged", "active", "state", "own"),
    }
)
# Filters that select one patient's bed, pack, form or sheet.
_NARROW = ("room_id", "serial", "form_id", "consumption_sheet_id", "patient_id")


def is_filtered(query: Any) -> bool:
    """Return whether a query selects some of the items of a list."""
    return any(
        field.name not in _NOT_NARROWING and getattr(query, field.name) not in (None, field.default)
        for field in fields(query)
    )


def is_narrowed(query: Any, subjects: Collection[object]) -> bool:
    """Return whether a list is about single patients.

    This is the one rule for all lists. It is narrowed to given ids, a bed, a serial number, a form, a sheet or a
    patient, or any filter leaves one subject.
    """
    by_filter = query.ids is not None or any(getattr(query, name, None) is not None for name in _NARROW)
    return by_filter or (len(subjects) == 1 and is_filtered(query))


class AccessRule(Protocol[Item, Query]):
    """Logs access to one kind of object."""

    def listed(self, actor: Actor, query: Query, items: Sequence[Item]) -> None:
        """Log a page of the list, before it is returned."""

    def named(self, actor: Actor, query: Query, items: Sequence[Item]) -> bool:
        """Log the patients of a narrowed list. Return False for another list."""

    def read(self, actor: Actor, item: Item) -> None:
        """Log a single object, before it is returned."""

    def exported(self, actor: Actor, query: Query) -> bool:
        """Log an export. Return False if the caller has to log it."""


class OtherAccess:
    """Access to a list whose exports are logged like others."""

    def __init__(self, access_log: AccessLog) -> None:
        self._access_log = access_log

    def named(self, actor: Actor, query: Any, items: Sequence[Any]) -> bool:
        """Return False unless the list names patients."""
        return False

    def listed(self, actor: Actor, query: Any, items: Sequence[Any]) -> None:
        """Log the patients of a narrowed list."""
        self.named(actor, query, items)

    def read(self, actor: Actor, item: Any) -> None:
        """Do nothing: who reads one object is logged elsewhere."""

    def exported(self, actor: Actor, query: Any) -> bool:
        """Return False: the export is logged like others."""
        return False


class AuditAccess(OtherAccess):
    """Access to the audit log, of which most entries are about patients."""

    def named(self, actor: Actor, query: AuditQuery, items: Sequence[AuditView]) -> bool:
        """Log the patient to whom a list is narrowed."""
        found = {item["patient_id"] for item in items} - {None}
        if not is_narrowed(query, found):
            return False
        self._access_log.note_patient_read(actor, *(it for it in found if it))
        return True
