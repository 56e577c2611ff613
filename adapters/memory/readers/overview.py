"""The overview for the home page, in memory."""

from collections.abc import Collection, Iterator
from datetime import date, datetime

from adapters.memory.data import MemoryData
from adapters.memory.readers.people import person_view
from application.entities import AuditAction
from application.ports.readers.reports import OPENED_BY_PERSON, RECORDED_BY_PERSON
from application.views.reports import SheetAtWorkView, TodayView
from application.views.sheets import SheetRoomView
from domain.anomalies import days_since
from domain.money import ZERO
from domain.sheet import Sheet


def last_recorded_at(data: MemoryData, sheet_id: int) -> datetime | None:
    """Return the time of the sheet's last line."""
    return max((detail.created_at for detail in data.counted if detail.sheet_id == sheet_id), default=None)


class MemoryOverview:
    """The queries of the overview."""

    def __init__(self, data: MemoryData) -> None:
        self._data = data

    def today(self, day: date) -> TodayView:
        """Return the day's counts of details and patients, and their total."""
        details = [detail for detail in self._data.counted if detail.day == day]
        return TodayView(
            details=len(details),
            patients=len({self._data.sheets[detail.sheet_id].patient_id for detail in details}),
            total=sum((detail.total for detail in details), ZERO),
        )

    def open_sheets(self) -> int:
        """Count the open sheets."""
        return len(list(self._open()))

    def worked_on(self, user_id: int, *, most: int) -> list[int]:
        """List open sheets that this user opened or recorded on, latest first."""
        recorded = [(d.sheet_id, d.created_at) for d in self._data.counted if d.user_id == user_id]
        opened = [
            (entry.entity_id, entry.at)
            for entry in self._data.audit_log
            if entry.user_id == user_id and entry.action == AuditAction.SHEET_OPENED
        ]
        last: dict[int, datetime] = {}
        for sheet_id, at in recorded[-RECORDED_BY_PERSON:] + opened[-OPENED_BY_PERSON:]:
            last[sheet_id] = max(at, last.get(sheet_id, at))
        found = [sheet.id for sheet in self._open() if sheet.id in last]
        return sorted(found, key=lambda sheet_id: (last[sheet_id], sheet_id), reverse=True)[:most]

    def sheets(self, ids: Collection[int], today: date) -> dict[int, SheetAtWorkView]:
        """Return those open sheets by id."""
        return {sheet.id: self._at_work(sheet, today) for sheet in self._open() if sheet.id in ids}

    def _at_work(self, sheet: Sheet, today: date) -> SheetAtWorkView:
        patient, room = self._data.patients[sheet.patient_id], self._data.rooms[sheet.room_id]
        return SheetAtWorkView(
            id=sheet.id,
            patient=person_view(patient),
            room=SheetRoomView(id=room.id, name=room.name, area_id=room.area_id),
            admission_date=sheet.admission_date,
            days_open=days_since(sheet.admission_date, today),
            details=sum(detail.sheet_id == sheet.id for detail in self._data.counted),
            last_recorded_at=last_recorded_at(self._data, sheet.id),
        )

    def _open(self) -> Iterator[Sheet]:
        return (sheet for sheet in self._data.sheets.values() if not sheet.closed)
