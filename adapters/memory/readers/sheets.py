"""Read sheets and their open unlisted items, in memory."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from copy import copy
from datetime import date, datetime, tzinfo
from typing import Any

from adapters.memory.data import MemoryData
from adapters.memory.readers.lists import MemoryView, id_of, is_between, read_moment
from adapters.memory.readers.people import searched_patient, sheet_patient_view, sorted_as
from adapters.memory.repositories.charging import charging_of
from application.paging import Page
from application.views.sheets import ConsumptionDayView, SheetQuery, SheetRoomView, SheetView, stay_views
from domain.people_search import SearchableFields
from domain.stay import build_stays
from domain.text import fold, fold_person, person_words
from domain.unlisted_item import UnlistedItem


class MemorySheetsView:
    """Reads sheets; open and closed ones are two lists."""

    def __init__(self, data: MemoryData, zone: tzinfo) -> None:
        self._data = data
        self._zone = zone

    def one(self, id: int) -> SheetView | None:
        """Return an open or closed sheet with its stays and billing status."""
        if id not in self._data.sheets:
            return None
        return {**self._with_stays(id), "charging": charging_of(self._data, id)}

    def _with_stays(self, id: int) -> SheetView:
        sheet = self._data.sheets[id]
        stays = build_stays(
            admission_date=sheet.admission_date,
            room_id=sheet.room_id,
            closed_at=sheet.closed_at,
            transfers=[one for one in self._data.transfers.values() if one.sheet_id == id],
            zone=self._zone,
        )
        names = {room.id: room.name for room in self._data.rooms.values()}
        return {**self._sheet(id), "stays": stay_views(stays, names)}

    def page(self, query: SheetQuery) -> Page[SheetView]:
        """Return one page of the open or the closed sheets."""
        view = MemoryView[SheetView, SheetQuery](
            everything=lambda: [
                self._with_stays(sheet.id) if query.closed is None else self._sheet(sheet.id)
                for sheet in self._data.sheets.values()
                if query.closed in (None, sheet.closed)
            ],
            matches=self._matches,
            searched=lambda _: (),
            words_of=person_words,
            person=self._searched,
            order=lambda item: (_day_or_moment(item), item["id"]),
            sorts={
                "id": id_of,
                "admission_date": lambda item: item["admission_date"],
                "patient": lambda item: sorted_as(item["patient"]),
                "room": lambda item: fold(item["room"]["name"]),
                "doctor": lambda item: f"{fold_person(item['doctor'])}\t{fold_person(item['diagnosis'])}",
                "deleted_at": lambda item: item["deleted_at"] or 0,
                "total": lambda item: item["total"],
            },
            newest_first=True,
            cursor_key=_day_or_moment,
            read_key=read_moment if query.closed else date.fromisoformat,
            bounded=not query.closed,
        )
        return view.page(query)

    def names(self, query: SheetQuery) -> Iterable[tuple[int, str]]:
        """List the folded names and rooms of the filtered open sheets, by id."""
        for item in [self._sheet(one.id) for one in self._data.sheets.values() if not one.closed]:
            if self._matches(item, query):
                yield item["id"], f"{sorted_as(item['patient'])} {fold(item['room']['name'])}"

    def _searched(self, item: SheetView) -> SearchableFields:
        number, visit = self._data.patients[item["patient_id"]].record_number, item.get("visit_number")
        former = (kept for whose, kept in self._data.former_record_numbers.values() if whose == item["patient_id"])
        return SearchableFields(
            text=searched_patient(item["patient"], number),
            names=sorted_as(item["patient"]),
            record_number=number,
            other_numbers=[*former, *([visit] if visit else [])],
            room=item["room"]["name"],
            mentions=f"{fold_person(item['doctor'])}\t{fold_person(item['diagnosis'])}",
        )

    def _matches(self, item: SheetView, query: SheetQuery) -> bool:
        if item["deleted_at"] is not None:
            in_time = is_between(item["deleted_at"], query.since, query.until, self._zone)
        else:
            day = item["admission_date"]
            in_time = (query.since or day) <= day <= (query.until or day)
        return (
            in_time
            and query.patient_id in (None, item["patient_id"])
            and query.room_id in (None, item["room_id"])
            and query.area_id in (None, item["room"]["area_id"])
            and not (query.without_visit and item.get("visit_number"))
        )

    def _sheet(self, id: int) -> SheetView:
        sheet = self._data.sheets[id]
        patient = self._data.patients[sheet.patient_id]
        room = self._data.rooms[sheet.room_id]
        days: dict[date, list[datetime]] = defaultdict(list)
        for detail in self._data.counted:
            if detail.sheet_id == id:
                days[detail.day].append(detail.occurred_at or detail.created_at)
        return SheetView(
            id=sheet.id,
            diagnosis=sheet.diagnosis,
            doctor=sheet.doctor,
            patient_id=patient.id,
            patient=sheet_patient_view(patient),
            room_id=room.id,
            room=SheetRoomView(id=room.id, name=room.name, area_id=room.area_id),
            admission_date=sheet.admission_date,
            total=sheet.total,
            closed=sheet.closed,
            deleted_at=sheet.closed_at,
            consumptions=[
                ConsumptionDayView(created_at=min(moments), details=len(moments)) for _, moments in sorted(days.items())
            ],
            late_entries=sum(
                late.sheet_id == id and late.decision is None for late in self._data.late_entries.values()
            ),
            unlisted_items=sum(one.sheet_id == id and one.open for one in self._data.unlisted_items.values()),
            visit_number=sheet.visit_number,
            discharge_proposed_at=sheet.discharge_proposed_at,
            admission_cancelled_at=sheet.admission_cancelled_at,
            version=sheet.version,
        )


def _day_or_moment(item: Mapping[str, Any]) -> Any:
    return item["deleted_at"] or item["admission_date"]


def read_open_unlisted_items(data: MemoryData, sheet_id: int) -> list[UnlistedItem]:
    """List the sheet's open unlisted items, by time of use."""
    found = [copy(one) for one in data.unlisted_items.values() if one.sheet_id == sheet_id and one.open]
    return sorted(found, key=lambda one: (one.occurred_at, one.id))
