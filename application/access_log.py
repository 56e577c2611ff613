"""The access log: who looked at whom, noted once an hour for each, so that whoever polls writes nothing.

Of patients and their sheets is noted which one was looked at; of lists that show patients only that they were. A list
that is asked for a patient, or for things by their ids, names its patients too.
What is taken out as a file or on paper is noted each time.
"""

import threading
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Protocol, TypeVar

from application.audit_log import AuditEntry, access_entry
from application.entities import PATIENT, SHEET, AuditAction
from application.ports.clock import Clock
from application.ports.unit_of_work import Begin, UnitOfWork
from application.views import DetailQuery, DetailView, RoomQuery, RoomView, SheetQuery, SheetView
from domain.policy import Actor

Item = TypeVar("Item", contravariant=True)
Query = TypeVar("Query", contravariant=True)

_HOUR_SECONDS = 3_600
# What was noted already is remembered of so many looks: of more the store knows it.
_MAX_REMEMBERED = 50_000


def hour_of(moment: datetime) -> int:
    """The hour in which looking again is not noted again."""
    return int(moment.timestamp()) // _HOUR_SECONDS


class AccessLog:
    """Notes who looks at what. What this process has noted in this hour, it need not ask the store about."""

    def __init__(self, begin: Begin, clock: Clock) -> None:
        self._begin = begin
        self._clock = clock
        self._hour = 0
        self._noted: set[tuple[int, str, int]] = set()
        self._lock = threading.Lock()

    def note_sheet_read(self, actor: Actor, sheet_id: int) -> None:
        """Somebody looks at a sheet. One that does not exist nobody can look at."""
        self.note_sheets_read(actor, [sheet_id])

    def note_sheets_read(self, actor: Actor, sheet_ids: Iterable[int]) -> None:
        """The actor looks at each of these sheets, or at what is recorded on them."""
        self._note(actor, AuditAction.SHEET_READ, sorted(set(sheet_ids)))

    def note_list_read(self, actor: Actor, action: AuditAction) -> None:
        """Somebody looks at a list that shows patients' names."""
        self._note(actor, action, [0])

    def note_room_read(self, actor: Actor, room_id: int) -> None:
        """Somebody looks who lies in a room."""
        self._note(actor, AuditAction.ROOM_READ, [room_id])

    def note_patient_sheets_read(self, actor: Actor, patient_id: int) -> None:
        """Somebody looks which sheets a patient has."""
        self._note(actor, AuditAction.PATIENT_SHEETS_LISTED, [patient_id])

    def note_sheet_export(self, actor: Actor, sheet_id: int) -> None:
        """Somebody takes out a sheet's details as a file."""
        with self._begin() as work:
            entry = _entry(work, actor, self._clock(), AuditAction.SHEET_EXPORTED, sheet_id)
            if entry:
                work.audit_log.append(entry)

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
            entries = {each: _entry(work, actor, now, action, each) for each in looks}
            for entry in filter(None, entries.values()):
                work.audit_log.append_once(entry, hour)
        # Only now: what could not be noted must be tried again.
        with self._lock:
            if hour == self._hour:
                self._noted.update(look for each, look in looks.items() if entries[each])


def _entry(work: UnitOfWork, actor: Actor, at: datetime, action: AuditAction, id: int) -> AuditEntry | None:
    patient_id = id if action.entity == PATIENT.name else None
    if action.entity == SHEET.name and id:
        sheet = work.sheets.get(id)
        if sheet is None:
            return None
        patient_id = sheet.patient_id
    return access_entry(actor, at, action, id, patient_id=patient_id)


class AccessRule(Protocol[Item, Query]):
    """Notes who reads one kind of thing."""

    def listed(self, actor: Actor, query: Query, items: Sequence[Item]) -> None:
        """A page of the list is about to be answered."""

    def read(self, actor: Actor, item: Item) -> None:
        """One of them is about to be answered."""

    def exported(self, actor: Actor, query: Query) -> bool:
        """The list is about to be taken out; whether that is noted now."""


class SheetAccess:
    """Sheets show their patients."""

    def __init__(self, access_log: AccessLog) -> None:
        self._access_log = access_log

    def listed(self, actor: Actor, query: SheetQuery, items: Sequence[SheetView]) -> None:
        """All sheets, those of one patient, or those that have these ids."""
        if query.ids is not None:
            self._access_log.note_sheets_read(actor, (item["id"] for item in items))
        elif query.patient_id is None:
            self._access_log.note_list_read(actor, AuditAction.SHEET_LISTED)
        elif items:
            self._access_log.note_patient_sheets_read(actor, query.patient_id)

    def read(self, actor: Actor, item: SheetView) -> None:
        """One sheet."""
        self._access_log.note_sheet_read(actor, item["id"])

    def exported(self, actor: Actor, query: SheetQuery) -> bool:  # noqa: ARG002 the list is noted as every other
        """Lists that are taken out are noted as every other."""
        return False


class DetailAccess:
    """Details tell what a patient consumed, by the sheet that they are on."""

    def __init__(self, access_log: AccessLog) -> None:
        self._access_log = access_log

    def listed(self, actor: Actor, query: DetailQuery, items: Sequence[DetailView]) -> None:
        """Those of one sheet or one patient, or those that have these ids; of all together no patient is named."""
        if query.ids is not None:
            self._access_log.note_sheets_read(actor, (item["consumption_sheet_id"] for item in items))
        elif query.consumption_sheet_id is not None:
            self._access_log.note_sheet_read(actor, query.consumption_sheet_id)
        elif query.patient_id is None:
            self._note_all(actor)
        elif items:
            self._access_log.note_patient_sheets_read(actor, query.patient_id)

    def _note_all(self, actor: Actor) -> None:
        """The list of all names no patient."""

    def read(self, actor: Actor, item: DetailView) -> None:
        """One detail."""
        self._access_log.note_sheet_read(actor, item["consumption_sheet_id"])

    def exported(self, actor: Actor, query: DetailQuery) -> bool:
        """Those of one sheet."""
        if query.consumption_sheet_id is None:
            return False
        self._access_log.note_sheet_export(actor, query.consumption_sheet_id)
        return True


class PatientDetailAccess(DetailAccess):
    """Details that name their patients."""

    def _note_all(self, actor: Actor) -> None:
        self._access_log.note_list_read(actor, AuditAction.SHEET_LISTED)


class RoomAccess:
    """Rooms show who lies in them."""

    def __init__(self, access_log: AccessLog) -> None:
        self._access_log = access_log

    def listed(self, actor: Actor, query: RoomQuery, items: Sequence[RoomView]) -> None:  # noqa: ARG002
        """Where somebody lies."""
        if any(room["sheets"] for room in items):
            self._access_log.note_list_read(actor, AuditAction.ROOM_LISTED)

    def read(self, actor: Actor, item: RoomView) -> None:
        """One room, where somebody lies there."""
        if item["sheets"]:
            self._access_log.note_room_read(actor, item["id"])

    def exported(self, actor: Actor, query: Any) -> bool:  # noqa: ARG002
        """What is taken out tells of no patient, and is noted as every other list."""
        return False
